"""`mind-skills pending`: what waits in a project."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli import options
from mind_skills.output import state
from mind_skills.output.candidates import (
    CoveredReport,
    ForeignReport,
    WaitingReport,
    covered_reports,
    foreign_reports,
    kind_text,
    waiting_report,
)
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, note, table


class PendingReport(Report):
    """`mind-skills pending --json`."""

    version: Literal[1] = 1
    project: str
    candidates: list[WaitingReport]
    covered: list[CoveredReport]
    foreign: list[ForeignReport]


@options.command("mind-skills pending", "mind-skills pending --project ~/code/shop --json")
@options.project_and_json
def command(project: str, as_json: bool) -> None:
    """List the candidates that wait to become skills, the best first.

    The next session in the project is told of those that no session was told of before, at most five. What an
    installed skill says already is not offered, and named on stderr.
    """
    place = choose_project(project)
    with state.open_ledger() as ledger:
        state.catch_up(ledger, place)
        report = PendingReport(
            project=place.root,
            candidates=[waiting_report(candidate) for candidate in ledger.list_pending(place)],
            covered=covered_reports(ledger, place),
            foreign=foreign_reports(ledger, place),
        )
    emit(report, as_json, lambda: _show(report))


def _show(report: PendingReport) -> None:

    rows = [
        (
            candidate.id,
            candidate.confidence,
            kind_text(candidate.kind),
            str(len(candidate.sessions)),
            "no" if candidate.injected_at is None else "yes",
            candidate.title,
        )
        for candidate in report.candidates
    ]
    if rows:
        table("", ("id", "confidence", "kind", "sessions", "offered", "title"), rows, right=("sessions",))
        note("`mind-skills show ID` has the evidence.")
    else:
        line(f"Nothing waits in {report.project}.")
    for known in report.covered:
        note(f"{known.id} is not offered: {known.skill} says it already.")
    if report.foreign:
        note(f"{len(report.foreign)} more in the pending file come from elsewhere and are never offered.")
