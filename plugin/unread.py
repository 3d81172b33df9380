"""A log of which nothing could be read is no session, however many warnings its reader made of it."""

from __future__ import annotations

from mind_skills.errors import LogError
from mind_skills.observations.logfile import MAX_WARNINGS, numbered_lines
from mind_skills.observations.model import Session
from mind_skills.observations.read import choose
from mind_skills.observations.readers import opencode_db
from mind_skills.plugin.sources import Log
from mind_skills.staging.analyse import Analysis


def unread(log: Log, analysis: Analysis) -> LogError | None:
    """Why nothing was read: every line, or the document, is broken, or it is of another format than it was read as.

    None where anything was read: an observation, or a header alone, as of a session that has just begun. Raises
    LogError where the log cannot be read any more.
    """
    session = analysis.session
    if analysis.observations or session.project or opencode_db.split(log.path)[1]:
        return None
    broken = _broken(log, session) if session.warnings and session.started is None else None
    return broken or _of_another_format(log)


def _broken(log: Log, session: Session) -> LogError | None:
    first = session.warnings[0]
    if first.line == 0:
        return LogError("broken", first.message, "it may be cut off: export or copy it again")
    broken = {warning.line for warning in session.warnings}
    # Warnings are listed up to a limit: a log that reaches it without one line that says anything has none.
    if len(session.warnings) <= MAX_WARNINGS and any(
        number not in broken for number, _ in numbered_lines(log.path, Session())
    ):
        return None
    return LogError("broken", "not one of its lines could be read", f"line {first.line}: {first.message}"[:200])


def _of_another_format(log: Log) -> LogError | None:
    try:
        looks = choose(log.path)
    except LogError as failure:
        if failure.code != "unknown_format":
            raise
        return LogError("wrong_format", f"nothing in it is {log.format}", "it is not a log of any known host")
    if looks == log.format:
        return None
    return LogError("wrong_format", f"nothing in it is {log.format}", f"it looks like {looks}: leave --format out")
