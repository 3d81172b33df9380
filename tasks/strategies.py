"""Strategies and warnings of a project as documents, under names without the project's id."""

from __future__ import annotations

from collections.abc import Iterable

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.credit import Standing
from mind_skills.learning.maturity import MaturityState, format_maturity, multiplier
from mind_skills.output.document import Document


class StrategyReport(Document):
    """A strategy and where it stands. Counts are of votes; ``text`` is its state in words."""

    id: str
    content: str
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    text: str


class AntiPatternReport(Document):
    """A strategy that kept failing. ``content`` begins with AVOID, ``reason`` has the figures, ``pattern`` is what it was."""

    id: str
    pattern: str
    content: str
    reason: str


def name_pattern(pattern: DecompositionPattern) -> str:
    """What commands call a pattern."""
    last = pattern.id.rpartition("/")[2]
    return f"anti-{last}" if pattern.kind == "anti_pattern" else last


def report_strategies(standings: Iterable[Standing]) -> list[StrategyReport]:
    """Where strategies stand."""
    return [
        StrategyReport(
            id=name_pattern(each.pattern),
            content=each.pattern.content,
            state=each.maturity.state,
            multiplier=multiplier(each.maturity.state),
            helpful=each.pattern.success_count,
            harmful=each.pattern.failure_count,
            text=format_maturity(each.maturity),
        )
        for each in standings
    ]


def report_warnings(patterns: Iterable[DecompositionPattern]) -> list[AntiPatternReport]:
    """What is to be avoided."""
    return [
        AntiPatternReport(
            id=(name := name_pattern(each)),
            pattern=name.removeprefix("anti-"),
            content=each.content,
            reason=each.reason,
        )
        for each in patterns
    ]
