"""The SQLite database of the state folder, shared by every process of every session.

WAL and synchronous=NORMAL: readers never wait, a crash loses nothing that was committed before the last checkpoint of
the log, and 16 processes writing at once lost nothing when measured. Every write is one BEGIN IMMEDIATE transaction,
so whoever reads and then writes inside it is alone. Each package brings its own list of migration steps; its version
is how many of them have been applied.

The start of a session passes through here when something waits for it: ``os`` and ``sqlite3`` only.
"""

from __future__ import annotations

import os
import time

try:
    # The C half alone: the package around it imports datetime for converters that nothing here uses, and a start waits.
    import _sqlite3 as sqlite3
except ImportError:  # an interpreter other than CPython
    import sqlite3  # type: ignore[no-redef]

from mind_skills.errors import BusyDatabaseError, DamagedDatabaseError, NewerDatabaseError, UnusableDatabaseError
from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

NAME = "mind-skills.db"
_DAMAGE = (11, 26)
"""SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html)."""
_PLAIN = ("builtins", "json.decoder")
"""Where the errors are at home by which nobody says anything: a row of another form than it was written in, say."""
_ODD = (0, 1, 8)
"""No code, and SQLITE_ERROR: a statement of ours does not fit the tables, which a damaged schema would explain. SQLITE_READONLY:
one byte of the file says so as well."""
_BUSY = (5, 6)
"""SQLITE_BUSY and SQLITE_LOCKED."""


class Database:
    """An open connection. Use as a context manager, or close it.

    ``sql`` is the connection (autocommit; use ``writing`` or ``reading`` for more than one statement). ``set_aside``
    is the new path of a damaged database that this open replaced, else empty.
    """

    def __init__(self, sql: sqlite3.Connection, path: str, set_aside: str = "") -> None:
        """Use ``open``; this only holds what is given."""
        self.sql = sql
        self.path = path
        self.set_aside = set_aside

    @classmethod
    def open(
        cls,
        home: str | os.PathLike[str],
        package: str,
        steps: Sequence[Sequence[str]],
        timeout: float = 10.0,
        *,
        brief: bool = False,
    ) -> Database:
        """Open the database of the state folder ``home``, made and migrated as far as need be.

        ``steps`` are the migrations of ``package``, oldest first, each a list of single statements. ``timeout`` is
        how long to wait for other processes, in seconds, at each statement. ``brief`` is for one small transaction of a
        process that somebody waits for: where it begins a new log it does not wait for the disk.

        Raises NewerDatabaseError, BusyDatabaseError, UnusableDatabaseError, HomeError. A damaged database is renamed, with its log
        files, to the first free ``mind-skills.db.corrupt-<n>``, and a new one takes its place.
        """
        path = os.path.join(ensure(home), NAME)
        set_aside = ""
        try:
            if os.path.exists(f"{path}.damaged"):
                set_aside = _set_aside(path)
            try:
                sql = _connect(path, package, steps, timeout, brief=brief)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                if not _is_damage(error):
                    raise
                set_aside = _set_aside(path)
                sql = _connect(path, package, steps, timeout)
        except (sqlite3.Error, OSError) as error:
            raise _named(error, path) from error
        return cls(sql, path, set_aside)

    @classmethod
    def in_memory(cls, steps: Sequence[Sequence[str]]) -> Database:
        """A database that ends with the object, with the tables that ``steps`` make."""
        import weakref

        sql = sqlite3.connect(":memory:", isolation_level=None)
        for statement in (statement for step in steps for statement in step):
            sql.execute(statement)
        made = cls(sql, "")
        weakref.finalize(made, sql.close)  # nobody closes a storage that was given no database
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; harmless when repeated."""
        self.sql.close()

    def writing(self) -> Transaction:
        """A transaction in which this process alone writes: committed at the end, rolled back by an exception."""
        return Transaction(self, "BEGIN IMMEDIATE")

    def reading(self) -> Transaction:
        """A transaction in which everything is read from one moment."""
        return Transaction(self, "BEGIN DEFERRED")

    def shrink(self) -> None:
        """Give free pages back to the disk, and the log's. Raises BusyDatabaseError, DamagedDatabaseError, UnusableDatabaseError."""
        try:
            self.sql.execute("VACUUM")
            self.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise _named(error, self.path) from error


class Transaction:
    """From ``with`` to its end; gives the connection. Inside of another one of its database it is a part of that one.

    Raises BusyDatabaseError, DamagedDatabaseError or UnusableDatabaseError.
    """

    def __init__(self, database: Database, begin: str) -> None:
        """Use ``Database.writing`` or ``Database.reading``."""
        self._database = database
        self._begin = begin
        self._nested = False

    def __enter__(self) -> sqlite3.Connection:
        self._nested = self._database.sql.in_transaction
        if self._nested:
            return self._database.sql
        try:
            self._database.sql.execute(self._begin)
        except sqlite3.Error as error:
            raise _named(error, self._database.path) from error
        return self._database.sql

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sql = self._database.sql
        if self._nested:
            return
        if error is None:
            try:
                sql.execute("COMMIT")
                return
            except sqlite3.Error as failed:
                error = failed
        if sql.in_transaction:
            sql.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise _named(error, self._database.path) from error
        if type(error).__module__ in _PLAIN and isinstance(error, Exception) and not isinstance(error, OSError):
            _suspect(self._database.path)  # a row that held what was never put there, perhaps: the next open looks


def _connect(
    path: str, package: str, steps: Sequence[Sequence[str]], timeout: float, *, brief: bool = False
) -> sqlite3.Connection:
    new = _make(path)
    # A transaction is not waited for in any case, only the first lines of a log are: behind them there may stand what is
    # left of an older one, which a power cut must not bring back. In a file that is made now there is nothing.
    unwaited = brief and not new and not os.path.exists(f"{path}-wal")
    sql = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        sql.text_factory = _text
        sql.execute(f"PRAGMA synchronous={'OFF' if unwaited else 'NORMAL'}")
        if new or _version(sql, package) != len(steps):
            with Lock(f"{path}.lock"):
                _use_wal(sql, timeout)
                _migrate(sql, package, steps)
    except BaseException:
        sql.close()
        raise
    return sql


def _text(data: bytes) -> str:
    """A text as it stands there: one byte that a bad disk changed must not keep the whole row, and all others, from being read."""
    return data.decode("utf-8", "replace")


def _make(path: str) -> bool:
    """Create the file with the right mode before SQLite does, which gives its log files the mode of the file.

    An existing file is never opened here: closing a second descriptor would drop SQLite's locks (POSIX).
    """
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(path, flags, FILE_MODE))
    except FileExistsError:
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            os.chmod(path, FILE_MODE)
        return False
    return True


def _use_wal(sql: sqlite3.Connection, timeout: float) -> None:
    """Changing the mode needs the file for itself and does not wait for it, so the waiting is done here.

    Where the file system cannot share memory the answer is another mode, and the database works on in that one.
    """
    pause = 0.01
    for attempt in range(1, 2 + int(timeout / pause)):
        try:
            sql.execute("PRAGMA journal_mode=WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or attempt * pause > timeout:
                raise
        time.sleep(pause)


def _version(sql: sqlite3.Connection, package: str) -> int:
    known = sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'versions'").fetchone()
    if known is None:
        return 0
    row = sql.execute("SELECT version FROM versions WHERE package = ?", (package,)).fetchone()
    return int(row[0]) if row else 0


def _migrate(sql: sqlite3.Connection, package: str, steps: Sequence[Sequence[str]]) -> None:
    sql.execute("BEGIN IMMEDIATE")
    try:
        sql.execute("CREATE TABLE IF NOT EXISTS versions (package TEXT PRIMARY KEY, version INTEGER NOT NULL)")
        for step in steps[_known(sql, package, len(steps)) :]:
            for statement in step:
                sql.execute(statement)
        sql.execute("INSERT OR REPLACE INTO versions VALUES (?, ?)", (package, len(steps)))
        sql.execute("COMMIT")
    except BaseException:
        if sql.in_transaction:
            sql.execute("ROLLBACK")
        raise


def _known(sql: sqlite3.Connection, package: str, newest: int) -> int:
    found = _version(sql, package)
    if found > newest:
        raise NewerDatabaseError(
            f"the {package} part of the database has version {found}, this mind-skills knows {newest}"
        )
    return found


def _set_aside(path: str) -> str:
    """Rename a damaged database and its log files; empty if another process has done so, or if it proves sound."""
    with Lock(f"{path}.lock"):
        sound = _is_sound(path)
        aside = ""
        if not sound:
            number = 1
            while any(os.path.exists(f"{path}.corrupt-{number}{end}") for end in ("", "-wal", "-shm")):
                number += 1
            aside = f"{path}.corrupt-{number}"
            for end in ("-wal", "-shm", ""):
                if os.path.exists(path + end):
                    os.rename(path + end, aside + end)
        if os.path.exists(f"{path}.damaged"):
            os.unlink(f"{path}.damaged")
    return aside


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
    """Whether the file itself says that it is not to be written (byte 18, sqlite.org/fileformat2.html), which ours never do."""
    if not os.access(path, os.W_OK):
        return False  # it is the system that says so
    try:
        sql.execute("PRAGMA busy_timeout = 0")  # a process that is writing shows that it can be written
        sql.execute("BEGIN IMMEDIATE")
        sql.execute("PRAGMA user_version = 0")  # the first that would be written; rolled back
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY
    finally:
        if sql.in_transaction:
            sql.execute("ROLLBACK")
    return False


def _is_damage(error: sqlite3.Error | UnicodeDecodeError) -> bool:
    """Whether it says that the file is damaged. Of a table's damaged text SQLite says which, in bytes that are no UTF-8."""
    return isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGE


def _code(error: sqlite3.Error) -> int:
    """The primary result code: the low byte (sqlite.org/rescode.html); 0 where there is none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _suspect(path: str) -> None:
    """Have whoever opens the database next look whether it is damaged."""
    if not path:
        return  # it is in memory
    try:
        os.close(os.open(f"{path}.damaged", os.O_WRONLY | os.O_CREAT, FILE_MODE))
    except OSError:
        return  # a full disk, say: what is told is the error that led here, and whoever meets it again tries again


def _named(error: sqlite3.Error | OSError, path: str) -> Exception:
    code = _code(error) if isinstance(error, sqlite3.Error) else 0
    if code in _DAMAGE:
        _suspect(path)
        return DamagedDatabaseError(f"{path} is damaged: {error}")
    if code in _BUSY:
        return BusyDatabaseError(f"{path} is held by other processes")
    if isinstance(error, sqlite3.ProgrammingError | sqlite3.IntegrityError):
        return error
    if isinstance(error, sqlite3.Error) and code in _ODD:
        _suspect(path)
    return UnusableDatabaseError(f"{path}: {error}")
