"""What all rules of a project run by: the documents' three groups of settings, and whether its user's decisions count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mind_skills.learning import anti_patterns, maturity, scoring
from mind_skills.learning.anti_patterns import AntiPatternConfig
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.scoring import LearningConfig
from mind_skills.settings.lenient import adapts, lookup_section
from mind_skills.settings.table import TABLE

FIELDS = {
    "fast_completion_threshold_ms": "fast_completion_ms",
    "slow_completion_threshold_ms": "slow_completion_ms",
    "anti_pattern_prefix": "prefix",
}
"""Settings whose field in a config has another name."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The documents' `learning`, `antiPattern` and `maturity`; ``adapts`` is whether decisions shift what is told (taste.py)."""

    learning: LearningConfig = scoring.DEFAULTS
    anti_pattern: AntiPatternConfig = anti_patterns.DEFAULTS
    maturity: MaturityConfig = maturity.DEFAULTS
    adapts: bool = True


DEFAULTS = Rules()


def rules_of(root: str) -> Rules:
    """The numbers that the rules run by in the project at ``root``, as its settings have them. Never raises."""
    against = _fields(root, "anti_pattern")
    if "prefix" in against:
        against["prefix"] = spaced(against["prefix"])
    return Rules(learning_of(root), AntiPatternConfig(**against), maturity_of(root), adapts(root))


def learning_of(root: str) -> LearningConfig:
    """Those of them by which sessions are scored and detectors weighed. Never raises."""
    return LearningConfig(**_fields(root, "learning"))


def maturity_of(root: str) -> MaturityConfig:
    """Those of them by which strategies and skills are trusted. Never raises."""
    return MaturityConfig(**_fields(root, "maturity"))


def _fields(root: str, section: str) -> dict[str, Any]:
    """The fields of a section's config that a settings file names."""
    return {FIELDS.get(name, name): value for name, value in lookup_section(root, section).items()}


def numbers(section: str) -> dict[str, str]:
    """The settings of a section that are numbers: key -> the field of its config."""
    names = [key.partition(".")[2] for key in TABLE if key.startswith(f"{section}.")]
    found = {f"{section}.{name}": FIELDS.get(name, name) for name in names}
    return {key: field for key, field in found.items() if not isinstance(TABLE[key].default, str)}


def spaced(prefix: str) -> str:
    """The prefix with the space that keeps it from the warning's first word, whether or not somebody wrote it."""
    return prefix if prefix.endswith(" ") else f"{prefix} "
