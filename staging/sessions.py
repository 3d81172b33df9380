"""Which sessions were seen, which of them have not been finished, and how far each one's log was looked at."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.store.project import Project

ATTEMPTS = 3
"""So often a log is begun to be read before it is given up: one that kills its reader would do so for ever."""


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


_COLUMNS = (
    "session, host, project, root, name, git, log, seen_at, finished_at, size, mtime, checkpoint_at, attempts, EXISTS"
    " (SELECT 1 FROM offers WHERE offers.session = sessions.session AND offers.settled_at IS NULL)"
)


def seen(sql: sqlite3.Connection, session_id: str, host: str, project: Project, log: str, at: int) -> None:
    """Register a session, or that it is alive again: it is unfinished from now on. An empty ``log`` changes nothing."""
    sql.execute(
        "INSERT INTO sessions (session, host, project, root, name, git, log, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session) DO UPDATE SET host = excluded.host, project = excluded.project, root = excluded.root,"
        " name = excluded.name, git = excluded.git, seen_at = max(seen_at, excluded.seen_at), finished_at = NULL,"
        " attempts = CASE WHEN finished_at IS NULL THEN attempts ELSE 0 END,"
        " log = CASE WHEN length(excluded.log) THEN excluded.log ELSE log END",
        (session_id, host, project.id, *map(os.fsencode, (project.root, project.name, project.git, log)), at),
    )


def unfinished(sql: sqlite3.Connection) -> list[Seen]:
    """Every session that was seen and not finished: those first that were tried least often, of these the newest.

    So whatever ends the process that reads it keeps no other session from being read.
    """
    order = "ORDER BY attempts, seen_at DESC, session"
    rows = sql.execute(f"SELECT {_COLUMNS} FROM sessions WHERE finished_at IS NULL {order}")  # noqa: S608
    return [_seen(row) for row in rows]


_AHEAD = (
    ("sessions", "seen_at", "seen_at > ? AND finished_at IS NULL"),
    ("offers", "at", "at > ? AND settled_at IS NULL"),
)


def ahead(sql: sqlite3.Connection, latest: int) -> bool:
    """Whether any session that has not ended, or any offer that is open, is of a time after ``latest`` (UTC ms)."""
    return any(
        sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {where})", (latest,)).fetchone()[0]  # noqa: S608
        for table, _, where in _AHEAD
    )


def believe(sql: sqlite3.Connection, now: int, latest: int) -> None:
    """Give those the time ``now``: the clock was ahead when they were put down, and how far nobody knows."""
    for table, column, where in _AHEAD:
        sql.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (now, latest))  # noqa: S608


def finished_since(sql: sqlite3.Connection, since: int) -> list[Seen]:
    """The sessions with a log that were finished after ``since`` (UTC ms) by the clock as it was then, the oldest first."""
    where = "finished_at > ? AND length(log) ORDER BY finished_at, session"
    return [_seen(row) for row in sql.execute(f"SELECT {_COLUMNS} FROM sessions WHERE {where}", (since,))]  # noqa: S608


def session(sql: sqlite3.Connection, session_id: str) -> Seen | None:
    """What is known of one session, None if it was never reported."""
    row = sql.execute(f"SELECT {_COLUMNS} FROM sessions WHERE session = ?", (session_id,)).fetchone()  # noqa: S608
    return None if row is None else _seen(row)


def finished(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished; True for the one caller that did so, False if it was, or was never seen."""
    done = sql.execute(
        "UPDATE sessions SET finished_at = ? WHERE session = ? AND finished_at IS NULL", (at, session_id)
    )
    return done.rowcount == 1


def checkpoint(sql: sqlite3.Connection, session_id: str, size: int, mtime: int, at: int) -> None:
    """Note how far the log was looked at: its size in bytes and mtime in ns, ``at`` UTC milliseconds."""
    sql.execute(
        "UPDATE sessions SET size = ?, mtime = ?, checkpoint_at = ? WHERE session = ?", (size, mtime, at, session_id)
    )


def tried(sql: sqlite3.Connection, session_id: str, times: int) -> None:
    """Note how often reading the log was begun in vain."""
    sql.execute("UPDATE sessions SET attempts = ? WHERE session = ?", (times, session_id))


def left_over(sql: sqlite3.Connection, before: int) -> list[tuple[str, bool]]:
    """Offers older than ``before`` that nobody will settle: (session, whether its agent answered), the oldest first.

    Their session was finished without it, or never registered: whoever was to do so died.
    """
    rows = sql.execute(
        "SELECT session, answered_at IS NOT NULL FROM offers WHERE settled_at IS NULL AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions WHERE sessions.session = offers.session AND finished_at IS NULL)"
        " ORDER BY at, session",
        (before,),
    )
    return [(id_, bool(answered)) for id_, answered in rows]


def _seen(
    row: tuple[str, str, str, bytes, bytes, bytes, bytes, int, int | None, int, int, int | None, int, int],
) -> Seen:
    id_, host, project, root, name, git, log, seen_at, finished_at, size, mtime, checkpoint_at, attempts, offered = row
    where = Project(os.fsdecode(root), project, os.fsdecode(name), os.fsdecode(git))
    held = bool(offered)
    return Seen(id_, host, where, os.fsdecode(log), seen_at, finished_at, size, mtime, checkpoint_at, held, attempts)
