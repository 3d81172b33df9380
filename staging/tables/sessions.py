"""The tables ``sessions`` (reported sessions, and how far their logs were read) and ``offers`` (see also claim.py)."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.tables.places import register_place
from mind_skills.store.project import Project

MAX_ATTEMPTS = 3
"""Maximum number of consecutive failed attempts to read a log. A log that crashes its reader would do so every time."""


class ReportedSession(NamedTuple):
    """A session that a host reported.

    ``size`` (bytes) and ``mtime`` (ns) describe the log at the last checkpoint, and are -1 before the first; other times are UTC
    milliseconds. For ``attempts``, see schema.py.
    """

    session_id: str
    host: str
    project: Project
    log: str
    seen_at: int
    finished_at: int | None
    size: int
    mtime: int
    checkpoint_at: int | None
    has_open_offer: bool
    attempts: int = 0

    def get_response_start(self, offered_at: int) -> int:
        """Return the time (UTC ms) from which responses in the log count as given after an offer made at ``offered_at``.

        That is the time of the offer if a checkpoint precedes it, else 0: all responses count.
        """
        return offered_at if self.checkpoint_at is not None and self.checkpoint_at < offered_at else 0


def register_session(sql: sqlite3.Connection, session_id: str, host: str, project: Project, log: str, at: int) -> None:
    """Register a session and its folder, or update it and mark it as unfinished. An empty ``log`` preserves the stored path."""
    sql.execute(
        "INSERT INTO sessions (session, host, project, root, name, git, log, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session) DO UPDATE SET host = excluded.host, project = excluded.project, root = excluded.root,"
        " name = excluded.name, git = excluded.git, seen_at = max(seen_at, excluded.seen_at), finished_at = NULL,"
        " attempts = CASE WHEN finished_at IS NULL THEN attempts ELSE 0 END,"
        " log = CASE WHEN length(excluded.log) THEN excluded.log ELSE log END",
        (session_id, host, project.id, *map(os.fsencode, (project.root, project.name, project.git, log)), at),
    )
    register_place(sql, project)


def find_session(sql: sqlite3.Connection, session_id: str) -> ReportedSession | None:
    """Return a session; None if it is not registered."""
    found = _select(sql, "session = ?", session_id)
    return found[0] if found else None


def list_unfinished(sql: sqlite3.Connection) -> list[ReportedSession]:
    """List unfinished sessions: those with the fewest attempts first, and of these the newest first.

    So a log that crashes its reader does not block the other sessions.
    """
    return _select(sql, "finished_at IS NULL ORDER BY attempts, seen_at DESC, session")


def count_unfinished(sql: sqlite3.Connection, project: Project) -> int:
    """Count the unfinished sessions of a project."""
    unfinished = "SELECT count(*) FROM sessions WHERE finished_at IS NULL AND project = ?"
    return int(sql.execute(unfinished, (project.id,)).fetchone()[0])


def list_finished_since(sql: sqlite3.Connection, since: int) -> list[ReportedSession]:
    """List the sessions with a log that were finished after ``since`` (UTC ms), sorted by that time."""
    return _select(sql, "finished_at > ? AND length(log) ORDER BY finished_at, session", since)


def mark_finished(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished. Return False if it was finished already or is not registered."""
    done = sql.execute(
        "UPDATE sessions SET finished_at = ? WHERE session = ? AND finished_at IS NULL", (at, session_id)
    )
    return done.rowcount == 1


def set_checkpoint(sql: sqlite3.Connection, session_id: str, size: int, mtime: int, at: int) -> None:
    """Record how far the log was analysed: its size in bytes and mtime in ns; ``at`` is UTC milliseconds."""
    sql.execute(
        "UPDATE sessions SET size = ?, mtime = ?, checkpoint_at = ? WHERE session = ?", (size, mtime, at, session_id)
    )


def set_attempts(sql: sqlite3.Connection, session_id: str, attempts: int) -> None:
    """Set the number of attempts to read the log: increased before each attempt, 0 after a successful checkpoint."""
    sql.execute("UPDATE sessions SET attempts = ? WHERE session = ?", (attempts, session_id))


_CORRECTABLE_TIMES = (
    ("sessions", "seen_at", "seen_at > ? AND finished_at IS NULL"),
    ("offers", "at", "at > ? AND settled_at IS NULL"),
)


def has_future_times(sql: sqlite3.Connection, latest: int) -> bool:
    """Return whether an unfinished session or an open offer has a time later than ``latest`` (UTC ms)."""
    return any(
        sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {where})", (latest,)).fetchone()[0]  # noqa: S608
        for table, _, where in _CORRECTABLE_TIMES
    )


def correct_future_times(sql: sqlite3.Connection, now: int, latest: int) -> None:
    """Set the times that ``has_future_times`` finds to ``now``, because the clock was ahead by an unknown amount."""
    for table, column, where in _CORRECTABLE_TIMES:
        sql.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (now, latest))  # noqa: S608


def list_orphaned_offers(sql: sqlite3.Connection, before: int) -> list[tuple[str, bool]]:
    """List open offers older than ``before`` (UTC ms) without an unfinished session, oldest first.

    Each is (session, whether its agent responded). Such an offer remains if a process died before it closed the offer or
    registered the session.
    """
    rows = sql.execute(
        "SELECT session, answered_at IS NOT NULL FROM offers WHERE settled_at IS NULL AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions WHERE sessions.session = offers.session AND finished_at IS NULL)"
        " ORDER BY at, session",
        (before,),
    )
    return [(id_, bool(answered)) for id_, answered in rows]


def mark_answered(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Record that the agent of a session has responded to its offer; ``at`` (UTC ms) is stored only the first time."""
    sql.execute("UPDATE offers SET answered_at = ? WHERE session = ? AND answered_at IS NULL", (at, session_id))


def settle_offer(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Close an offer."""
    sql.execute("UPDATE offers SET settled_at = ? WHERE session = ? AND settled_at IS NULL", (at, session_id))


def delete_offer(sql: sqlite3.Connection, session_id: str) -> None:
    """Delete a session's offer."""
    sql.execute("DELETE FROM offers WHERE session = ?", (session_id,))


def has_open_offer(sql: sqlite3.Connection, session_id: str) -> bool:
    """Return whether a session has an open offer."""
    row = sql.execute("SELECT settled_at FROM offers WHERE session = ?", (session_id,)).fetchone()
    return row is not None and row[0] is None


def find_offer_projects(sql: sqlite3.Connection, session_id: str) -> list[str]:
    """Return a list with the project id of a session's offer; empty if there is no offer."""
    return [row[0] for row in sql.execute("SELECT project FROM offers WHERE session = ?", (session_id,))]


def _select(sql: sqlite3.Connection, where: str, *values: object) -> list[ReportedSession]:
    rows = sql.execute(
        "SELECT session, host, project, root, name, git, log, seen_at, finished_at, size, mtime, checkpoint_at,"  # noqa: S608
        " EXISTS (SELECT 1 FROM offers WHERE offers.session = sessions.session AND offers.settled_at IS NULL), attempts"
        f" FROM sessions WHERE {where}",
        values,
    )
    sessions: list[ReportedSession] = []
    for id_, host, project_id, root, name, git, log, seen_at, *progress, offered, attempts in rows:
        project = Project(os.fsdecode(root), project_id, os.fsdecode(name), os.fsdecode(git))
        finished_at, size, mtime, checkpoint_at = progress
        times = (seen_at, finished_at, size, mtime, checkpoint_at)
        sessions.append(ReportedSession(id_, host, project, os.fsdecode(log), *times, bool(offered), attempts))
    return sessions
