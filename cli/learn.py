"""`mind-skills learn`: look at the session that is running now, instead of waiting for its next pause."""

from __future__ import annotations

import os
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.errors import LogError, MindSkillsError
from mind_skills.errors.records import OtherProjectError
from mind_skills.hooks.idle import idle
from mind_skills.hooks.moment import Moment
from mind_skills.output import state
from mind_skills.output.candidates import WaitingReport, kind_text, waiting_report
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, note, table
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import Seen
from mind_skills.store.project import Project
from mind_skills.tasks.caller import SESSION_VARIABLE


class LearnReport(Report):
    """`mind-skills learn --json`. ``session`` and ``host`` are empty where no session is running; no candidate is an empty list."""

    version: Literal[1] = 1
    project: str
    session: str
    host: str
    candidates: list[WaitingReport]


@options.command("mind-skills learn", "mind-skills learn --json")
@click.option("--session", default="", metavar="ID", help="This session; without it, the one that runs the command.")
@options.project_and_json
def command(session: str, project: str, as_json: bool) -> None:
    """Look at the running session now, and show what it has taught so far.

    Without --session that is the session whose agent runs this command, where its host says which one that is, else
    the one of this project that was seen last and has not ended. What is found waits for another session, as always;
    the one that has just learned it may write the skill at once, and say so with `mind-skills accept`.
    """
    place = choose_project(project)
    with state.open_ledger() as ledger:
        seen = _session(ledger, place, session)
        report = LearnReport(project=place.root, session="", host="", candidates=[])
        if seen is not None:
            _look(ledger, seen, state.now())
            here = seen.project
            report = LearnReport(
                project=here.root,
                session=seen.session_id,
                host=seen.host,
                candidates=[
                    waiting_report(candidate)
                    for candidate in ledger.list_pending(here)
                    if seen.session_id in candidate.sessions
                ],
            )
    emit(report, as_json, lambda: _show(report))


def _session(ledger: Ledger, place: Project, named: str) -> Seen | None:
    """The session that is meant. Raises MindSkillsError where one is named that is not known, OtherProjectError."""
    wanted = named or os.environ.get(SESSION_VARIABLE, "")
    if not wanted:
        running = [seen for seen in ledger.list_unfinished() if seen.project.id == place.id]
        return max(running, key=lambda seen: seen.seen_at, default=None)
    found = ledger.find_session(wanted)
    if found is None:
        hint = "`mind-skills doctor` says whether the hooks work." if not named else "It is the id that its host uses."
        raise MindSkillsError("session_unknown", f"no hook has told of the session {wanted[:60]}", hint)
    if named and found.project.id != place.id:
        raise OtherProjectError("this session")
    return found


def _look(ledger: Ledger, seen: Seen, at: int) -> None:
    """A checkpoint, as at every pause of the agent. Raises MindSkillsError where the log cannot be read."""
    moment = Moment(seen.host, seen.session_id, seen.project.root, seen.log, at)
    try:
        ledger.problems += idle(ledger.home, moment, interval=0)
    except LogError as error:
        raise MindSkillsError(
            error.code, f"{seen.log}: {error}", "`mind-skills doctor` looks for the reason."
        ) from error


def _show(report: LearnReport) -> None:

    rows = [(one.id, one.confidence, kind_text(one.kind), one.title) for one in report.candidates]
    if rows:
        table("", ("id", "confidence", "kind", "title"), rows)
        note("`mind-skills show ID` has the evidence.")
    elif report.session:
        line("This session has taught nothing yet that the rules would notice.")
    else:
        line(f"No session is running in {report.project} that a hook has told of.")
