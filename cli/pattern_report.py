"""The JSON of `mind-skills patterns`, as models; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.learning.maturity import MaturityState
from mind_skills.output.document import Report


class PatternReport(Report):
    """A strategy or a warning. Counts are of sessions; the decayed ones have faded by half in 90 days."""

    id: str
    content: str
    kind: Literal["pattern", "anti_pattern"]
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    decayed_helpful: float
    decayed_harmful: float
    last_validated: int | None
    inverted_to: str
    pinned: bool
    text: str
    """The state in words, with its figures."""


class PatternsReport(Report):
    """`mind-skills patterns --json`."""

    version: Literal[1] = 1
    project: str
    patterns: list[PatternReport]
