"""`mind-skills eval`: measure the detector by the user's decisions, as the share of its candidates that were accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import click

from mind_skills.cli import options
from mind_skills.learning.taste import TasteDecision
from mind_skills.output import state
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

    To measure the detector on labelled sessions, run `python -m mind_skills.evaluation` from a checkout.
    """
    with state.open_ledger(create=False) as ledger:
        report = build_journal(*ledger.list_decisions(), map_features_to_groups())
    emit(report, as_json, lambda: _print_journal(report))


class Offered(NamedTuple):
    """Counts of decided candidates: the scorer offers ``told`` of them, and ``kept`` of these were accepted."""

    name: str
    told: int
    kept: int
    precision: float | None
    told_updated: int
    kept_updated: int
    precision_updated: float | None


def build_journal(decisions: Sequence[Decision], unknown: int, groups: Mapping[str, str]) -> dict[str, Any]:
    """Build the report on ``decisions``, oldest first; ``unknown`` is the number of decisions without a probability."""
    projects: dict[str, list[TasteDecision]] = {}
    for each in decisions:
        projects.setdefault(each.project, []).append(each.values)
    steps = [step for each in projects.values() for step in replay_decisions(each, groups)]
    stages = [
        (since, until, [step for step in steps if since <= step.earlier_decisions < (until or inf)])
        for since, until in zip(STAGE_BOUNDS, [*STAGE_BOUNDS[1:], None], strict=True)
    ]
    return {
        "decisions": len(decisions),
        "kept": sum(each.values.is_accepted for each in decisions),
        "unknown": unknown,
        "projects": len(projects),
        "tiers": [_count_offered(name, steps, (name,)) for name in OFFERED_TIERS],
        "told": _count_offered("told", steps, OFFERED_TIERS),
        "stages": [
            {"since": since, "until": until, "told": _count_offered("told", steps, OFFERED_TIERS)}
            for since, until, steps in stages
        ],
    }


def _count_offered(name: str, steps: Sequence[ReplayStep], tiers: Sequence[str]) -> Offered:
    accepted_alone = [step.is_accepted for step in steps if get_confidence(step.scored) in tiers]
    accepted_adjusted = [step.is_accepted for step in steps if get_confidence(step.adjusted) in tiers]
    return Offered(
        name,
        *(len(accepted_alone), sum(accepted_alone), _compute_precision(accepted_alone)),
        *(len(accepted_adjusted), sum(accepted_adjusted), _compute_precision(accepted_adjusted)),
    )


def _compute_precision(accepted: Sequence[bool]) -> float | None:
    return round(sum(accepted) / len(accepted), 3) if accepted else None


def _print_journal(report: dict[str, Any]) -> None:
    if not report["decisions"]:
        print_line("Nothing to measure yet: accept or dismiss learnings first, for example with `mind-skills review`.")
        return
    print_heading(
        f"{format_count(report['decisions'], 'decision')} in {format_count(report['projects'], 'project')}, {report['kept']} accepted"
    )
    columns = ("", "offered", "accepted", "precision", "offered if adjusted", "accepted", "precision")
    rows = [_format_row(each.name, each) for each in report["tiers"]] + [_format_row("all", report["told"])]
    for stage in report["stages"]:
        first, last = stage["since"] + 1, stage["until"]
        rows.append(_format_row(f"decisions {first} to {last}" if last else f"from {first} on", stage["told"]))
    print_table("", columns, rows, right_aligned=columns[1:])
    if report["unknown"]:
        print_line(
            f"{format_count(report['unknown'], 'more decision')} not measured: the candidates are from a version without probabilities."
        )


def _format_row(name: str, counts: Offered) -> tuple[str, ...]:
    return (
        name,
        *(str(counts.told), str(counts.kept), _format_precision(counts.precision)),
        *(str(counts.told_updated), str(counts.kept_updated), _format_precision(counts.precision_updated)),
    )


def _format_precision(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
