"""`mind-skills learn`: analyse the running session now instead of at its next pause."""

from __future__ import annotations

import os

import click

from mind_skills.cli import options
from mind_skills.errors import LogError, MindSkillsError
from mind_skills.errors.records import OtherProjectError
from mind_skills.hooks.session_state import HookCall
from mind_skills.output import state
from mind_skills.output.candidates import PendingCandidateReport, build_pending_report, format_kind
from mind_skills.output.text import emit, print_line, print_note, print_table
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import ReportedSession
from mind_skills.store.project import Project
from mind_skills.tasks.caller import SESSION_VARIABLE


@options.top_level_command("mind-skills learn", "mind-skills learn --json")
@click.option("--session", default="", metavar="ID", help="Session id. Default: the session that runs this command.")
@options.project_and_json
def command(session: str, folder: str, as_json: bool) -> None:
    """Analyse the running session now, and show what was learned so far.

    Without --session, the command analyses the session whose agent runs it, if the host identifies that session, else
    the most recent unfinished session of this project. As always, the learnings are offered to other sessions. The
    running session may also write a skill immediately, and record it with `mind-skills accept`.
    """
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        reported = _find_session(ledger, project, session)
        state.require_active(project if reported is None else reported.project)
        candidates: list[PendingCandidateReport] = []
        if reported is not None:
            _analyse(ledger, reported, state.read_clock())
            project = reported.project
            candidates = [
                build_pending_report(candidate)
                for candidate in ledger.list_pending(project)
                if reported.session_id in candidate.sessions
            ]
    session_id, host = (reported.session_id, reported.host) if reported is not None else ("", "")
    report = {"project": project.root, "session": session_id, "host": host, "candidates": candidates}
    emit(report, as_json, lambda: _print_candidates(candidates, session_id, project.root))


def _find_session(ledger: Ledger, project: Project, session_id: str) -> ReportedSession | None:
    """Return the session ``session_id`` or, if that is empty, the running session; None if no session is running.

    Raises OtherProjectError, or MindSkillsError if no hook has reported the session.
    """
    query = session_id or os.environ.get(SESSION_VARIABLE, "")
    if not query:
        running = [reported for reported in ledger.list_unfinished() if reported.project.id == project.id]
        return max(running, key=lambda reported: reported.seen_at, default=None)
    reported_session = ledger.find_session(query)
    if reported_session is None:
        hint = (
            "Use the session id that the host shows, or omit --session."
            if session_id
            else "Run `mind-skills doctor` to check the hooks."
        )
        raise MindSkillsError("session_unknown", f"no hook has reported the session {query[:60]}", hint)
    if session_id and reported_session.project.id != project.id:
        raise OtherProjectError("this session")
    return reported_session


def _analyse(ledger: Ledger, reported: ReportedSession, at: int) -> None:
    """Run a checkpoint, as at every pause of the agent. Raises MindSkillsError if the log cannot be read."""
    from mind_skills.hooks.idle import run_checkpoint  # loads the readers of logs and the detectors

    call = HookCall(reported.host, reported.session_id, reported.project.root, reported.log, at)
    try:
        ledger.problems += run_checkpoint(ledger.home, call, interval=0)
    except LogError as error:
        raise MindSkillsError(
            error.code, f"{reported.log}: {error}", "Run `mind-skills doctor` to find the cause."
        ) from error


def _print_candidates(candidates: list[PendingCandidateReport], session_id: str, root: str) -> None:
    rows = [(each.id, each.confidence, format_kind(each.kind), each.title) for each in candidates]
    if rows:
        print_table("", ("id", "confidence", "kind", "title"), rows, wrap_last_column=True)
        print_note("Run `mind-skills show ID` for what happened.")
    elif session_id:
        print_line("Nothing was noticed in this session yet.")
    else:
        print_line(f"No hook has reported a running session in {root}.")
