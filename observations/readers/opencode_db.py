"""Reader for one session in OpenCode's database, ``opencode.db``. The database is opened read-only.

``line`` is the 1-based index of the message in its session; for a subagent's observations, it is the index of the parent's message
that contains the call. ``PATH?session=ID`` names the session; the default is the root session that changed last. A subagent's session
is read at the ``task`` call that started it, or else at the end. Messages and parts are in the order of their ids.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from mind_skills.observations.codec import JsonObject, as_list, as_object, as_string, parse_object
from mind_skills.observations.logfile import MAX_LINE_BYTES, add_warning, parse_entries
from mind_skills.observations.model import PART_STRIDE, Agent, Mark, Observation, Session
from mind_skills.observations.readers.opencode import get_reverted_from, read_message
from mind_skills.observations.readers.opencode_file import ERRORS, build_error, open_database, query_database

MAX_DEPTH = 8
"""Maximum nesting of subagents. The limit also breaks a cycle in ``parent_id``."""

_SESSION_SEPARATOR = "?session="
_SELECT_MESSAGES = (
    "SELECT id, CASE WHEN length(data) > ? THEN NULL ELSE data END FROM message"
    " WHERE session_id = ? AND id >= ? ORDER BY id"
)
_SELECT_PARTS = "SELECT CASE WHEN length(data) > ? THEN NULL ELSE data END FROM part WHERE message_id = ? ORDER BY id"


def split_path(path: Path) -> tuple[Path, str]:
    """Split ``opencode.db?session=ID`` into the file and the session id, which may be empty."""
    name, mark, session_id = path.name.partition(_SESSION_SEPARATOR)
    return (path.with_name(name), session_id) if mark and name else (path, "")


def _to_safe_id(value: object) -> str:
    """Return ``value`` if it can be part of a file name, as all of OpenCode's session ids can; else an empty string."""
    name = as_string(value)
    return "" if "/" in name or os.sep in name or "\0" in name else name


def list_sessions(path: Path) -> list[str]:
    """Return the ids of all root sessions, the last changed first. Raises OSError as ``query_database`` does."""
    [rows] = query_database(path, (_SELECT_ROOT_SESSIONS, ()))
    return [name for (session_id,) in rows if (name := _to_safe_id(session_id))]


def list_changed_sessions(path: Path, changed_since: int, limit: int = -1) -> list[tuple[str, str, int]]:
    """Return (id, folder, time of last change in UTC ms) of the root sessions that changed at ``changed_since`` (UTC ms) or later.

    If there are more than ``limit``, only those that changed last are included; a negative limit is none. The most recently
    created session is the first. Raises OSError as ``query_database`` does.
    """
    [rows] = query_database(path, (_SELECT_CHANGED_SESSIONS, (changed_since, limit)))
    return [
        (_to_safe_id(name), as_string(folder), at)
        for name, folder, at in rows
        if isinstance(at, int) and _to_safe_id(name)
    ]


def get_fork_time(path: Path) -> int:
    """Return the time at which a session was forked from another one (UTC milliseconds), or 0 if it is not a fork.

    A fork contains messages that are older than its session. Raises OSError as ``query_database`` does.
    """
    file, session_id = split_path(path)
    [[(created, first_message)]] = query_database(file, (_SELECT_CREATION_TIMES, (session_id, session_id)))
    return created if isinstance(created, int) and isinstance(first_message, int) and 0 < first_message < created else 0


def get_extent(path: Path) -> tuple[int, int]:
    """Return the number of a session's parts, and the time of its last change in ns since the epoch.

    They are used instead of the file's size and modification time, which change with any session of any project. A part is written
    when it begins and rewritten when it ends, so the result of a tool call changes only the time.
    Raises OSError; FileNotFoundError if the database does not exist, or has no such session.
    """
    file, session_id = split_path(path)
    session_rows, [(parts, changed)] = query_database(
        file, (_SELECT_SESSION, (session_id,)), (_SELECT_EXTENT, (session_id,))
    )
    if not session_rows:
        raise FileNotFoundError(errno.ENOENT, f"no session {session_id} in this database")
    last_change = next((at for at in (changed, session_rows[0][4]) if isinstance(at, int) and at), 0)
    return int(parts), last_change * 1_000_000


def has_message(path: Path, mark: Mark) -> bool:
    """Return whether the mark's message is at the mark's line of a session; False if the database cannot be read."""
    file, session_id = split_path(path)
    try:
        [[(match_count, previous_count)]] = query_database(
            file, (_SELECT_POSITION, (session_id, mark.proof, session_id, mark.proof))
        )
    except OSError:
        return False
    return (match_count, previous_count) == (1, mark.line - 1)


_SELECT_POSITION = (
    "SELECT (SELECT count(*) FROM message WHERE session_id = ? AND id = ?),"
    " (SELECT count(*) FROM message WHERE session_id = ? AND id < ?)"
)
_SELECT_CREATION_TIMES = (
    "SELECT (SELECT time_created FROM session WHERE id = ?),"
    " (SELECT min(time_created) FROM message WHERE session_id = ?)"
)
_SELECT_EXTENT = "SELECT count(*), max(time_updated) FROM part WHERE session_id = ?"
_SELECT_ROOT_SESSIONS = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC, id DESC"
_SELECT_CHANGED_SESSIONS = (
    "SELECT id, directory, time_updated FROM (SELECT * FROM session WHERE parent_id IS NULL AND time_updated >= ?"
    " ORDER BY time_updated DESC, id DESC LIMIT ?) ORDER BY time_created DESC, id DESC"
)
_SELECT_CHILDREN = "SELECT id FROM session WHERE parent_id = ? AND id <> ? ORDER BY id"
_SELECT_REVERT = "SELECT revert FROM session WHERE id = ?"
_SELECT_SESSION = "SELECT id, directory, parent_id, time_created, time_updated FROM session WHERE id = ?"


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of one session, and fill the header of ``session``. Raises OSError."""
    file, requested_id = split_path(path)
    with closing(open_database(file)) as database:
        try:
            session_id = requested_id or next((row[0] for row in database.execute(_SELECT_ROOT_SESSIONS)), "")
            row = database.execute(_SELECT_SESSION, (session_id,)).fetchone()
        except ERRORS as error:
            raise build_error(error) from error
        if row is None:
            raise OSError(
                errno.ENOENT,
                f"no session {requested_id} in this database" if requested_id else "no session in this database",
            )
        session.session_id, session.project = as_string(row[0]), as_string(row[1])
        agent: Agent = "subagent" if as_string(row[2]) else "main"
        reader = _Database(database, session)
        try:
            yield from reader.read_observations(session.session_id, agent, 0, 0)
        except ERRORS as error:
            add_warning(session, session.lines, f"the rest of the database cannot be read: {error}"[:200])


class _Database:
    def __init__(self, database: sqlite3.Connection, session: Session) -> None:
        self.database, self.session = database, session

    def read_observations(self, session_id: str, agent: Agent, depth: int, at_line: int) -> Iterator[Observation]:
        """Yield a session's observations: all at line ``at_line`` or, if that is 0, each at the line of its message."""
        progress = None if at_line else self.session.progress
        start = (progress and progress.mark) or Mark(1, 0, "")
        part_count = marked_count = start.offset
        children: list[str] = []
        if depth < MAX_DEPTH:
            children = [as_string(row[0]) for row in self.database.execute(_SELECT_CHILDREN, (session_id, session_id))]
        finished_children: list[str] = []
        if progress is not None:
            finished_children += map(as_string, as_list(progress.state.get("children")))
            children = [child for child in children if child not in finished_children]
            progress.register_state_function(lambda: {"children": list(finished_children)})
        reverted_from = self._find_reverted(session_id)
        rows = self.database.execute(_SELECT_MESSAGES, (MAX_LINE_BYTES, session_id, start.proof))
        for message_number, (message_id, data) in enumerate(rows, start.line):
            line = at_line or message_number
            if not at_line:
                self.session.lines = message_number
                if progress is not None and part_count - marked_count >= PART_STRIDE:
                    progress.add_mark(Mark(message_number, part_count, as_string(message_id)))
                    marked_count = part_count
            info = self._parse_record(data, line)
            parts = [
                self._parse_record(row[0], line)
                for row in self.database.execute(_SELECT_PARTS, (MAX_LINE_BYTES, message_id))
            ]
            part_count += len(parts)
            is_reverted = as_string(message_id) >= reverted_from
            yield from read_message(info, parts, self.session, line, agent, is_reverted=is_reverted)
            for part in parts:
                child = as_string(as_object(as_object(part.get("state")).get("metadata")).get("sessionId"))
                if child in children:
                    children.remove(child)
                    finished_children.append(child)
                    yield from self.read_observations(child, "subagent", depth + 1, line)
        if progress is not None:
            progress.add_mark(Mark(self.session.lines + 1, part_count, ""))
        for child in children:
            yield from self.read_observations(child, "subagent", depth + 1, at_line or max(1, self.session.lines))

    def _find_reverted(self, session_id: str) -> str:
        """Return the id of the first message that the user took back (see ``get_reverted_from``)."""
        try:
            row = self.database.execute(_SELECT_REVERT, (session_id,)).fetchone()
        except sqlite3.OperationalError:  # the database of a version without the column
            row = None
        return get_reverted_from(parse_object(as_string(row[0])) if row else None)

    def _parse_record(self, data: object, line: int) -> JsonObject:
        if data is None:
            add_warning(self.session, line, f"skipped a record longer than {MAX_LINE_BYTES // 1024 // 1024} MB")
            return {}
        empty: JsonObject = {}
        return next(iter(parse_entries(as_string(data).encode("utf-8", "replace"), self.session, line)), empty)
