"""The report of a replay as people read it."""

from __future__ import annotations

from mind_skills.cli.replay_report import FileError, ReplayReport, SessionReport
from mind_skills.output.candidates import CandidateReport, kind_text
from mind_skills.output.text import count, heading, line, table


def show(report: ReplayReport) -> None:
    """Print every session, the totals, and what could not be read."""
    for session in report.sessions:
        _session(session)
    totals = report.totals
    heading(
        f"{count(totals.sessions, 'session')}, {count(totals.observations, 'observation')}, "
        f"{count(totals.candidates, 'candidate')}, {totals.failed} unreadable"
    )
    for error in report.errors:
        _error(error)


def _session(session: SessionReport) -> None:
    heading(session.path)
    outcome = session.outcome
    score = "" if outcome.score is None else f" {outcome.score:.2f}"
    line(f"  {session.host}, {count(session.observations, 'observation')}; {outcome.type}{score}; {outcome.reasoning}")
    for warning in session.warnings:
        line(f"  line {warning.line}: {warning.message}" if warning.line else f"  {warning.message}")
    if session.candidates:
        rows = [_row(candidate) for candidate in session.candidates]
        table("", ("confidence", "probability", "kind", "lines", "title"), rows, right=("probability",))
    line()


def _row(candidate: CandidateReport) -> tuple[str, str, str, str, str]:
    lines = [evidence.line for evidence in candidate.evidence]
    span = f"{min(lines)}-{max(lines)}" if lines else ""
    return candidate.confidence, f"{candidate.probability:.2f}", kind_text(candidate.kind), span, candidate.title


def _error(error: FileError) -> None:
    line(f"  {error.path}: {error.message} ({error.code})")
    if error.hint:
        line(f"    {error.hint}")
