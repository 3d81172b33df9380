"""The rules of a project, as hooks read them: what a settings file says in bounds, the documents' numbers for the rest.

Standard library only, and never an error: a session must be finished whatever a settings file says. The strict reading,
which tells a person what is wrong, is plugin/rule_config.py. Asked for where a log is read as well, never at a start.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar, cast

from mind_skills.observations.later import compile_later
from mind_skills.plugin.settings import documents

if TYPE_CHECKING:
    from mind_skills.learning.maturity import MaturityConfig
    from mind_skills.learning.rules import Rules
    from mind_skills.learning.scoring import LearningConfig

Group = TypeVar("Group")

SECTIONS = ("learning", "anti_pattern", "maturity")
RATIO, DAYS, COUNT, DURATION = (0.0, 1.0), (1.0, 36_500.0), (1, 1_000), (1_000, 86_400_000)
NUMBERS: dict[str, tuple[str, tuple[float, float]]] = {
    "learning.half_life_days": ("half_life_days", DAYS),
    "learning.min_feedback_for_adjustment": ("min_feedback_for_adjustment", COUNT),
    "learning.max_harmful_ratio": ("max_harmful_ratio", RATIO),
    "learning.fast_completion_threshold_ms": ("fast_completion_ms", DURATION),
    "learning.slow_completion_threshold_ms": ("slow_completion_ms", DURATION),
    "learning.max_errors_neutral": ("max_errors_neutral", (0, 1_000)),
    "anti_pattern.min_observations": ("min_observations", COUNT),
    "anti_pattern.failure_ratio_threshold": ("failure_ratio_threshold", RATIO),
    "maturity.min_feedback": ("min_feedback", COUNT),
    "maturity.min_helpful": ("min_helpful", (1.0, 1_000.0)),
    "maturity.max_harmful": ("max_harmful", RATIO),
    "maturity.deprecation_threshold": ("deprecation_threshold", RATIO),
    "maturity.half_life_days": ("half_life_days", DAYS),
}
"""Key -> the field of its config, and its bounds, whole numbers where both are."""
PREFIX = "anti_pattern.anti_pattern_prefix"
PREFIX_LENGTH, PREFIX_FORM = 20, r"[^\W_]+(?: [^\W_]+){0,2} ?[:!\uff1a]? ?"
"""One to three words: it stands before every warning that an agent reads, and a project's file may be anybody's."""
OTHER_NAMES = {"learning.max_errors_for_helpful": "learning.max_errors_neutral", "anti_pattern.prefix": PREFIX}
"""D3: `maxErrorsForHelpful` has never been a count that scores as helpful, so it is called what it is."""
_HUMP = compile_later(r"(?<=[a-z])(?=[A-Z])")


def rules(root: str) -> Rules:
    """The numbers that the rules run by in the project at ``root``. Never raises."""
    from mind_skills.learning import anti_patterns
    from mind_skills.learning.rules import Rules

    said = _documents(root)
    against = _group(said, "anti_pattern")
    prefixes = (value for value in _said(said, PREFIX) if is_prefix(value))
    for value in prefixes:
        against.setdefault("prefix", spaced(cast("str", value)))
    return Rules(_learning(said), anti_patterns.AntiPatternConfig(**cast("dict[str, Any]", against)), _maturity(said))


def learning(root: str) -> LearningConfig:
    """Those of them by which sessions are scored and detectors weighed. Never raises."""
    return _learning(_documents(root))


def maturity(root: str) -> MaturityConfig:
    """Those of them by which strategies and skills are trusted. Never raises."""
    return _maturity(_documents(root))


def _learning(said: list[dict[str, Any]]) -> LearningConfig:
    from mind_skills.learning.scoring import LearningConfig

    return LearningConfig(**cast("dict[str, Any]", _group(said, "learning")))


def _maturity(said: list[dict[str, Any]]) -> MaturityConfig:
    from mind_skills.learning.maturity import MaturityConfig

    return MaturityConfig(**cast("dict[str, Any]", _group(said, "maturity")))


def _documents(root: str) -> list[dict[str, Any]]:
    return [canonical(data)[0] for data in documents(root)]


def _group(said: list[dict[str, Any]], section: str) -> dict[str, object]:
    """The fields of a section's config that the files name."""
    group: dict[str, object] = {}
    for key, (field, bounds) in NUMBERS.items():
        if key.startswith(f"{section}."):
            for value in _said(said, key):
                if in_bounds(value, bounds):
                    group.setdefault(field, value)
    return group


def is_prefix(value: object) -> bool:
    """Whether a warning may begin with this."""
    return isinstance(value, str) and len(value) <= PREFIX_LENGTH and re.fullmatch(PREFIX_FORM, value) is not None


def spaced(prefix: str) -> str:
    """The prefix with the space that keeps it from the warning's first word, whether or not somebody wrote it."""
    return prefix if prefix.endswith(" ") else f"{prefix} "


def canonical_key(key: str) -> str:
    """The dotted key as it is called here: `antiPattern.minObservations` is ``anti_pattern.min_observations``."""
    section, dot, name = key.partition(".")
    known = _snake(section)
    if known not in SECTIONS:
        return key
    found = f"{known}{dot}{_snake(name)}"
    return OTHER_NAMES.get(found, found)


def canonical(data: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What a settings file says, with every name as it is called here; and a key that it has under two names, else empty."""
    found: dict[str, Any] = {}
    twice = ""
    for section, value in data.items():
        name = canonical_key(section)
        if name not in SECTIONS or not isinstance(value, dict):
            found[section] = value
            continue
        into = found.setdefault(name, {})
        for key, one in cast("dict[str, Any]", value).items():
            inside = canonical_key(f"{section}.{key}").partition(".")[2]
            twice = twice or (f"{name}.{inside}" if inside in into else "")
            into.setdefault(inside, one)
    return found, twice


def spelled(data: dict[str, Any], key: str) -> str:
    """The key as a settings file has it already, so that a change changes that line; else as it is called here."""
    top, _, name = key.partition(".")
    for section, value in data.items():
        if canonical_key(section) == top and isinstance(value, dict):
            names = cast("dict[str, Any]", value)
            same = (each for each in names if canonical_key(f"{section}.{each}") == key)
            return f"{section}.{next(same, name)}"
    return key


def _said(documents_: list[dict[str, Any]], key: str) -> list[object]:
    """What the files say for a key, what counts first first."""
    section, _, name = key.partition(".")
    tables = (data.get(section) for data in documents_)
    return [cast("dict[str, object]", table)[name] for table in tables if isinstance(table, dict) and name in table]


def in_bounds(value: object, bounds: tuple[float, float]) -> bool:
    """Whether a number may be this: a whole one where its bounds are."""
    whole = isinstance(bounds[0], int)
    kinds = int if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and bounds[0] <= value <= bounds[1]


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()
