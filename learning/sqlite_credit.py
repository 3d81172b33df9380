"""Credit that lasts: its storages in the state database, each of its steps one transaction, and the decisions journal.

A process that is killed over a vote leaves all of it or nothing: the vote, what became of the strategy, and how to take
it back. Every method may raise StoreError.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager

from mind_skills.learning.credit import Credit
from mind_skills.learning.decisions import MOST, Decision, from_text, to_text
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.sqlite_storage import SqliteMaturityStorage, SqlitePatternStorage
from mind_skills.store.database import Database

_COLUMNS = "id, project, pattern_id, what, source, at, before"


class Joined:
    """A database whose transactions, while one is open, are that one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._open: sqlite3.Connection | None = None

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """As Database.writing."""
        return self._joined(self._database.writing())

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """As Database.reading."""
        return self._joined(self._database.reading())

    @contextmanager
    def _joined(self, transaction: AbstractContextManager[sqlite3.Connection]) -> Generator[sqlite3.Connection]:
        if self._open is not None:
            yield self._open
            return
        with transaction as sql:
            self._open = sql
            try:
                yield sql
            finally:
                self._open = None


class SqliteDecisionStorage:
    """Decisions, and the votes that were taken back."""

    def __init__(self, database: Database | Joined) -> None:
        self._database = database

    def add(self, decision: Decision) -> None:
        """Keep a decision, and let go of the oldest beyond ``MOST``."""
        with self._database.writing() as sql:
            sql.execute(
                f"INSERT INTO decisions ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                (
                    decision.id,
                    decision.project,
                    decision.pattern_id,
                    decision.what,
                    decision.source,
                    decision.at,
                    to_text(decision.before),
                ),
            )
            sql.execute(
                "DELETE FROM decisions WHERE n <= (SELECT n FROM decisions ORDER BY n DESC LIMIT 1 OFFSET ?)", (MOST,)
            )

    def last(self, project: str) -> Decision | None:
        """The newest decision in a project that has not been taken back."""
        found = self._rows("project = ? ORDER BY n DESC LIMIT 1", project)
        return found[0] if found else None

    def of(self, pattern_id: str) -> Sequence[Decision]:
        """The decisions about a strategy, the oldest first."""
        return self._rows("pattern_id = ? ORDER BY n", pattern_id)

    def remove(self, decision_id: str) -> None:
        """Forget a decision; harmless where there is none of that id."""
        with self._database.writing() as sql:
            sql.execute("DELETE FROM decisions WHERE id = ?", (decision_id,))

    def refuse(self, pattern_id: str, source: str, *, refused: bool = True) -> None:
        """Count no vote of a source on a strategy any more, or count them again."""
        with self._database.writing() as sql:
            if refused:
                sql.execute("INSERT OR IGNORE INTO refused_votes VALUES (?, ?)", (pattern_id, source))
            else:
                sql.execute("DELETE FROM refused_votes WHERE pattern_id = ? AND source = ?", (pattern_id, source))

    def refused(self, pattern_id: str) -> set[str]:
        """Whose votes on a strategy were taken back."""
        with self._database.reading() as sql:
            rows = sql.execute("SELECT source FROM refused_votes WHERE pattern_id = ?", (pattern_id,))
            return {row[0] for row in rows.fetchall()}

    def _rows(self, where: str, value: str) -> list[Decision]:
        with self._database.reading() as sql:
            rows = sql.execute(f"SELECT {_COLUMNS} FROM decisions WHERE {where}", (value,)).fetchall()  # noqa: S608
        return [
            Decision(project, pattern, what, at, from_text(before), source, id_)
            for id_, project, pattern, what, source, at, before in rows
        ]


def lasting_credit(database: Database, rules: Rules = DEFAULTS) -> Credit:
    """Credit over the state database, by the numbers of ``rules``."""
    joined = Joined(database)
    return Credit(
        SqlitePatternStorage(joined),
        SqliteMaturityStorage(joined),
        SqliteDecisionStorage(joined),
        inversion=rules.anti_pattern,
        stages=rules.maturity,
        whole=joined.writing,
    )
