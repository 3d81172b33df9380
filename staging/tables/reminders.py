"""The tables ``reminders`` (what sessions were told when a command failed, or would have been) and ``muted`` (what is not to be told)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from mind_skills.store.project import Project


class Reminder(NamedTuple):
    """A solved error that a session met again at ``at`` (UTC ms): ``name`` is a candidate's id or, if ``is_skill``, a
    skill's name; ``signature`` its name in ``errors_met``, or "". If not ``is_shown``, it was left silent for
    comparison.
    """

    session: str
    name: str
    signature: str
    is_skill: bool
    is_shown: bool
    at: int


def put_reminders(sql: sqlite3.Connection, project_id: str, session_id: str, reminders: Iterable[Reminder]) -> None:
    """Replace the reminders of a session."""
    sql.execute("DELETE FROM reminders WHERE session = ?", (session_id,))
    sql.executemany(
        "INSERT OR IGNORE INTO reminders (session, name, signature, is_skill, is_shown, at, project) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*each, project_id) for each in reminders],
    )


def list_reminders(sql: sqlite3.Connection, project: Project) -> list[Reminder]:
    """List the reminders of a project's sessions, oldest first."""
    rows = sql.execute(
        "SELECT session, name, signature, is_skill, is_shown, at FROM reminders WHERE project = ? ORDER BY at, session, name",
        (project.id,),
    )
    return [
        Reminder(session, name, signature, bool(skill), bool(shown), at)
        for session, name, signature, skill, shown, at in rows
    ]


def mute(sql: sqlite3.Connection, project_id: str, what: str, at: int) -> None:
    """Stop reminders of ``what``: the id of a candidate, the name of a skill, or the key of an error (hexadecimal)."""
    sql.execute("INSERT OR IGNORE INTO muted (project, what, at) VALUES (?, ?, ?)", (project_id, what, at))


def unmute(sql: sqlite3.Connection, project_id: str, what: str) -> bool:
    """Resume reminders; return whether they had been muted."""
    return sql.execute("DELETE FROM muted WHERE project = ? AND what = ?", (project_id, what)).rowcount > 0


def list_muted(sql: sqlite3.Connection, project_id: str) -> list[str]:
    """List what is muted in a project, in the order in which it was."""
    return [row[0] for row in sql.execute("SELECT what FROM muted WHERE project = ? ORDER BY at, what", (project_id,))]
