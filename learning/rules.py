"""A project's learning rules: the specification's three sections of settings."""

from __future__ import annotations

from typing import Any

from mind_skills.learning import anti_patterns, maturity, scoring
from mind_skills.learning.anti_patterns import AntiPatternConfig
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.scoring import LearningConfig
from mind_skills.settings.lenient import get_section
from mind_skills.settings.table import TABLE
from mind_skills.store.light_dataclasses import dataclass

_FIELD_NAMES = {
    "fast_completion_threshold_ms": "fast_completion_ms",
    "slow_completion_threshold_ms": "slow_completion_ms",
    "anti_pattern_prefix": "prefix",
}
"""Config fields by setting, where the names differ."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The `learning`, `antiPattern` and `maturity` settings."""

    learning: LearningConfig = scoring.DEFAULTS
    anti_pattern: AntiPatternConfig = anti_patterns.DEFAULTS
    maturity: MaturityConfig = maturity.DEFAULTS


DEFAULTS = Rules()


def load_rules(root: str) -> Rules:
    """Load the rules from the settings of the project at ``root``. Never raises."""
    anti_pattern = _read_fields(root, "anti_pattern")
    if "prefix" in anti_pattern:
        prefix = anti_pattern["prefix"]  # a space separates it from the warning's text
        anti_pattern["prefix"] = prefix if prefix.endswith(" ") else f"{prefix} "
    return Rules(load_learning_config(root), AntiPatternConfig(**anti_pattern), load_maturity_config(root))


def load_learning_config(root: str) -> LearningConfig:
    """Load only the settings for scoring sessions and weighting criteria. Never raises."""
    return LearningConfig(**_read_fields(root, "learning"))


def load_maturity_config(root: str) -> MaturityConfig:
    """Load only the settings for the maturity of strategies and skills. Never raises."""
    return MaturityConfig(**_read_fields(root, "maturity"))


def _read_fields(root: str, section: str) -> dict[str, Any]:
    """Return the values that settings files set in a section, by config field."""
    return {_FIELD_NAMES.get(name, name): value for name, value in get_section(root, section).items()}


def list_numeric_settings(section: str) -> dict[str, str]:
    """Map the keys of a section's numeric settings to their config fields."""
    names = [key.partition(".")[2] for key in TABLE if key.startswith(f"{section}.")]
    fields = {f"{section}.{name}": _FIELD_NAMES.get(name, name) for name in names}
    return {key: field for key, field in fields.items() if not isinstance(TABLE[key].default, str)}
