"""A database that may be damaged: looked at as a whole, and put aside under another name where it is."""

from __future__ import annotations

import os
import sqlite3

from mind_skills.store.database import is_damage
from mind_skills.store.lock import Lock


def replace_damaged(path: str) -> str:
    """Rename a damaged database and its log files; empty if another process has done so, or if it proves sound."""
    with Lock(f"{path}.lock"):
        sound = _sound(path)
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


def _sound(path: str) -> bool:
    if not os.path.exists(path):
        return True
    sql = sqlite3.connect(path, timeout=10.0, isolation_level=None)
    try:
        return sql.execute("PRAGMA quick_check(1)").fetchone() == ("ok",) and not _marked_read_only(sql, path)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_damage(error):
            raise
        return False
    finally:
        sql.close()


def _marked_read_only(sql: sqlite3.Connection, path: str) -> bool:
    """Whether the file itself says that it is not to be written (byte 18, sqlite.org/fileformat2.html), which ours never do."""
    if not os.access(path, os.W_OK):
        return False  # it is the system that says so
    try:
        sql.execute("BEGIN IMMEDIATE")
        sql.execute("PRAGMA user_version = 0")  # the first that would be written; rolled back
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_READONLY
    finally:
        if sql.in_transaction:
            sql.execute("ROLLBACK")
    return False
