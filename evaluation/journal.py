"""What the user's own decisions say of the detector: how much of what was told was kept, with and without the update by them.

The decisions of each project are gone through in their order: what is known at each is what was decided there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from mind_skills.detectors.scorer import tier
from mind_skills.evaluation.journal_report import JournalReport, StageReport, ToldReport
from mind_skills.learning.taste import NOBODYS, Decided, learned
from mind_skills.staging.decisions import Decision

TOLD = ("high", "medium")
STAGES = (0, 10, 30, 100)
"""Decisions of a project, before which and from which on the figures are given apart."""
ANEW = 0.05
"""The taste is learned anew whenever the decisions before have grown by this part: after each of the first twenty, so that
a thousand cost no more than a few hundred."""

Tiers = Callable[[float], str | None]


class Step(NamedTuple):
    """One decision: how many of its project were made before it, and the tier by the scorer alone and after the update."""

    before: int
    kept: bool
    alone: str | None
    updated: str | None


def journal(made: Sequence[Decision], unknown: int, groups: Mapping[str, str], tiers: Tiers = tier) -> JournalReport:
    """The report over decisions in their order; ``unknown`` more were made about what no scorer saw."""
    projects: dict[str, list[Decided]] = {}
    for each in made:
        projects.setdefault(each.project, []).append(each.what)
    steps = [step for decisions in projects.values() for step in steps_of(decisions, groups, tiers)]
    ends = [*STAGES[1:], None]
    return JournalReport(
        decisions=len(made),
        kept=sum(each.what.kept for each in made),
        unknown=unknown,
        projects=len(projects),
        tiers=[_told(name, steps, (name,)) for name in TOLD],
        told=_told("told", steps, TOLD),
        stages=[
            StageReport(since=since, until=until, told=_told("told", _between(steps, since, until), TOLD))
            for since, until in zip(STAGES, ends, strict=True)
        ],
    )


def steps_of(decisions: Sequence[Decided], groups: Mapping[str, str], tiers: Tiers) -> list[Step]:
    """The decisions of one project, each judged by those before it."""
    found: list[Step] = []
    taste, seen = NOBODYS, 0
    for before, each in enumerate(decisions):
        if before >= seen * (1 + ANEW) and before:
            taste, seen = learned(decisions[:before], groups), before
        now = taste.probability(each.probability, each.deciding)
        found.append(Step(before, each.kept, tiers(each.probability), tiers(now)))
    return found


def _between(steps: Iterable[Step], since: int, until: int | None) -> list[Step]:
    return [step for step in steps if step.before >= since and (until is None or step.before < until)]


def _told(name: str, steps: Sequence[Step], among: Sequence[str]) -> ToldReport:
    alone = [step.kept for step in steps if step.alone in among]
    updated = [step.kept for step in steps if step.updated in among]
    return ToldReport(
        name=name,
        told=len(alone),
        kept=sum(alone),
        precision=_share(alone),
        told_updated=len(updated),
        kept_updated=sum(updated),
        precision_updated=_share(updated),
    )


def _share(kept: Sequence[bool]) -> float | None:
    return round(sum(kept) / len(kept), 3) if kept else None
