"""Strategies and warnings of a project, as the tools tell of them: by their names without the project's id."""

from __future__ import annotations

from collections.abc import Iterable

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.credit import Standing
from mind_skills.learning.maturity import format_maturity, multiplier
from mind_skills.tasks.plan_report import AntiPatternReport, StrategyReport


def name(pattern: DecompositionPattern) -> str:
    """What commands call it."""
    last = pattern.id.rpartition("/")[2]
    return f"anti-{last}" if pattern.kind == "anti_pattern" else last


def strategies(standings: Iterable[Standing]) -> list[StrategyReport]:
    """Where strategies stand."""
    return [
        StrategyReport(
            id=name(each.pattern),
            content=each.pattern.content,
            state=each.maturity.state,
            multiplier=multiplier(each.maturity.state),
            helpful=each.pattern.success_count,
            harmful=each.pattern.failure_count,
            text=format_maturity(each.maturity),
        )
        for each in standings
    ]


def warnings(patterns: Iterable[DecompositionPattern]) -> list[AntiPatternReport]:
    """What is to be avoided."""
    return [
        AntiPatternReport(
            id=name(each), pattern=name(each).removeprefix("anti-"), content=each.content, reason=each.reason
        )
        for each in patterns
    ]
