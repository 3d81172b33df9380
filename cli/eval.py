"""`mind-skills eval`: measure the detector by the user's decisions, as the share of its candidates that were accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.learning.taste import TasteDecision
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.text import emit, format_count, print_heading, print_line, print_table
from mind_skills.staging.decisions import Decision, ReplayStep, map_features_to_groups, replay_decisions
from mind_skills.staging.model import get_confidence

OFFERED_TIERS = ("high", "medium")
STAGE_BOUNDS = (0, 10, 30, 100)
"""Numbers of earlier decisions in the project at which the stages begin. Each stage is measured separately."""


@options.top_level_command("mind-skills eval", "mind-skills eval --json")
@click.option("--journal", is_flag=True, hidden=True)
@options.as_json
def command(journal: bool, as_json: bool) -> None:
    """Measure the detector by your own decisions.

    Goes through the candidates that you accepted, dismissed or ignored, in order and per project, and reports the share
    that you accepted, by tier: with the probabilities of the scorer alone, and with these probabilities adjusted to
    your earlier decisions. To turn this adjustment off, run `mind-skills config set learn_from_decisions false`.

    To measure the detector on labelled sessions, run `python -m research.evaluation` from a checkout.
    """
    with state.open_ledger(create=False) as ledger:
        report = build_journal(*ledger.list_decisions(), map_features_to_groups())
    emit(report, as_json, lambda: _print_journal(report))


class OfferedReport(Report):
    """Counts of decided candidates: the scorer offers ``told`` of them, and ``kept`` of these were accepted.

    ``precision`` is the accepted share, null if none is offered. The fields that end in ``Updated`` are the same
    numbers for the scorer adjusted to earlier decisions.
    """

    name: str
    told: int
    kept: int
    precision: float | None
    told_updated: int
    kept_updated: int
    precision_updated: float | None


class StageReport(Report):
    """A measurement of the decisions with at least ``since`` and fewer than ``until`` earlier ones in the same project.

    If ``until`` is null, there is no upper limit.
    """

    since: int
    until: int | None
    told: OfferedReport


class JournalReport(Report):
    """Output of `mind-skills eval --json`."""

    version: Literal[1] = 1
    decisions: int
    """Number of candidates that were accepted, dismissed or ignored and are measured."""
    kept: int
    """Number of these that were accepted."""
    unknown: int
    """Number of decisions that are not measured, because their candidates come from a version without probabilities."""
    projects: int
    tiers: list[OfferedReport]
    told: OfferedReport
    """The sums over both tiers."""
    stages: list[StageReport]


def build_journal(decisions: Sequence[Decision], unknown: int, groups: Mapping[str, str]) -> JournalReport:
    """Build the report on ``decisions``, oldest first; ``unknown`` is the number of decisions without a probability."""
    projects: dict[str, list[TasteDecision]] = {}
    for each in decisions:
        projects.setdefault(each.project, []).append(each.values)
    steps = [step for each in projects.values() for step in replay_decisions(each, groups)]
    return JournalReport(
        decisions=len(decisions),
        kept=sum(each.values.is_accepted for each in decisions),
        unknown=unknown,
        projects=len(projects),
        tiers=[_count_offered(name, steps, (name,)) for name in OFFERED_TIERS],
        told=_count_offered("told", steps, OFFERED_TIERS),
        stages=[
            StageReport(
                since=since,
                until=until,
                told=_count_offered(
                    "told", [step for step in steps if since <= step.earlier_decisions < (until or inf)], OFFERED_TIERS
                ),
            )
            for since, until in zip(STAGE_BOUNDS, [*STAGE_BOUNDS[1:], None], strict=True)
        ],
    )


def _count_offered(name: str, steps: Sequence[ReplayStep], tiers: Sequence[str]) -> OfferedReport:
    accepted_alone = [step.is_accepted for step in steps if get_confidence(step.scored) in tiers]
    accepted_adjusted = [step.is_accepted for step in steps if get_confidence(step.adjusted) in tiers]
    return OfferedReport(
        name=name,
        told=len(accepted_alone),
        kept=sum(accepted_alone),
        precision=_compute_precision(accepted_alone),
        told_updated=len(accepted_adjusted),
        kept_updated=sum(accepted_adjusted),
        precision_updated=_compute_precision(accepted_adjusted),
    )


def _compute_precision(accepted: Sequence[bool]) -> float | None:
    return round(sum(accepted) / len(accepted), 3) if accepted else None


def _print_journal(report: JournalReport) -> None:
    if not report.decisions:
        print_line("Nothing to measure yet: accept or dismiss learnings first, for example with `mind-skills review`.")
        return
    print_heading(
        f"{format_count(report.decisions, 'decision')} in {format_count(report.projects, 'project')}, {report.kept} accepted"
    )
    columns = ("", "offered", "accepted", "precision", "offered if adjusted", "accepted", "precision")
    rows = [_format_row(each.name, each) for each in report.tiers] + [_format_row("all", report.told)]
    rows += [
        _format_row(
            f"decisions {stage.since + 1} to {stage.until}" if stage.until else f"from {stage.since + 1} on", stage.told
        )
        for stage in report.stages
    ]
    print_table("", columns, rows, right_aligned=columns[1:])
    if report.unknown:
        print_line(
            f"{format_count(report.unknown, 'more decision')} not measured: the candidates are from a version without probabilities."
        )


def _format_row(name: str, counts: OfferedReport) -> tuple[str, ...]:
    return (
        name,
        *(str(counts.told), str(counts.kept), _format_precision(counts.precision)),
        *(str(counts.told_updated), str(counts.kept_updated), _format_precision(counts.precision_updated)),
    )


def _format_precision(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
