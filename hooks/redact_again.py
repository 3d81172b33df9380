"""What was kept under older rules of redaction is redacted once more by those in force.

The rules are known by the digest of the modules that hold them (redaction/secrets.py: ``version``), so that none is
forgotten; which version each table has reached, and how far, stands in the state database. Rows are rewritten in batches
of one transaction each, so whoever is killed goes on where it was; ids, votes and times stay, texts alone change. At the
end the memory's index is built anew, and the database is rewritten, since a page that was freed keeps its bytes.

Runs behind a session's end in bounded time, and as a whole in `mind-skills prune`; no hook waits for it. Paths stay as they
are where something has to be found by them: of sessions, of skills, and in the spools, which lose secrets alone.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from mind_skills.hooks.redacted_files import redact_files
from mind_skills.hooks.redacted_rows import TABLES, Table, lifted, rewrite
from mind_skills.learning import storage as learned
from mind_skills.memory import records as remembered
from mind_skills.memory.opening import renew_index
from mind_skills.redaction.personal_choice import wanted
from mind_skills.redaction.secrets import version
from mind_skills.staging import schema as staged
from mind_skills.store.database import NAME as DATABASE
from mind_skills.store.database import Database

if TYPE_CHECKING:
    import sqlite3

PACKAGE = "redaction"
STEPS: tuple[tuple[str, ...], ...] = (
    ("CREATE TABLE redacted (part TEXT PRIMARY KEY, rules TEXT NOT NULL, upto TEXT NOT NULL) WITHOUT ROWID",),
)
"""``part`` is a table, or one of ``_LAST``; ``upto`` the key of the last row that was rewritten (JSON), or ``DONE``."""
DONE = "done"
BATCH = 100
"""Rows of one transaction: others wait for it."""
SECONDS = 20.0
"""Of one run behind a session's end."""


_LAST = ("files", "index", "pages")


def due(home: str) -> bool:
    """Whether anything may still stand there as older rules left it. Raises StoreError."""
    if not os.path.exists(os.path.join(home, DATABASE)):
        return False
    rules = in_force()
    with _opened(home) as database, database.reading() as sql:
        rows = sql.execute("SELECT part FROM redacted WHERE rules = ? AND upto = ?", (rules, DONE)).fetchall()
    return {row[0] for row in rows} != {*(table.name for table in TABLES), *_LAST}


def in_force() -> str:
    """The rules of this process by name: those of the package, and whether personal data is taken out."""
    return f"{version()}{'+personal' if wanted() else ''}"


def redact_again(home: str, at: int, seconds: float = SECONDS, step: Callable[[], None] = lambda: None) -> bool:
    """Go on with what is due for at most ``seconds``, and a batch; whether all is done. ``at`` is UTC milliseconds,
    ``step`` is called after each batch.

    Raises StoreError, OSError.
    """
    if not due(home):
        return True
    rules, until = in_force(), time.monotonic() + seconds
    with _opened(home) as database:
        database.sql.execute("PRAGMA secure_delete = ON")  # what a row leaves in its page goes as well
        for table in TABLES:
            while (upto := _upto(database, table.name, rules)) != DONE:
                _batch(database, table, rules, upto)
                step()
                if time.monotonic() > until:
                    return False
        last: tuple[Callable[[], object], ...] = (
            lambda: redact_files(home, database, at),
            lambda: renew_index(home),
            database.shrink,  # a page that was freed long ago still holds what stood on it
        )
        for part, work in zip(_LAST, last, strict=True):
            if _upto(database, part, rules) != DONE:
                work()
                with database.writing() as sql:
                    _note(sql, part, rules, DONE)
                step()
    return True


def _opened(home: str) -> Database:
    for package, steps in (
        (staged.PACKAGE, staged.STEPS),
        (learned.PACKAGE, learned.STEPS),
        (remembered.PACKAGE, remembered.STEPS),
    ):
        Database.open(home, package, steps).close()
    return Database.open(home, PACKAGE, STEPS)


def _upto(database: Database, part: str, rules: str) -> str:
    with database.reading() as sql:
        row = sql.execute("SELECT upto FROM redacted WHERE part = ? AND rules = ?", (part, rules)).fetchone()
    return str(row[0]) if row else ""


def _note(sql: sqlite3.Connection, part: str, rules: str, upto: str) -> None:
    sql.execute("INSERT OR REPLACE INTO redacted VALUES (?, ?, ?)", (part, rules, upto))


def _batch(database: Database, table: Table, rules: str, upto: str) -> None:
    """Rewrite the next rows of a table, in one transaction with the note of how far it got."""
    columns = (*table.key, *table.texts, *table.documents, *table.places)
    key = ", ".join(table.key)
    after = f"WHERE ({key}) > ({', '.join('?' * len(table.key))})" if upto else ""
    with database.writing() as sql:
        rows = sql.execute(
            f"SELECT {', '.join(columns)} FROM {table.name} {after} ORDER BY {key} LIMIT {BATCH}",  # noqa: S608
            json.loads(upto) if upto else (),
        ).fetchall()
        guard = lifted(sql, table.name)
        for row in rows:
            rewrite(sql, table, dict(zip(columns, row, strict=True)), row[: len(table.key)])
        if guard:
            sql.execute(guard)
        _note(sql, table.name, rules, json.dumps(rows[-1][: len(table.key)]) if len(rows) == BATCH else DONE)
