"""`mind-skills eval`: measure the detector by the user's decisions, as the share of its candidates that were accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from mind_skills.cli import options
from mind_skills.output import state
from mind_skills.output.text import emit, format_count, print_heading, print_line, print_table
from mind_skills.staging.decisions import Decision
from mind_skills.staging.model import get_confidence

OFFERED_TIERS = ("high", "medium")


@options.top_level_command("mind-skills eval", "mind-skills eval --json")
@click.option("--journal", is_flag=True, hidden=True)
@options.as_json
def command(journal: bool, as_json: bool) -> None:
    """Measure the detector by your own decisions.

    Goes through the candidates that you accepted, dismissed or ignored, and reports the share that you accepted, by tier.

    To measure the detector on labelled sessions, run `python -m research.evaluation` from a checkout.
    """
    with state.open_ledger(create=False) as ledger:
        report = build_journal(*ledger.list_decisions())
    emit(report, as_json, lambda: _print_journal(report))


class Offered(NamedTuple):
    """Counts of decided candidates: the scorer offers ``told`` of them, and ``kept`` of these were accepted."""

    name: str
    told: int
    kept: int
    precision: float | None


def build_journal(decisions: Sequence[Decision], unknown: int) -> dict[str, Any]:
    """Build the report on ``decisions``; ``unknown`` is the number of decisions without a probability."""
    return {
        "decisions": len(decisions),
        "kept": sum(each.is_accepted for each in decisions),
        "unknown": unknown,
        "projects": len({each.project for each in decisions}),
        "tiers": [_count_offered(name, decisions, (name,)) for name in OFFERED_TIERS],
        "told": _count_offered("told", decisions, OFFERED_TIERS),
    }


def _count_offered(name: str, decisions: Sequence[Decision], tiers: Sequence[str]) -> Offered:
    accepted = [each.is_accepted for each in decisions if get_confidence(each.probability) in tiers]
    return Offered(name, len(accepted), sum(accepted), round(sum(accepted) / len(accepted), 3) if accepted else None)


def _print_journal(report: dict[str, Any]) -> None:
    if not report["decisions"]:
        print_line("Nothing to measure yet: accept or dismiss learnings first, for example with `mind-skills review`.")
        return
    print_heading(
        f"{format_count(report['decisions'], 'decision')} in {format_count(report['projects'], 'project')}, {report['kept']} accepted"
    )
    columns = ("", "offered", "accepted", "precision")
    rows = [
        (name, str(each.told), str(each.kept), "" if each.precision is None else f"{each.precision:.3f}")
        for name, each in (*((each.name, each) for each in report["tiers"]), ("all", report["told"]))
    ]
    print_table("", columns, rows, right_aligned=columns[1:])
    if report["unknown"]:
        print_line(
            f"{format_count(report['unknown'], 'more decision')} not measured: the candidates are from a version without probabilities."
        )
