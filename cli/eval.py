"""`mind-skills eval`: what your own decisions say of the detector, how much of what was told you kept, by tier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.detectors.scorer import tier
from mind_skills.errors import DONE
from mind_skills.learning.taste import Decided
from mind_skills.output.document import Report
from mind_skills.output.text import count, emit, heading, line, table
from mind_skills.staging.decisions import Decision, Step, Tiers, group_features, judge_in_order

TOLD = ("high", "medium")
STAGES = (0, 10, 30, 100)
"""Decisions of a project, before which and from which on the figures are given apart."""


@options.command("mind-skills eval", "mind-skills eval --json")
@click.option("--journal", is_flag=True, hidden=True)
@options.as_json
def command(journal: bool, as_json: bool) -> int:
    """Measure the detector by your own decisions.

    Goes through what you accepted, dismissed and passed over, in the order in which you did, each project by itself: how
    much of what was told you kept, by tier, as the scorer alone would have told it, and as what you had decided before
    shifts it. `learn_from_decisions` of the settings switches that shift off.

    On sessions that were labelled by hand the detector is measured from a checkout: `python -m mind_skills.evaluation`.
    """
    from mind_skills.output import state

    with state.open_ledger() as ledger:
        report = journal_of(*ledger.list_decisions(), group_features())
    emit(report, as_json, lambda: _show(report))
    return DONE


class ToldReport(Report):
    """Of decided candidates: how many the scorer alone would have told, and what the update by earlier decisions would.

    ``precision`` is the share of them that were accepted; null where there is none.
    """

    name: str
    told: int
    kept: int
    precision: float | None
    told_updated: int
    kept_updated: int
    precision_updated: float | None


class StageReport(Report):
    """The decisions that had ``since`` earlier ones of their project or more, and fewer than ``until`` (null: without end)."""

    since: int
    until: int | None
    told: ToldReport


class JournalReport(Report):
    """The whole answer of `mind-skills eval --json`."""

    version: Literal[1] = 1
    decisions: int
    """Candidates that were accepted, dismissed or passed over."""
    kept: int
    """Those that were accepted."""
    unknown: int
    """More decisions, about candidates of a version without probabilities: nothing can be said of them."""
    projects: int
    tiers: list[ToldReport]
    told: ToldReport
    """Both tiers together."""
    stages: list[StageReport]


def journal_of(made: Sequence[Decision], unknown: int, groups: Mapping[str, str], tiers: Tiers = tier) -> JournalReport:
    """The report over decisions in their order; ``unknown`` more were made about what no scorer saw."""
    projects: dict[str, list[Decided]] = {}
    for each in made:
        projects.setdefault(each.project, []).append(each.what)
    steps = [step for decisions in projects.values() for step in judge_in_order(decisions, groups, tiers)]
    ends = [*STAGES[1:], None]
    return JournalReport(
        decisions=len(made),
        kept=sum(each.what.kept for each in made),
        unknown=unknown,
        projects=len(projects),
        tiers=[_told(name, steps, (name,)) for name in TOLD],
        told=_told("told", steps, TOLD),
        stages=[
            StageReport(
                since=since,
                until=until,
                told=_told(
                    "told",
                    [step for step in steps if step.before >= since and (until is None or step.before < until)],
                    TOLD,
                ),
            )
            for since, until in zip(STAGES, ends, strict=True)
        ],
    )


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


def _show(report: JournalReport) -> None:
    if not report.decisions:
        line("Nothing was decided yet about a candidate with a probability.")
        return
    heading(f"{count(report.decisions, 'decision')} in {count(report.projects, 'project')}, {report.kept} accepted")
    columns = ("", "told", "accepted", "precision", "told after the update", "accepted", "precision")
    rows = [_row(each.name, each) for each in (*report.tiers, report.told)]
    rows += [
        _row(
            f"decisions {stage.since + 1} to {stage.until}" if stage.until else f"from {stage.since + 1} on", stage.told
        )
        for stage in report.stages
    ]
    table("", columns, rows, right=columns[1:])
    if report.unknown:
        line(
            f"{count(report.unknown, 'more decision')} of an earlier version: what was decided about had no probability."
        )


def _row(name: str, told: ToldReport) -> tuple[str, ...]:
    after = (str(told.told_updated), str(told.kept_updated), _shown(told.precision_updated))
    return name, str(told.told), str(told.kept), _shown(told.precision), *after


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
