"""The SQLite database in the state folder: WAL and synchronous=NORMAL, so readers never wait and a power cut loses at
most the last transactions. Every write is in a BEGIN IMMEDIATE transaction. Each package has its own schema, whose
version is the number of its migrations. Session starts import this, so it imports little.
"""

from __future__ import annotations

import os
import time

try:
    # Only the C module: the package around it imports datetime for converters that are not used here, which takes long.
    import _sqlite3 as sqlite3
except ImportError:  # interpreters other than CPython
    import sqlite3  # type: ignore[no-redef]

from mind_skills.errors import BusyDatabaseError, DamagedDatabaseError, NewerDatabaseError, UnusableDatabaseError
from mind_skills.store.home import FILE_MODE, ensure_folder
from mind_skills.store.processes import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

DATABASE_NAME = "mind-skills.db"
_DAMAGE_CODES = (11, 26)
"""SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html)."""
_DATA_ERROR_MODULES = ("builtins", "json.decoder")
"""Modules whose exceptions indicate unexpected data, for example a row that does not have the form that was written."""
_SUSPICIOUS_CODES = (0, 1, 8)
"""No code or SQLITE_ERROR: perhaps the schema is damaged. SQLITE_READONLY: one damaged byte in the header can cause it."""
_BUSY_CODES = (5, 6)
"""SQLITE_BUSY and SQLITE_LOCKED."""


class Schema:
    """Tables that are migrated together. Migrations are sequences of statements; a released one never changes."""

    def __init__(self, name: str, migrations: Sequence[Sequence[str]]) -> None:
        self.name = name
        self.migrations = migrations
        self.version = len(migrations)


class Database:
    """An open connection (autocommit; see ``writing`` and ``reading``). ``set_aside`` is where a damaged database was
    moved, or "".
    """

    def __init__(self, sql: sqlite3.Connection, path: str, set_aside: str = "") -> None:
        """Internal; use ``open``."""
        self.sql = sql
        self.path = path
        self.set_aside = set_aside

    @classmethod
    def open(
        cls, home: str | os.PathLike[str], schema: Schema, timeout: float = 10.0, *, brief: bool = False
    ) -> Database:
        """Open the database of the state folder ``home``, creating and migrating it if necessary; each statement waits
        ``timeout`` seconds. ``brief`` omits the sync of a new log, for one small transaction that a user waits for.
        A damaged database is renamed and replaced. Raises NewerDatabaseError, BusyDatabaseError,
        UnusableDatabaseError, DamagedDatabaseError, HomeError.
        """
        path = os.path.join(ensure_folder(home), DATABASE_NAME)
        set_aside = ""
        try:
            if os.path.exists(f"{path}.damaged"):
                set_aside = set_aside_damaged(path)
            try:
                sql = _connect(path, schema, timeout, brief=brief)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                if not _is_damage(error):
                    raise
                set_aside = set_aside_damaged(path)
                sql = _connect(path, schema, timeout)
        except (sqlite3.Error, OSError) as error:
            raise _convert_error(error, path) from error
        return cls(sql, path, set_aside)

    @classmethod
    def open_in_memory(cls, schema: Schema) -> Database:
        """Return a temporary database with the tables of ``schema``; it exists as long as the object."""
        import weakref

        sql = sqlite3.connect(":memory:", isolation_level=None)
        for statement in (statement for migration in schema.migrations for statement in migration):
            sql.execute(statement)
        database = cls(sql, "")
        weakref.finalize(database, sql.close)  # some callers never close it
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Idempotent."""
        self.sql.close()

    def writing(self) -> Transaction:
        """Return a transaction with exclusive write access: committed at the end, rolled back by an exception."""
        return Transaction(self, "BEGIN IMMEDIATE")

    def reading(self) -> Transaction:
        """Return a transaction that reads a consistent snapshot."""
        return Transaction(self, "BEGIN DEFERRED")

    def shrink(self) -> None:
        """Return free pages to the file system and truncate the log. Raises StoreError."""
        try:
            self.sql.execute("VACUUM")
            self.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise _convert_error(error, self.path) from error


class Transaction:
    """A context manager whose ``as`` value is the connection; a nested one becomes part of the outer. Raises StoreError."""

    def __init__(self, database: Database, begin: str) -> None:
        """Internal; use ``Database.writing`` or ``Database.reading``."""
        self._database = database
        self._begin = begin
        self._is_nested = False

    def __enter__(self) -> sqlite3.Connection:
        self._is_nested = self._database.sql.in_transaction
        if self._is_nested:
            return self._database.sql
        try:
            self._database.sql.execute(self._begin)
        except sqlite3.Error as error:
            raise _convert_error(error, self._database.path) from error
        return self._database.sql

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sql = self._database.sql
        if self._is_nested:
            return
        if error is None:
            try:
                sql.execute("COMMIT")
                return
            except sqlite3.Error as commit_error:
                error = commit_error
        if sql.in_transaction:
            sql.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise _convert_error(error, self._database.path) from error
        is_about_data = type(error).__module__ in _DATA_ERROR_MODULES and not isinstance(error, OSError)
        if is_about_data and isinstance(error, Exception):
            # A row may be damaged; the next process checks the database when it opens it.
            _mark_suspect(self._database.path)


def _connect(path: str, schema: Schema, timeout: float, *, brief: bool = False) -> sqlite3.Connection:
    is_new = _create_file(path)
    # With synchronous=NORMAL, SQLite syncs outside checkpoints only the header of a restarted log: older content may follow
    # it, which a power cut must not bring back. A log file that does not exist yet has no older content.
    is_unsynced = brief and not is_new and not os.path.exists(f"{path}-wal")
    sql = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        sql.text_factory = _decode_text
        sql.execute(f"PRAGMA synchronous={'OFF' if is_unsynced else 'NORMAL'}")
        if is_new or read_version(sql, schema) != schema.version:
            with Lock(f"{path}.lock"):
                _enable_wal(sql, timeout)
                _migrate(sql, schema)
    except BaseException:
        sql.close()
        raise
    return sql


def _decode_text(data: bytes) -> str:
    """Decode text leniently: one byte changed by a bad disk must not make all rows unreadable."""
    return data.decode("utf-8", "replace")


def _create_file(path: str) -> bool:
    """Create the file with its mode; return whether it is new. An existing one is not opened: closing it would drop
    SQLite's locks.
    """
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(path, flags, FILE_MODE))
    except FileExistsError:
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            os.chmod(path, FILE_MODE)
        return False
    return True


def _enable_wal(sql: sqlite3.Connection, timeout: float) -> None:
    """Switch to WAL mode, retrying for ``timeout`` seconds, as SQLite does not wait here; without shared memory the
    mode remains.
    """
    pause = 0.01
    for attempt in range(1, 2 + int(timeout / pause)):
        try:
            sql.execute("PRAGMA journal_mode=WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if get_error_code(error) not in _BUSY_CODES or attempt * pause > timeout:
                raise
        time.sleep(pause)


def read_version(sql: sqlite3.Connection, schema: Schema) -> int:
    """Return the version of the tables of ``schema``; 0 if they do not exist yet."""
    table = sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'versions'").fetchone()
    if table is None:
        return 0
    row = sql.execute("SELECT version FROM versions WHERE package = ?", (schema.name,)).fetchone()
    return int(row[0]) if row else 0


def _migrate(sql: sqlite3.Connection, schema: Schema) -> None:
    """Apply the missing migrations in one transaction. After an error, the caller closes the connection, which rolls it back."""
    sql.execute("BEGIN IMMEDIATE")
    sql.execute("CREATE TABLE IF NOT EXISTS versions (package TEXT PRIMARY KEY, version INTEGER NOT NULL)")
    for migration in schema.migrations[_check_version(sql, schema) :]:
        for statement in migration:
            sql.execute(statement)
    sql.execute("INSERT OR REPLACE INTO versions VALUES (?, ?)", (schema.name, schema.version))
    sql.execute("COMMIT")


def _check_version(sql: sqlite3.Connection, schema: Schema) -> int:
    version = read_version(sql, schema)
    if version > schema.version:
        raise NewerDatabaseError(
            f"the {schema.name} part of the database has version {version}, but this mind-skills supports {schema.version}"
        )
    return version


def list_set_aside(home: str) -> list[str]:
    """Return the paths of the damaged databases in the state folder ``home`` that were moved, sorted."""
    prefix = f"{DATABASE_NAME}.corrupt-"
    try:
        names = os.listdir(home)
    except FileNotFoundError:
        return []
    return sorted(
        os.path.join(home, name) for name in names if name.startswith(prefix) and name[len(prefix) :].isdecimal()
    )


def describe_set_aside(path: str) -> str:
    """Return the sentence, without its end, about the damaged database that was moved to ``path``."""
    return (
        f"the database was damaged and moved to {path}: run `mind-skills replay --stage` in a project to learn again from its "
        "session logs, and remove that file once you do not need it"
    )


def set_aside_damaged(path: str) -> str:
    """Rename the database at ``path`` and its logs if it is damaged; return the new path, or "". Raises sqlite3.Error,
    OSError.
    """
    with Lock(f"{path}.lock"):
        is_sound = _is_sound(path)
        new_path = ""
        if not is_sound:
            number = 1
            while any(os.path.exists(f"{path}.corrupt-{number}{suffix}") for suffix in ("", "-wal", "-shm")):
                number += 1
            new_path = f"{path}.corrupt-{number}"
            for suffix in ("-wal", "-shm", ""):
                if os.path.exists(path + suffix):
                    os.rename(path + suffix, new_path + suffix)
        if os.path.exists(f"{path}.damaged"):
            os.unlink(f"{path}.damaged")
    return new_path


def _is_sound(path: str) -> bool:
    if not os.path.exists(path):
        return True
    sql = sqlite3.connect(path, timeout=10.0, isolation_level=None)
    try:
        return sql.execute("PRAGMA quick_check(1)").fetchone() == ("ok",) and not _is_marked_read_only(sql, path)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not _is_damage(error):
            raise
        return False
    finally:
        sql.close()


def _is_marked_read_only(sql: sqlite3.Connection, path: str) -> bool:
    """Return whether byte 18 of the file (sqlite.org/fileformat2.html) makes it read-only, which only damage can do."""
    if not os.access(path, os.W_OK):
        return False  # read-only for the system, not because of damage
    try:
        sql.execute("PRAGMA busy_timeout = 0")  # if another process is writing, the file is not read-only
        sql.execute("BEGIN IMMEDIATE")
        sql.execute("PRAGMA user_version = 0")  # fails if the file is read-only; rolled back if not
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY
    finally:
        if sql.in_transaction:
            sql.execute("ROLLBACK")
    return False


def _is_damage(error: sqlite3.Error | UnicodeDecodeError) -> bool:
    """Return whether an error indicates a damaged file. SQLite reports damaged table text as invalid UTF-8."""
    return isinstance(error, UnicodeDecodeError) or get_error_code(error) in _DAMAGE_CODES


def get_error_code(error: sqlite3.Error) -> int:
    """Return the primary result code, the low byte (sqlite.org/rescode.html); 0 if there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _mark_suspect(path: str) -> None:
    """Mark the database, so that the next process that opens it checks it for damage."""
    if not path:
        return  # an in-memory database
    try:
        os.close(os.open(f"{path}.damaged", os.O_WRONLY | os.O_CREAT, FILE_MODE))
    except OSError:
        return  # for example a full disk; the caller raises the original error, and the next error like it tries again


def _convert_error(error: sqlite3.Error | OSError, path: str) -> Exception:
    code = get_error_code(error) if isinstance(error, sqlite3.Error) else 0
    if code in _DAMAGE_CODES:
        _mark_suspect(path)
        return DamagedDatabaseError(f"{path} is damaged: {error}")
    if code in _BUSY_CODES:
        return BusyDatabaseError(f"{path} is locked by other processes")
    if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
        return error
    if isinstance(error, sqlite3.Error) and code in _SUSPICIOUS_CODES:
        _mark_suspect(path)
    return UnusableDatabaseError(f"{path}: {error}")
