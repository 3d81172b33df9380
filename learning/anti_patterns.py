"""Inverts failing patterns into warnings. Implements `DecompositionPattern` of the specification: once, when 60 % of
three or more observations failed; the text is ``AVOID: ``, the pattern's text and the figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Literal

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.light_dataclasses import dataclass, replace

PatternKind = Literal["pattern", "anti_pattern"]

WARNING_ID_PREFIX = "anti-"
"""Prefix of a warning's id; the rest is the id of the inverted pattern."""
_SLUG_SEPARATORS = compile_lazily(r"[^a-z0-9]+")
MAX_EXAMPLES = 10
"""Maximum number of example tasks stored per pattern; older ones are dropped."""
MIN_SUCCESS_RATE, MIN_RECOMMENDED_OBSERVATIONS = 0.7, 2
"""Minimum success rate and number of observations for a pattern to be recommended."""


def build_slug(strategy: str) -> str:
    """Return the name of a strategy as in pattern ids: its ASCII letters, in lower case, and digits, joined by hyphens."""
    return _SLUG_SEPARATORS.sub("-", strategy.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class AntiPatternConfig:
    """The `antiPattern` settings of the specification, with its defaults."""

    min_observations: int = 3
    failure_ratio_threshold: float = 0.6
    prefix: str = "AVOID: "


@dataclass(frozen=True, slots=True)
class DecompositionPattern:
    """A strategy for dividing a task, or the warning against it, with its success and failure counts. Times are UTC ms."""

    id: str
    content: str
    kind: PatternKind = "pattern"
    is_negative: bool = False
    success_count: int = 0
    failure_count: int = 0
    created_at: int = 0
    updated_at: int = 0
    reason: str = ""
    tags: tuple[str, ...] = ()
    example_tasks: tuple[str, ...] = ()
    """`example_beads` in the specification."""
    inverted_to: str = ""
    """The id of the warning made from this pattern, or empty if the pattern has not been inverted."""


@dataclass(frozen=True, slots=True)
class Inversion:
    """A pattern and the warning made from it. ``reason`` states the failure figures."""

    original: DecompositionPattern
    inverted: DecompositionPattern
    reason: str


DEFAULTS = AntiPatternConfig()


def should_invert(pattern: DecompositionPattern, config: AntiPatternConfig = DEFAULTS) -> bool:
    """Return whether enough observations failed for an inversion. False for warnings and for patterns already inverted."""
    total = pattern.success_count + pattern.failure_count
    if pattern.kind == "anti_pattern" or pattern.inverted_to or total < config.min_observations:
        return False
    return total > 0 and pattern.failure_count / total >= config.failure_ratio_threshold


def invert(
    pattern: DecompositionPattern,
    reason: str,
    config: AntiPatternConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> Inversion:
    """Build the warning for a pattern. Its id is derived from the pattern's id, so a pattern has at most one warning."""
    text = _strip_warning_prefix(pattern.content, config, profile)
    ending = "" if profile.inverts_once and text.endswith((".", "!", "?")) else "."
    inverted = replace(
        pattern,
        id=f"{WARNING_ID_PREFIX}{pattern.id}",
        content=f"{config.prefix}{text}{ending} {reason}",
        kind="anti_pattern",
        is_negative=True,
        reason=reason,
        updated_at=now,
    )
    original = replace(pattern, inverted_to=inverted.id) if profile.inverts_once else pattern
    return Inversion(original, inverted, reason)


def record(
    pattern: DecompositionPattern,
    success: bool,
    task_id: str = "",
    config: AntiPatternConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> tuple[DecompositionPattern, Inversion | None]:
    """Count one observation. Return the updated pattern, and the inversion if this observation triggered one."""
    examples = (*pattern.example_tasks[-(MAX_EXAMPLES - 1) :], task_id) if task_id else pattern.example_tasks
    updated = replace(
        pattern,
        success_count=pattern.success_count + success,
        failure_count=pattern.failure_count + (not success),
        updated_at=now,
        example_tasks=examples,
    )
    if not should_invert(updated, config):
        return updated, None
    reason = describe_failures(updated.failure_count, updated.success_count + updated.failure_count)
    inversion = invert(updated, reason, config, now=now, profile=profile)
    return inversion.original, inversion


def format_anti_patterns(patterns: Iterable[DecompositionPattern]) -> str:
    """Format the section of warnings as the specification defines it; empty if there are no warnings."""
    lines = [f"- {pattern.content}" for pattern in patterns if pattern.kind == "anti_pattern"]
    if not lines:
        return ""
    head = ["## Anti-Patterns to Avoid", "", "Based on past failures, avoid these decomposition strategies:", ""]
    return "\n".join([*head, *lines, ""])


def format_successful_patterns(
    patterns: Iterable[DecompositionPattern], min_success_rate: float = MIN_SUCCESS_RATE
) -> str:
    """Format the section of patterns with enough observations, a high success rate and no warning; empty if there are none."""
    lines: list[str] = []
    for pattern in patterns:
        total = pattern.success_count + pattern.failure_count
        is_recommended = pattern.kind == "pattern" and not pattern.inverted_to and total >= MIN_RECOMMENDED_OBSERVATIONS
        if is_recommended and pattern.success_count / total >= min_success_rate:
            lines.append(f"- {pattern.content} ({compute_percent(pattern.success_count, total)}% success rate)")
    if not lines:
        return ""
    head = ["## Successful Patterns", "", "These decomposition strategies have worked well in the past:", ""]
    return "\n".join([*head, *lines, ""])


def describe_failures(failures: int, total: int) -> str:
    """Return the sentence that gives the reason for an inversion, or for a deprecation by votes."""
    return f"Failed {failures}/{total} times ({compute_percent(failures, total)}% failure rate)"


def compute_percent(part: int, whole: int) -> int:
    """Return ``part`` as a whole percentage of ``whole``, with halves rounded up as in the reference outputs; 0 if ``whole`` is 0."""
    return math.floor(100 * part / whole + 0.5) if whole else 0


def _strip_warning_prefix(content: str, config: AntiPatternConfig, profile: Profile) -> str:
    """Remove leading warning words such as "AVOID:", so that the prefix is not repeated."""
    if profile.inverts_once:
        content = content.strip().removeprefix(config.prefix.strip()).lstrip()
    for word in ("AVOID", "DO NOT", "NEVER"):
        content = re.sub(rf"^{word}:\s*", "", content, flags=re.IGNORECASE)
    return content
