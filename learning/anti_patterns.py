"""Anti-patterns: a pattern that keeps failing is turned into a warning. The documents' `DecompositionPattern`.

Inverted at 60 % failures or more of at least three observations, once: the warning gets the text behind ``AVOID: `` with
the figures, the original is deprecated and linked to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from mind_skills.learning.profiles import DEFAULT, Profile

PatternKind = Literal["pattern", "anti_pattern"]

WARNING = "anti-"
"""What stands before the id of the pattern that a warning was made of."""
MAX_EXAMPLES = 10
"""So many tasks a pattern names as examples, the newest."""
SUCCESSFUL_FROM, OBSERVED_FROM = 0.7, 2
"""The success rate, and the number of observations, from which a pattern is recommended."""


@dataclass(frozen=True, slots=True)
class AntiPatternConfig:
    """The documents' `antiPattern` settings and their defaults."""

    min_observations: int = 3
    failure_ratio_threshold: float = 0.6
    prefix: str = "AVOID: "


@dataclass(frozen=True, slots=True)
class DecompositionPattern:
    """A way to go about a task, and how often it went well. Times are UTC milliseconds."""

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
    """The documents' `example_beads`."""
    inverted_to: str = ""
    """The id of the warning that it became; it is deprecated then."""


@dataclass(frozen=True, slots=True)
class Inversion:
    """A pattern and the warning that it becomes. ``reason`` says why, with the figures."""

    original: DecompositionPattern
    inverted: DecompositionPattern
    reason: str


DEFAULTS = AntiPatternConfig()


def should_invert(pattern: DecompositionPattern, config: AntiPatternConfig = DEFAULTS) -> bool:
    """Whether so many observations failed that the pattern is a warning. A warning, or what became one, never is."""
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
    """The warning that a pattern becomes. Its id follows from the pattern's, so that twice is the same one."""
    words = _bare(pattern.content, config, profile)
    end = "" if profile.invert_once and words.endswith((".", "!", "?")) else "."
    inverted = replace(
        pattern,
        id=f"{WARNING}{pattern.id}",
        content=f"{config.prefix}{words}{end} {reason}",
        kind="anti_pattern",
        is_negative=True,
        reason=reason,
        updated_at=now,
    )
    original = replace(pattern, inverted_to=inverted.id) if profile.invert_once else pattern
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
    """Count one observation; the pattern afterwards, and what it became if this made it a warning."""
    examples = (*pattern.example_tasks[-(MAX_EXAMPLES - 1) :], task_id) if task_id else pattern.example_tasks
    seen = replace(
        pattern,
        success_count=pattern.success_count + success,
        failure_count=pattern.failure_count + (not success),
        updated_at=now,
        example_tasks=examples,
    )
    if not should_invert(seen, config):
        return seen, None
    total = seen.success_count + seen.failure_count
    share = percent(seen.failure_count, total)
    found = invert(
        seen, f"Failed {seen.failure_count}/{total} times ({share}% failure rate)", config, now=now, profile=profile
    )
    return found.original, found


def format_anti_patterns(patterns: Iterable[DecompositionPattern]) -> str:
    """The documents' section of warnings, empty where there is none."""
    lines = [f"- {pattern.content}" for pattern in patterns if pattern.kind == "anti_pattern"]
    if not lines:
        return ""
    head = ["## Anti-Patterns to Avoid", "", "Based on past failures, avoid these decomposition strategies:", ""]
    return "\n".join([*head, *lines, ""])


def format_successful(patterns: Iterable[DecompositionPattern], min_success_rate: float = SUCCESSFUL_FROM) -> str:
    """The documents' section of what worked: seen at least twice, and at that rate or above; empty where there is none."""
    lines: list[str] = []
    for pattern in patterns:
        total = pattern.success_count + pattern.failure_count
        good = pattern.kind == "pattern" and not pattern.inverted_to and total >= OBSERVED_FROM
        if good and pattern.success_count / total >= min_success_rate:
            lines.append(f"- {pattern.content} ({percent(pattern.success_count, total)}% success rate)")
    if not lines:
        return ""
    head = ["## Successful Patterns", "", "These decomposition strategies have worked well in the past:", ""]
    return "\n".join([*head, *lines, ""])


def percent(part: int, whole: int) -> int:
    """A share in percent, halves rounded up as in the reference outputs."""
    return math.floor(100 * part / whole + 0.5) if whole else 0


def _bare(content: str, config: AntiPatternConfig, profile: Profile) -> str:
    """The text without the words of a warning that it may begin with, each cut once."""
    if profile.invert_once:
        content = content.strip().removeprefix(config.prefix.strip()).lstrip()
    for word in ("AVOID", "DO NOT", "NEVER"):
        content = re.sub(rf"^{word}:\s*", "", content, flags=re.IGNORECASE)
    return content
