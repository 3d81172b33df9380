"""The storages that last: the same interfaces as in memory, in the state database.

Each method is one transaction, so that counts stay exact however many processes write. Every method may raise StoreError.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, fields
from typing import Any, Protocol

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.errors import ErrorEntry
from mind_skills.learning.feedback import FeedbackEvent
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity


class Transactions(Protocol):
    """What a storage needs of a database (store/database.py)."""

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction in which this process alone writes."""
        ...

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction in which everything is read from one moment."""
        ...


_LISTS = ("tags", "example_tasks")
_FLAGS = ("is_negative", "resolved", "pinned")


class _Table:
    """Rows of one dataclass: its fields are the columns."""

    def __init__(self, name: str, kind: type[Any]) -> None:
        self.name, self.kind = name, kind
        self.columns = [field.name for field in fields(kind)]

    def insert(self, sql: sqlite3.Connection, row: object, conflict: str) -> None:
        """Insert the row; ``conflict`` says what to do where its key is taken."""
        marks = ", ".join("?" * len(self.columns))
        values = [json.dumps(value) if isinstance(value, tuple) else value for value in astuple(row)]  # type: ignore[call-overload]
        text = f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({marks}) {conflict}"  # noqa: S608
        sql.execute(text, values)

    def put(self, sql: sqlite3.Connection, row: object, key: str) -> None:
        """Insert the row in place of the one with its key, where that one stands."""
        others = ", ".join(f"{name} = excluded.{name}" for name in self.columns if name != key)
        self.insert(sql, row, f"ON CONFLICT ({key}) DO UPDATE SET {others}")

    def rows(self, sql: sqlite3.Connection, where: str = "1", values: Iterable[object] = ()) -> list[Any]:
        """The rows that a condition of ours selects, in the order in which they came."""
        text = f"SELECT {', '.join(self.columns)} FROM {self.name} WHERE {where} ORDER BY n"  # noqa: S608
        return [self._row(dict(zip(self.columns, row, strict=True))) for row in sql.execute(text, tuple(values))]

    def _row(self, values: dict[str, Any]) -> Any:
        for name in self.columns:
            if name in _LISTS:
                values[name] = tuple(json.loads(values[name]))
            elif name in _FLAGS:
                values[name] = bool(values[name])
        return self.kind(**values)


_FEEDBACK = _Table("feedback", FeedbackEvent)
_ERRORS = _Table("task_errors", ErrorEntry)
_PATTERNS = _Table("patterns", DecompositionPattern)
_MATURITIES = _Table("maturities", PatternMaturity)
_VOTES = _Table("maturity_feedback", MaturityFeedback)


class SqliteFeedbackStorage:
    """Judgements about criteria."""

    def __init__(self, database: Transactions) -> None:
        self._database = database

    def store(self, event: FeedbackEvent) -> None:
        """Keep an event; one whose id is known changes nothing."""
        with self._database.writing() as sql:
            _FEEDBACK.insert(sql, event, "ON CONFLICT (id) DO NOTHING")

    def by_criterion(self, criterion: str) -> Sequence[FeedbackEvent]:
        """The events about a criterion, in the order in which they came."""
        with self._database.reading() as sql:
            return _FEEDBACK.rows(sql, "criterion = ?", [criterion])

    def by_task(self, task_id: str) -> Sequence[FeedbackEvent]:
        """The events that a task gave, in the order in which they came."""
        with self._database.reading() as sql:
            return _FEEDBACK.rows(sql, "task_id = ?", [task_id])

    def all(self) -> Sequence[FeedbackEvent]:
        """Every event, in the order in which they came."""
        with self._database.reading() as sql:
            return _FEEDBACK.rows(sql)


class SqliteErrorStorage:
    """Errors of tasks."""

    def __init__(self, database: Transactions, project: str = "") -> None:
        """``project`` (its id): whose tasks are meant. Two projects may call a task the same; empty: the tasks of all."""
        self._database, self._project = database, project

    def store(self, entry: ErrorEntry) -> None:
        """Keep an error; one whose id is known changes nothing."""
        with self._database.writing() as sql:
            _ERRORS.insert(sql, entry, "ON CONFLICT (id) DO NOTHING")

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved; False where there is none of that id."""
        with self._database.writing() as sql:
            return sql.execute("UPDATE task_errors SET resolved = 1 WHERE id = ?", (error_id,)).rowcount > 0

    def by_task(self, task_id: str) -> Sequence[ErrorEntry]:
        """The errors of a task, in the order in which they came; also those of which nobody knows the project."""
        with self._database.reading() as sql:
            where = "task_id = ? AND ? IN ('', project) OR task_id = ? AND project = ''"
            return _ERRORS.rows(sql, where, [task_id, self._project, task_id])

    def unresolved(self) -> Sequence[ErrorEntry]:
        """The errors that are not resolved, of all tasks, in the order in which they came."""
        with self._database.reading() as sql:
            return _ERRORS.rows(sql, "resolved = 0")

    def all(self) -> Sequence[ErrorEntry]:
        """Every error, in the order in which they came."""
        with self._database.reading() as sql:
            return _ERRORS.rows(sql)


class SqlitePatternStorage:
    """Patterns and warnings."""

    def __init__(self, database: Transactions) -> None:
        self._database = database

    def store(self, pattern: DecompositionPattern) -> None:
        """Keep a pattern in place of the one that has its id."""
        with self._database.writing() as sql:
            _PATTERNS.put(sql, pattern, "id")

    def change(
        self, pattern_id: str, work: Callable[[DecompositionPattern | None], DecompositionPattern]
    ) -> DecompositionPattern:
        """Put what ``work`` makes of a pattern in its place, and return it; nobody else changes it meanwhile."""
        with self._database.writing() as sql:
            found = _PATTERNS.rows(sql, "id = ?", [pattern_id])
            pattern = work(found[0] if found else None)
            _PATTERNS.put(sql, pattern, "id")
        return pattern

    def get(self, pattern_id: str) -> DecompositionPattern | None:
        """The pattern of that id."""
        with self._database.reading() as sql:
            found = _PATTERNS.rows(sql, "id = ?", [pattern_id])
        return found[0] if found else None

    def all(self) -> Sequence[DecompositionPattern]:
        """Every pattern, in the order in which they first came."""
        with self._database.reading() as sql:
            return _PATTERNS.rows(sql)

    def remove(self, pattern_id: str) -> None:
        """Forget a pattern; harmless where there is none."""
        with self._database.writing() as sql:
            sql.execute("DELETE FROM patterns WHERE id = ?", (pattern_id,))

    def anti_patterns(self) -> Sequence[DecompositionPattern]:
        """The warnings among them."""
        with self._database.reading() as sql:
            return _PATTERNS.rows(sql, "kind = 'anti_pattern'")

    def by_tag(self, tag: str) -> Sequence[DecompositionPattern]:
        """Those that carry a tag."""
        return [pattern for pattern in self.all() if tag in pattern.tags]


class SqliteMaturityStorage:
    """Where patterns stand, and the judgements that put them there."""

    def __init__(self, database: Transactions) -> None:
        self._database = database

    def store(self, maturity: PatternMaturity) -> None:
        """Keep a maturity in place of the one of its pattern."""
        with self._database.writing() as sql:
            _MATURITIES.put(sql, maturity, "pattern_id")

    def get(self, pattern_id: str) -> PatternMaturity | None:
        """The maturity of a pattern."""
        with self._database.reading() as sql:
            found = _MATURITIES.rows(sql, "pattern_id = ?", [pattern_id])
        return found[0] if found else None

    def all(self) -> Sequence[PatternMaturity]:
        """Every maturity, in the order in which they first came."""
        with self._database.reading() as sql:
            return _MATURITIES.rows(sql)

    def add_feedback(self, event: MaturityFeedback) -> None:
        """Keep a judgement, in place of the one that its source gave on this pattern before: one vote each."""
        again = "ON CONFLICT (pattern_id, source) WHERE source != '' DO UPDATE SET"
        with self._database.writing() as sql:
            _VOTES.insert(sql, event, f"{again} type = excluded.type, at = excluded.at, weight = excluded.weight")

    def withdraw(self, pattern_id: str, source: str) -> None:
        """Take back the judgement that a source gave; harmless where there is none."""
        with self._database.writing() as sql:
            values = (pattern_id, source)
            sql.execute("DELETE FROM maturity_feedback WHERE pattern_id = ? AND source = ? AND source != ''", values)

    def forget(self, pattern_id: str) -> None:
        """Forget where a pattern stands, and every judgement about it."""
        with self._database.writing() as sql:
            sql.execute("DELETE FROM maturities WHERE pattern_id = ?", (pattern_id,))
            sql.execute("DELETE FROM maturity_feedback WHERE pattern_id = ?", (pattern_id,))

    def feedback(self, pattern_id: str) -> Sequence[MaturityFeedback]:
        """The judgements about a pattern, in the order in which they came."""
        with self._database.reading() as sql:
            return _VOTES.rows(sql, "pattern_id = ?", [pattern_id])
