"""OpenCode's database as a file: how it is opened without being in OpenCode's way, and when it last changed.

Apart from its reader, since `mind-skills status` asks for the second, and reads no log.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing

from mind_skills.observations import opening

ATTEMPTS, STEP = 10, 0.02
"""How often it is tried to open it, and the seconds between. Once in 50,000 times (measured, beside a process that opens
it all the time) SQLite finds the index of the log half made, and says that it would have to write."""

MAGIC = b"SQLite format 3\x00"
"""How every SQLite database begins."""
ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What Python raises for a damaged one: SQLite quotes what it stumbled over, and the quote need not be UTF-8; or it asks
for as many bytes as a damaged length says."""
_PLAIN = frozenset(b"/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
"""Bytes that stand for themselves in an address (RFC 3986)."""
_ODD = (
    "SELECT name FROM sqlite_master AS known WHERE lower(name) IN ('session', 'message', 'part') AND (type <> 'table'"
    " OR sql LIKE 'CREATE VIRTUAL%' OR EXISTS (SELECT 1 FROM pragma_table_xinfo(known.name) WHERE hidden <> 0))"
)
_NEWEST = "SELECT max(time_updated) FROM session WHERE parent_id IS NULL"


def changed(path: str | os.PathLike[str]) -> int | None:
    """When a root session last changed: UTC milliseconds, None where there is none.

    Raises:
        OSError: it cannot be opened, or is no database of OpenCode.
    """
    with closing(opened(path)) as database:
        try:
            (last,) = database.execute(_NEWEST).fetchone()
        except ERRORS as error:
            raise unreadable(error) from error
    return last if isinstance(last, int) else None


def opened(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """The database in the file at ``path``, read only and as it is at this instant; to be closed.

    Raises:
        OSError: it cannot be opened, or is no database.
    """
    file = os.fspath(path)
    with opening.opened(file) as handle:  # SQLite would call a missing file a malformed one
        if handle.read(len(MAGIC)) != MAGIC:
            raise OSError(errno.EINVAL, "not an SQLite database")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _begun(file)
        except ERRORS as error:
            if attempt == ATTEMPTS or not isinstance(error, sqlite3.OperationalError):
                raise unreadable(error) from error
        time.sleep(STEP)  # OpenCode is just starting, or leaving
    raise AssertionError("unreachable")


def _begun(file: str) -> sqlite3.Connection:
    database = sqlite3.connect(_uri(file), uri=True, timeout=2)
    try:
        database.text_factory = _lenient
        database.execute("BEGIN")  # all of it as it was at one instant
        _check_schema(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_schema(database: sqlite3.Connection) -> None:
    """Any file of SQLite's may be named as a log, and one from a repository can have a view that never ends, or a column that
    is computed, where a table is looked for. Raises OSError.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    if odd := database.execute(_ODD).fetchone():
        raise OSError(errno.EINVAL, f"not a database of OpenCode: {odd[0]} is no plain table")


def _uri(file: str) -> str:
    """How to open the database without ever being in OpenCode's way.

    Whoever opens it first rebuilds the index of its write-ahead log, under a lock; an OpenCode 1.18 that starts in these
    milliseconds ends with "database is locked", because it asks for the log before it sets a timeout. Told that the
    index is read-only, SQLite makes one of its own in memory (``readonly_shm``, SQLite 3.22) and takes no such lock.
    """
    uri = f"{_address(os.path.realpath(file))}?mode=ro"
    if not os.path.exists(f"{file}-wal"):
        return uri + "&immutable=1"  # nobody is writing, and opening it unchanged leaves no -shm file beside it
    return uri + "&readonly_shm=1" if os.path.exists(f"{file}-shm") else uri


def _address(path: str) -> str:
    """An absolute path as an address of SQLite's; pathlib has that, too, and takes longer to import than to ask all of this."""
    if os.name == "nt":
        from pathlib import Path

        return Path(path).as_uri()
    return "file://" + "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(path))


def _lenient(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def unreadable(error: sqlite3.Error | UnicodeDecodeError | MemoryError) -> OSError:
    """The error of a database that cannot be read."""
    return OSError(errno.EIO, f"not a readable OpenCode database: {error}")
