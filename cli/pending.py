"""`mind-skills pending`: list the candidates of a project."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli import options
from mind_skills.output import state
from mind_skills.output.candidates import (
    CoveredReport,
    ForeignCandidateReport,
    PendingCandidateReport,
    build_covered_reports,
    build_foreign_candidate_reports,
    build_pending_report,
    format_kind,
    format_waiting,
)
from mind_skills.output.document import Report
from mind_skills.output.text import emit, format_day, format_time, print_line, print_note, print_table
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project


class PendingReport(Report):
    """Output of `mind-skills pending --json`."""

    version: Literal[1] = 1
    project: str
    candidates: list[PendingCandidateReport]
    covered: list[CoveredReport]
    foreign: list[ForeignCandidateReport]


@options.top_level_command("mind-skills pending", "mind-skills pending --project ~/code/shop --json")
@options.project_and_json
def command(folder: str, as_json: bool) -> None:
    """List the candidates that may become skills, best first.

    The next session in the project is offered up to five of those that have not been offered before. Candidates that
    an installed skill covers are not offered; they are listed on stderr.
    """
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        report = gather_pending(ledger, project)
    project_option = state.format_project_option(project.root) if folder else ""
    emit(report, as_json, lambda: print_pending(report, project_option))


def gather_pending(ledger: Ledger, project: Project) -> PendingReport:
    """Update the pending list of a project and report it. Raises StoreError."""
    state.update_pending_list(ledger, project)
    return PendingReport(
        project=project.root,
        candidates=[build_pending_report(candidate) for candidate in ledger.list_pending(project)],
        covered=build_covered_reports(ledger, project),
        foreign=build_foreign_candidate_reports(ledger, project),
    )


def has_hooks() -> bool:
    """Return whether our hooks are installed in any host; without them, no session is offered a learning."""
    # Imported here: most calls have no learning to tell of.
    from mind_skills.hosts import HOST_NAMES
    from mind_skills.setup.doctor.host_progress import find_install_time
    from mind_skills.setup.doctor.hosts import inspect_hooks
    from mind_skills.setup.install.journal import Journal

    journal = Journal.open_read_only(get_state_folder())
    return any(find_install_time(inspect_hooks(host), journal) is not None for host in HOST_NAMES)


def print_pending(report: PendingReport, project_option: str) -> None:
    """Print the candidates as a table, waiting ones first; print their numbers and the ones not offered on stderr."""
    rows = [
        (
            candidate.id,
            candidate.confidence,
            format_kind(candidate.kind),
            str(len(candidate.sessions)),
            format_day(candidate.detected_at) or "unknown",
            "waiting" if candidate.injected_at is None else f"offered {format_time(candidate.injected_at)[:10]}",
            candidate.title,
        )
        for candidate in sorted(report.candidates, key=lambda each: each.injected_at is not None)
    ]
    if rows:
        print_table(
            "",
            ("id", "confidence", "kind", "sessions", "noticed", "state", "title"),
            rows,
            right_aligned=("sessions",),
            wrap_last_column=True,
        )
        offered = sum(candidate.injected_at is not None for candidate in report.candidates)
        waiting = len(rows) - offered
        text = format_waiting(waiting, report.project, has_hooks=has_hooks())
        text += f", {offered} {'was' if offered == 1 else 'were'} offered and not answered yet" if offered else ""
        print_note(f"{text}. Run `mind-skills show ID{project_option}` for what happened.")
    else:
        print_line(f"Nothing is pending in {report.project}.")
    for covered in report.covered:
        print_note(f"{covered.id} is not offered: {covered.skill} already covers it.")
    if report.foreign:
        are = "is" if len(report.foreign) == 1 else "are"
        print_note(
            f"{len(report.foreign)} more in the pending file {are} not in the database for this project and {are} never offered."
        )
