"""What all rules of a project run by: the documents' three groups of settings, and whether its user's decisions count.

Whoever runs a rule is handed them; nothing below plugin/ reads a settings file.
"""

from __future__ import annotations

from dataclasses import dataclass

from mind_skills.learning import anti_patterns, maturity, scoring
from mind_skills.learning.anti_patterns import AntiPatternConfig
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.scoring import LearningConfig


@dataclass(frozen=True, slots=True)
class Rules:
    """The documents' `learning`, `antiPattern` and `maturity`; ``adapts`` is whether decisions shift what is told (taste.py)."""

    learning: LearningConfig = scoring.DEFAULTS
    anti_pattern: AntiPatternConfig = anti_patterns.DEFAULTS
    maturity: MaturityConfig = maturity.DEFAULTS
    adapts: bool = True


DEFAULTS = Rules()


def usual(root: str) -> Rules:
    """The rules of a project, unless its settings say otherwise: the documents' numbers."""
    return DEFAULTS
