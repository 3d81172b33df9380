"""Opens OpenCode's database without interfering with OpenCode, and reads the time of the last change to any session.

This module is separate from the reader because `mind-skills status` only needs the time of the last change.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing
from typing import Any

from mind_skills.observations.open_file import SQLITE_MAGIC, open_log_file

MAX_ATTEMPTS, RETRY_SECONDS = 10, 0.02
"""Maximum number of attempts to open the database, and the seconds between them. About once in 50,000 attempts (measured while another
process opened the database continuously), SQLite finds an incomplete WAL index and fails because it would have to write to it."""
LOCK_WAIT_SECONDS = 2.0
"""Seconds to wait for another process that has locked the database. Only the first attempt of a process waits."""
_locked_files: set[str] = set()
"""Databases for which this process has waited in vain."""

ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""Exceptions that a damaged database may cause: SQLite may quote invalid UTF-8 in an error, or try to allocate as much memory as a
damaged length field states."""
_UNESCAPED_BYTES = frozenset(b"/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
"""Bytes that need no escape in a URI (RFC 3986)."""
_SELECT_UNUSUAL_TABLES = (
    "SELECT name FROM sqlite_master AS known WHERE lower(name) IN ('session', 'message', 'part') AND (type <> 'table'"
    " OR sql LIKE 'CREATE VIRTUAL%' OR EXISTS (SELECT 1 FROM pragma_table_xinfo(known.name) WHERE hidden <> 0))"
)
_SELECT_NEWER_TABLE = (
    "SELECT 1 FROM sqlite_master WHERE name = 'session_v2'"
    " AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'session')"
)
_SELECT_LAST_CHANGE = "SELECT max(time_updated) FROM session WHERE parent_id IS NULL"


def get_last_change(path: str | os.PathLike[str]) -> int | None:
    """Return the time of the last change to any root session, in UTC milliseconds; None if there is no root session.
    Raises OSError as ``open_database`` does.
    """
    [[(last_change,)]] = query_database(path, (_SELECT_LAST_CHANGE, ()))
    return last_change if isinstance(last_change, int) else None


def query_database(
    path: str | os.PathLike[str], *queries: tuple[str, tuple[object, ...]]
) -> list[list[tuple[Any, ...]]]:
    """Run queries on a snapshot of the database, and return the rows of each query. Raises OSError as ``open_database`` does."""
    with closing(open_database(path)) as database:
        try:
            return [database.execute(query, values).fetchall() for query, values in queries]
        except ERRORS as error:
            raise build_error(error) from error


def open_database(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open a read-only snapshot of the database at ``path``. The caller must close it.

    Raises OSError if the file cannot be opened, is not a database, or is rejected by ``_check_schema``.
    """
    file = os.fspath(path)
    with open_log_file(file) as handle:  # SQLite would report a missing file as a malformed database
        if handle.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            raise OSError(errno.EINVAL, "not an SQLite database")
    attempts = 0
    end = time.monotonic() + (0 if file in _locked_files else LOCK_WAIT_SECONDS)
    while True:
        try:
            database = _open_snapshot(file, max(0.0, end - time.monotonic()))
        except ERRORS as error:
            attempts += 1
            is_locked = _is_locked(error)
            if is_locked and time.monotonic() >= end:
                _locked_files.add(file)
                raise build_error(error) from error
            if not is_locked and (attempts >= MAX_ATTEMPTS or not isinstance(error, sqlite3.OperationalError)):
                raise build_error(error) from error
        else:
            _locked_files.discard(file)
            return database
        time.sleep(RETRY_SECONDS)  # OpenCode may be starting or exiting


def _open_snapshot(file: str, timeout: float) -> sqlite3.Connection:
    database = sqlite3.connect(_build_uri(file), uri=True, timeout=timeout)
    try:
        database.text_factory = _decode
        database.execute("BEGIN")  # one snapshot for all queries
        _check_schema(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_schema(database: sqlite3.Connection) -> None:
    """Raise OSError if one of OpenCode's tables is not a plain table, or (ENOTSUP) if only OpenCode 2 has used the database.

    Any SQLite file may be passed as a log, and one that came with a repository may contain an endless view, or computed columns.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    if unusual_table := database.execute(_SELECT_UNUSUAL_TABLES).fetchone():
        raise OSError(errno.EINVAL, f"not an OpenCode database: {unusual_table[0]} is not a plain table")
    if database.execute(_SELECT_NEWER_TABLE).fetchone():
        raise OSError(errno.ENOTSUP, "a database of OpenCode 2, whose sessions are not read")


def _build_uri(file: str) -> str:
    """Return a URI that opens the database without ever blocking OpenCode.

    The first process that opens the database rebuilds the index of the write-ahead log while holding a lock. If OpenCode 1.18
    starts at that time, it exits with "database is locked", because it opens the log before it sets a timeout. If the index is
    declared read-only (``readonly_shm``, SQLite 3.22), SQLite builds an index in memory without that lock.
    """
    uri = f"{_build_file_uri(os.path.realpath(file))}?mode=ro"
    if not os.path.exists(f"{file}-wal"):
        return uri + "&immutable=1"  # no process has the database open, and in this mode SQLite creates no -shm file
    return uri + "&readonly_shm=1" if os.path.exists(f"{file}-shm") else uri


def _build_file_uri(path: str) -> str:
    """Convert an absolute path to a file URI. Except on Windows, pathlib is not imported: that would take longer than the query."""
    if os.name == "nt":
        from pathlib import Path

        return Path(path).as_uri()
    return "file://" + "".join(chr(byte) if byte in _UNESCAPED_BYTES else f"%{byte:02X}" for byte in os.fsencode(path))


def _is_locked(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def build_error(error: sqlite3.Error | UnicodeDecodeError | MemoryError) -> OSError:
    """Build the error for an unreadable database: EBUSY if another process has locked it, EINVAL if it lacks OpenCode's
    tables or columns, otherwise EIO.
    """
    if _is_locked(error):
        return OSError(errno.EBUSY, "another program has locked the database; try again later")
    is_of_another_program = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    number = errno.EINVAL if is_of_another_program else errno.EIO
    return OSError(number, f"not a readable OpenCode database: {error}")
