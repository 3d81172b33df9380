"""The tables ``sessions`` (which were seen, how far each log was read) and ``offers`` (made in staging/claim.py)."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.tables.places import register_place
from mind_skills.store.project import Project

ATTEMPTS = 3
"""So often reading a log is begun before it is given up: one that kills its reader would do so for ever."""


class Seen(NamedTuple):
    """A session that a host reported.

    ``size`` (bytes) and ``mtime`` (ns) of the log at the last checkpoint are -1 before the first; times are UTC
    milliseconds. ``offered`` says whether it holds an offer that has not been settled, ``attempts`` how often reading
    its log was begun in vain.
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
    offered: bool
    attempts: int = 0

    def resumed(self, offered_at: int) -> int:
        """Since when an answer of the agent is one to its offer (UTC ms): 0, unless the session had a past by then."""
        return offered_at if self.checkpoint_at is not None and self.checkpoint_at < offered_at else 0


def register_session(sql: sqlite3.Connection, session_id: str, host: str, project: Project, log: str, at: int) -> None:
    """Register a session, or that it is alive again: it is unfinished from now on. An empty ``log`` changes nothing."""
    sql.execute(
        "INSERT INTO sessions (session, host, project, root, name, git, log, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session) DO UPDATE SET host = excluded.host, project = excluded.project, root = excluded.root,"
        " name = excluded.name, git = excluded.git, seen_at = max(seen_at, excluded.seen_at), finished_at = NULL,"
        " attempts = CASE WHEN finished_at IS NULL THEN attempts ELSE 0 END,"
        " log = CASE WHEN length(excluded.log) THEN excluded.log ELSE log END",
        (session_id, host, project.id, *map(os.fsencode, (project.root, project.name, project.git, log)), at),
    )
    register_place(sql, project)


def find_session(sql: sqlite3.Connection, session_id: str) -> Seen | None:
    """What is known of one session: its project, log and checkpoint; None if it was never reported."""
    found = _select(sql, "session = ?", session_id)
    return found[0] if found else None


def list_unfinished(sql: sqlite3.Connection) -> list[Seen]:
    """Every session that was seen and not finished: those first that were tried least often, of these the newest.

    So whatever ends the process that reads it keeps no other session from being read.
    """
    return _select(sql, "finished_at IS NULL ORDER BY attempts, seen_at DESC, session")


def count_unfinished(sql: sqlite3.Connection, project: Project) -> int:
    """How many sessions of a project were seen and not finished."""
    unfinished = "SELECT count(*) FROM sessions WHERE finished_at IS NULL AND project = ?"
    return int(sql.execute(unfinished, (project.id,)).fetchone()[0])


def list_finished_since(sql: sqlite3.Connection, since: int) -> list[Seen]:
    """The sessions with a log that were finished after ``since`` (UTC ms) by the clock as it was then, the oldest first."""
    return _select(sql, "finished_at > ? AND length(log) ORDER BY finished_at, session", since)


def mark_finished(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished; True for the one caller that did so, False if it was, or was never seen."""
    done = sql.execute(
        "UPDATE sessions SET finished_at = ? WHERE session = ? AND finished_at IS NULL", (at, session_id)
    )
    return done.rowcount == 1


def set_checkpoint(sql: sqlite3.Connection, session_id: str, size: int, mtime: int, at: int) -> None:
    """Note how far the log was looked at: its size in bytes and mtime in ns, ``at`` UTC milliseconds."""
    sql.execute(
        "UPDATE sessions SET size = ?, mtime = ?, checkpoint_at = ? WHERE session = ?", (size, mtime, at, session_id)
    )


def set_attempts(sql: sqlite3.Connection, session_id: str, times: int) -> None:
    """Note how often reading the log was begun in vain; before it is begun once more."""
    sql.execute("UPDATE sessions SET attempts = ? WHERE session = ?", (times, session_id))


_TIMES = (
    ("sessions", "seen_at", "seen_at > ? AND finished_at IS NULL"),
    ("offers", "at", "at > ? AND settled_at IS NULL"),
)


def has_future_times(sql: sqlite3.Connection, latest: int) -> bool:
    """Whether any session that has not ended, or any offer that is open, is of a time after ``latest`` (UTC ms)."""
    return any(
        sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {where})", (latest,)).fetchone()[0]  # noqa: S608
        for table, _, where in _TIMES
    )


def correct_future_times(sql: sqlite3.Connection, now: int, latest: int) -> None:
    """Give those the time ``now``: the clock was ahead when they were put down, and how far nobody knows."""
    for table, column, where in _TIMES:
        sql.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (now, latest))  # noqa: S608


def list_orphaned_offers(sql: sqlite3.Connection, before: int) -> list[tuple[str, bool]]:
    """Offers older than ``before`` (UTC ms) that nobody will settle: (session, whether its agent answered), the oldest first.

    Their session was finished without it, or never registered: whoever was to do so died.
    """
    rows = sql.execute(
        "SELECT session, answered_at IS NOT NULL FROM offers WHERE settled_at IS NULL AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions WHERE sessions.session = offers.session AND finished_at IS NULL)"
        " ORDER BY at, session",
        (before,),
    )
    return [(id_, bool(answered)) for id_, answered in rows]


def mark_answered(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Note that the agent of a session answered, for sessions that leave no log to see it in."""
    sql.execute("UPDATE offers SET answered_at = ? WHERE session = ? AND answered_at IS NULL", (at, session_id))


def settle_offer(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Note that an offer has ended."""
    sql.execute("UPDATE offers SET settled_at = ? WHERE session = ? AND settled_at IS NULL", (at, session_id))


def delete_offer(sql: sqlite3.Connection, session_id: str) -> None:
    """Forget that a session was made an offer."""
    sql.execute("DELETE FROM offers WHERE session = ?", (session_id,))


def has_open_offer(sql: sqlite3.Connection, session_id: str) -> bool:
    """Whether a session was made an offer that has not ended."""
    row = sql.execute("SELECT settled_at FROM offers WHERE session = ?", (session_id,)).fetchone()
    return row is not None and row[0] is None


def find_offer_projects(sql: sqlite3.Connection, session_id: str) -> list[str]:
    """The id of the project whose candidates a session was offered; nothing where there is no offer."""
    return [row[0] for row in sql.execute("SELECT project FROM offers WHERE session = ?", (session_id,))]


def _select(sql: sqlite3.Connection, where: str, *values: object) -> list[Seen]:
    rows = sql.execute(
        "SELECT session, host, project, root, name, git, log, seen_at, finished_at, size, mtime, checkpoint_at,"  # noqa: S608
        " EXISTS (SELECT 1 FROM offers WHERE offers.session = sessions.session AND offers.settled_at IS NULL), attempts"
        f" FROM sessions WHERE {where}",
        values,
    )
    found: list[Seen] = []
    for id_, host, project, root, name, git, log, seen_at, ended_at, size, mtime, read_at, offered, attempts in rows:
        place = Project(os.fsdecode(root), project, os.fsdecode(name), os.fsdecode(git))
        cursor = (seen_at, ended_at, size, mtime, read_at)
        found.append(Seen(id_, host, place, os.fsdecode(log), *cursor, bool(offered), attempts))
    return found
