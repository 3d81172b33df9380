"""OpenCode's own database, ``opencode.db``: read only, one session of the many that it holds.

``line`` is the 1-based index of the message in its session. The session is the one named by ``PATH?session=ID``, else
the root session that changed last; subagent sessions are read at the place of the ``task`` call that began them. The
order of messages and of parts is the order of their ids.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from mind_skills.observations.codec import Json, items, loads, mapping, string
from mind_skills.observations.logfile import MAX_LINE, add_warning
from mind_skills.observations.marks import PART_STRIDE, Mark
from mind_skills.observations.model import Agent, Observation, Session
from mind_skills.observations.readers.opencode import message_observations
from mind_skills.observations.readers.opencode_file import ERRORS, MAGIC, opened, unreadable

FORMAT = "opencode-db"
HOST = "opencode"
MAX_DEPTH = 8
"""Subagents that start subagents; a loop in ``parent_id`` ends here, too."""

_MARK = "?session="
_MESSAGES = "SELECT id, CASE WHEN length(data) > ? THEN NULL ELSE data END FROM message WHERE session_id = ? AND id >= ? ORDER BY id"
_PARTS = "SELECT CASE WHEN length(data) > ? THEN NULL ELSE data END FROM part WHERE message_id = ? ORDER BY id"


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format: any SQLite database."""
    return head.startswith(MAGIC)


def split(path: Path) -> tuple[Path, str]:
    """The file and the session id of ``opencode.db?session=ID``; the id is empty where none is named."""
    name, mark, session_id = path.name.partition(_MARK)
    return (path.with_name(name), session_id) if mark and name else (path, "")


def _name(found: object) -> str:
    """The id of a session; empty where it cannot be named behind the path of a file, as all of OpenCode's can."""
    name = string(found)
    return "" if "/" in name or os.sep in name or "\0" in name else name


def _rows(path: Path, *queries: tuple[str, tuple[object, ...]]) -> list[list[tuple[Any, ...]]]:
    """The rows that each of some queries finds in a database as it is at this instant.

    Raises:
        OSError: it cannot be opened, or is no database of OpenCode.
    """
    with closing(opened(split(path)[0])) as database:
        try:
            return [database.execute(query, values).fetchall() for query, values in queries]
        except ERRORS as error:
            raise unreadable(error) from error


def sessions(path: Path) -> list[str]:
    """The ids of all root sessions, the one that changed last first. Raises OSError as ``_rows`` does."""
    [rows] = _rows(path, (_ROOTS, ()))
    return [name for (found,) in rows if (name := _name(found))]


def changed_since(path: Path, since: int, most: int) -> list[tuple[str, str, int]]:
    """The ``most`` root sessions that changed last, at ``since`` (UTC ms) or later: id, folder, when; the last made first.

    Raises OSError as ``_rows`` does.
    """
    [rows] = _rows(path, (_CHANGED, (since, most)))
    return [(_name(name), string(folder), at) for name, folder, at in rows if _name(name) and isinstance(at, int)]


def copied_at(path: Path) -> int:
    """When a session was made as a copy of another (a fork): UTC milliseconds, 0 where it was not.

    A copy's messages are older than the session that they stand in. Raises OSError as ``_rows`` does.
    """
    wanted = split(path)[1]
    [[(made, first)]] = _rows(path, (_FIRST, (wanted, wanted)))
    return made if isinstance(made, int) and isinstance(first, int) and 0 < first < made else 0


def extent(path: Path) -> tuple[int, int]:
    """How far one session has been written: the number of its parts, and when the last changed, in ns since the epoch.

    The database as a whole changes with every session of every project. A part is written when it begins and again
    when it ends, so that what a tool call returned moves the second number alone.

    Raises:
        OSError: the database cannot be read. FileNotFoundError where it, or the session in it, is not there.
    """
    wanted = split(path)[1]
    found, [(parts, changed)] = _rows(path, (_SESSION, (wanted,)), (_EXTENT, (wanted,)))
    if not found:
        raise FileNotFoundError(errno.ENOENT, f"no session {wanted} in this database")
    last = next((at for at in (changed, found[0][4]) if isinstance(at, int) and at), 0)
    return int(parts), last * 1_000_000


def holds(path: Path, mark: Mark) -> bool:
    """Whether a session still has this message at this place."""
    wanted = split(path)[1]
    try:
        return _rows(path, (_PLACE, (wanted, mark.proof, wanted, mark.proof))) == [[(1, mark.line - 1)]]
    except OSError:
        return False


_PLACE = (
    "SELECT (SELECT count(*) FROM message WHERE session_id = ? AND id = ?),"
    " (SELECT count(*) FROM message WHERE session_id = ? AND id < ?)"
)
_FIRST = "SELECT (SELECT time_created FROM session WHERE id = ?), (SELECT min(time_created) FROM message WHERE session_id = ?)"
_EXTENT = "SELECT count(*), max(time_updated) FROM part WHERE session_id = ?"
_ROOTS = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC, id DESC"
_CHANGED = (
    "SELECT id, directory, time_updated FROM (SELECT * FROM session WHERE parent_id IS NULL AND time_updated >= ?"
    " ORDER BY time_updated DESC, id DESC LIMIT ?) ORDER BY time_created DESC, id DESC"
)
_SESSION = "SELECT id, directory, parent_id, time_created, time_updated FROM session WHERE id = ?"


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of one session; fills the header of ``session`` first.

    Raises:
        OSError: the database cannot be read, or holds no such session.
    """
    file, wanted = split(path)
    with closing(opened(file)) as database:
        try:
            found = wanted or next((row[0] for row in database.execute(_ROOTS)), "")
            row = database.execute(_SESSION, (found,)).fetchone()
        except ERRORS as error:
            raise unreadable(error) from error
        if row is None:
            raise OSError(
                errno.ENOENT, f"no session {wanted} in this database" if wanted else "no session in this database"
            )
        session.session_id, session.project = string(row[0]), string(row[1])
        agent: Agent = "subagent" if string(row[2]) else "main"
        reader = _Database(database, session)
        try:
            yield from reader.observations(session.session_id, agent, 0, 0)
        except ERRORS as error:
            add_warning(session, session.lines, f"the database cannot be read further: {error}"[:200])


class _Database:
    def __init__(self, database: sqlite3.Connection, session: Session) -> None:
        self.database, self.session = database, session

    def observations(self, session_id: str, agent: Agent, depth: int, at_line: int) -> Iterator[Observation]:
        """One session; a subagent's observations carry ``at_line``, the line of the call that began it."""
        progress = None if at_line else self.session.progress
        start = (progress and progress.mark) or Mark(1, 0, "")
        seen = marked = start.offset
        children = self._children(session_id) if depth < MAX_DEPTH else []
        told: list[str] = []
        if progress is not None:
            told += map(string, items(progress.state.get("children")))
            children = [child for child in children if child not in told]
            progress.register_state(lambda: {"children": list(told)})
        rows = self.database.execute(_MESSAGES, (MAX_LINE, session_id, start.proof))
        for number, (message_id, data) in enumerate(rows, start.line):
            line = at_line or number
            if not at_line:
                self.session.lines = number
                if progress is not None and seen - marked >= PART_STRIDE:
                    progress.add_mark(Mark(number, seen, string(message_id)))
                    marked = seen
            info = self._json(data, line)
            parts = [self._json(row[0], line) for row in self.database.execute(_PARTS, (MAX_LINE, message_id))]
            seen += len(parts)
            yield from message_observations(info, parts, self.session, line, agent)
            for part in parts:
                child = string(mapping(mapping(part.get("state")).get("metadata")).get("sessionId"))
                if child in children:
                    children.remove(child)
                    told.append(child)
                    yield from self.observations(child, "subagent", depth + 1, line)
        if progress is not None:
            progress.add_mark(Mark(self.session.lines + 1, seen, ""))
        for child in children:
            yield from self.observations(child, "subagent", depth + 1, at_line or max(1, self.session.lines))

    def _children(self, session_id: str) -> list[str]:
        rows = self.database.execute(
            "SELECT id FROM session WHERE parent_id = ? AND id <> ? ORDER BY id", (session_id, session_id)
        )
        return [string(row[0]) for row in rows]

    def _json(self, data: object, line: int) -> Json:
        if data is None:
            add_warning(self.session, line, f"a record longer than {MAX_LINE // 1024 // 1024} MB passed over")
            return {}
        try:
            value = loads(string(data).encode("utf-8", "replace"))
        except ValueError as error:
            add_warning(self.session, line, f"not JSON: {error}"[:200])
            return {}
        if not isinstance(value, dict):
            add_warning(self.session, line, "not a JSON object")
            return {}
        return mapping(cast(object, value))
