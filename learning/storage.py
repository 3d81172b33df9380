"""Stores feedback, task errors, patterns, maturity and votes (the specification's storage interfaces) in the state
database, or in memory. Each method is one transaction, or part of the open one, and may raise StoreError. ``n`` is
the insertion order, times are UTC ms, lists JSON. A source has one vote on a pattern; a withdrawn one has weight 0
until it expires, so that the team's sums follow. ``decisions`` has the states before each, for undo.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.criteria import FeedbackEvent
from mind_skills.learning.errors import (
    ERROR_TYPES,
    ErrorEntry,
    ErrorStats,
    ErrorType,
    UnknownErrorTypeError,
    count_errors,
)
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity
from mind_skills.learning.scoring import FeedbackType
from mind_skills.store.database import Database, Schema
from mind_skills.store.light_dataclasses import dataclass, replace

SCHEMA = Schema(
    "learning",
    (
        (
            """CREATE TABLE feedback (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, criterion TEXT NOT NULL, type TEXT NOT NULL, at INTEGER,
            raw_value REAL NOT NULL, context TEXT NOT NULL, task_id TEXT NOT NULL, timestamp TEXT NOT NULL)""",
            "CREATE INDEX feedback_of_criterion ON feedback (criterion)",
            "CREATE INDEX feedback_of_task ON feedback (task_id)",
            """CREATE TABLE task_errors (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task_id TEXT NOT NULL, error_type TEXT NOT NULL,
            message TEXT NOT NULL, at INTEGER NOT NULL, resolved INTEGER NOT NULL, stack_trace TEXT NOT NULL,
            tool_name TEXT NOT NULL, context TEXT NOT NULL)""",
            "CREATE INDEX task_errors_of_task ON task_errors (task_id)",
            """CREATE TABLE patterns (
            n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL, kind TEXT NOT NULL,
            is_negative INTEGER NOT NULL, success_count INTEGER NOT NULL, failure_count INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, reason TEXT NOT NULL, tags TEXT NOT NULL,
            example_tasks TEXT NOT NULL, inverted_to TEXT NOT NULL)""",
            """CREATE TABLE maturities (
            n INTEGER PRIMARY KEY, pattern_id TEXT NOT NULL UNIQUE, state TEXT NOT NULL,
            helpful_count INTEGER NOT NULL, harmful_count INTEGER NOT NULL, last_validated INTEGER,
            promoted_at INTEGER, deprecated_at INTEGER, reason TEXT NOT NULL, pinned INTEGER NOT NULL)""",
            """CREATE TABLE maturity_feedback (
            n INTEGER PRIMARY KEY, pattern_id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER, weight REAL NOT NULL,
            source TEXT NOT NULL)""",
            "CREATE INDEX maturity_feedback_of ON maturity_feedback (pattern_id)",
            "CREATE UNIQUE INDEX one_vote ON maturity_feedback (pattern_id, source) WHERE source != ''",
        ),
        (
            """CREATE TABLE task_plans (
            n INTEGER PRIMARY KEY, project TEXT NOT NULL, task_id TEXT NOT NULL, task TEXT NOT NULL,
            context TEXT NOT NULL, session TEXT NOT NULL, named INTEGER NOT NULL, done_as TEXT NOT NULL,
            at INTEGER NOT NULL, UNIQUE (project, task_id))""",
            """CREATE TABLE task_outcomes (
            n INTEGER PRIMARY KEY, project TEXT NOT NULL, task_id TEXT NOT NULL, said_by TEXT NOT NULL,
            session TEXT NOT NULL, success INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
            error_count INTEGER NOT NULL, retry_count INTEGER NOT NULL, files_touched TEXT NOT NULL,
            strategy TEXT NOT NULL, strategies TEXT NOT NULL, failure_mode TEXT NOT NULL,
            failure_details TEXT NOT NULL, agent_name TEXT NOT NULL, summary TEXT NOT NULL, type TEXT NOT NULL,
            score REAL NOT NULL, reasoning TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (project, task_id))""",
            "CREATE INDEX task_outcomes_of_session ON task_outcomes (session) WHERE session != ''",
        ),
        (
            """CREATE TABLE decisions (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL,
            pattern_id TEXT NOT NULL, what TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL,
            before TEXT NOT NULL)""",
            "CREATE INDEX decisions_in ON decisions (project, n)",
            "CREATE INDEX decisions_of ON decisions (pattern_id)",
            """CREATE TABLE refused_votes (
            pattern_id TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (pattern_id, source)) WITHOUT ROWID""",
            "ALTER TABLE task_errors ADD COLUMN project TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE task_errors ADD COLUMN session TEXT NOT NULL DEFAULT ''",
        ),
    ),
)

Row = TypeVar("Row")


def _parse_list(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


_DECODERS: dict[str, Callable[[Any], object]] = {
    **dict.fromkeys(("tags", "example_tasks", "files_touched", "strategies"), _parse_list),
    **dict.fromkeys(("is_negative", "resolved", "pinned", "success", "has_explicit_id"), bool),
}
"""Functions that convert stored values to types that SQLite lacks (lists and booleans), by field."""
_COLUMNS = {"has_explicit_id": "named", "completed_task_id": "done_as", "reported_by": "said_by"}
"""Maps fields to their columns where the names differ: released columns keep their names."""


class Table(Generic[Row]):
    """A table of dataclass instances, with a column for each field and ``n``. ``decoders`` convert stored values, by field."""

    def __init__(
        self,
        database: Database,
        name: str,
        row_type: type[Row],
        decoders: Mapping[str, Callable[[Any], object]] = _DECODERS,
    ) -> None:
        self.database, self.name, self._row_type, self._decoders = database, name, row_type, decoders
        names: tuple[str, ...] = vars(row_type)["__match_args__"]
        self._columns = {name: _COLUMNS.get(name, name) for name in names}

    def insert(self, row: Row, on_conflict: str, **encoded: str) -> None:
        """Insert a row. ``on_conflict`` is the ON CONFLICT clause; ``encoded`` maps fields to values already encoded as text."""
        values = [encoded.get(name, getattr(row, name)) for name in self._columns]
        values = [json.dumps(value) if isinstance(value, tuple) else value for value in values]
        columns, places = ", ".join(self._columns.values()), ", ".join("?" * len(values))
        with self.database.writing() as sql:
            sql.execute(f"INSERT INTO {self.name} ({columns}) VALUES ({places}) {on_conflict}", values)  # noqa: S608

    def put(self, row: Row, *key: str, condition: str = "") -> None:
        """Insert a row, or replace the one with the same ``key`` columns if the WHERE clause ``condition`` holds for it."""
        changes = ", ".join(f"{name} = excluded.{name}" for name in self._columns.values() if name not in key)
        self.insert(row, f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes} {condition}")

    def select(self, where: str = "1", *values: object, order: str = "n") -> list[Row]:
        """Return the rows that match ``where``, by default in insertion order."""
        query = f"SELECT {', '.join(self._columns.values())} FROM {self.name} WHERE {where} ORDER BY {order}"  # noqa: S608
        with self.database.reading() as sql:
            return [self._decode(row) for row in sql.execute(query, values).fetchall()]

    def list_all(self) -> list[Row]:
        """Return all rows, in the order of first insertion."""
        return self.select()

    def find(self, where: str, *values: object) -> Row | None:
        """Return the first matching row, or None."""
        return next(iter(self.select(where, *values)), None)

    def delete_where(self, where: str, *values: object) -> None:
        with self.database.writing() as sql:
            sql.execute(f"DELETE FROM {self.name} WHERE {where}", values)  # noqa: S608

    def keep_newest(self, limit: int, order: str = "n DESC") -> None:
        """Delete all rows except the first ``limit`` in this order."""
        self.delete_where(f"n IN (SELECT n FROM {self.name} ORDER BY {order} LIMIT -1 OFFSET ?)", limit)  # noqa: S608

    def _decode(self, row: Sequence[Any]) -> Row:
        values = dict(zip(self._columns, row, strict=True))
        decoded = {name: self._decoders[name](value) for name, value in values.items() if name in self._decoders}
        return self._row_type(**values | decoded)


def open_in_memory() -> Database:
    """Open an in-memory database with the tables of this package."""
    return Database.open_in_memory(SCHEMA)


class FeedbackStorage(Table[FeedbackEvent]):
    """Feedback events about criteria: the newest ``max_size``, or all events if ``max_size`` is None."""

    def __init__(self, database: Database | None = None, max_size: int | None = None) -> None:
        super().__init__(database or open_in_memory(), "feedback", FeedbackEvent)
        self._max_size = max_size

    def store(self, event: FeedbackEvent) -> None:
        """Store an event, unless one with the same id already exists."""
        with self.database.writing():
            self.insert(event, "ON CONFLICT (id) DO NOTHING")
            if self._max_size is not None:
                self.keep_newest(self._max_size)

    def list_by_criterion(self, criterion: str) -> list[FeedbackEvent]:
        return self.select("criterion = ?", criterion)

    def list_by_task(self, task_id: str) -> list[FeedbackEvent]:
        return self.select("task_id = ?", task_id)


class ErrorStorage(Table[ErrorEntry]):
    def __init__(self, database: Database | None = None, project_id: str = "") -> None:
        """``project_id`` limits `list_by_task` to one project, as projects may use the same task ids; empty for all."""
        super().__init__(database or open_in_memory(), "task_errors", ErrorEntry)
        self._project = project_id

    def store(self, entry: ErrorEntry) -> None:
        """Store an error, unless one with the same id already exists."""
        self.insert(entry, "ON CONFLICT (id) DO NOTHING")

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved. Return False if there is no error with this id."""
        with self.database.writing() as sql:
            return sql.execute("UPDATE task_errors SET resolved = 1 WHERE id = ?", (error_id,)).rowcount > 0

    def list_by_task(self, task_id: str) -> list[ErrorEntry]:
        """Return a task's errors in insertion order, including those whose project is unknown."""
        return self.select("task_id = ? AND (? = '' OR project IN (?, ''))", task_id, *2 * [self._project])

    def list_unresolved(self) -> list[ErrorEntry]:
        return self.select("resolved = 0")


class PatternStorage(Table[DecompositionPattern]):
    """Patterns, including anti-patterns (warnings)."""

    def __init__(self, database: Database | None = None) -> None:
        super().__init__(database or open_in_memory(), "patterns", DecompositionPattern)

    def store(self, pattern: DecompositionPattern) -> None:
        """Store a pattern, replacing the pattern with the same id."""
        self.put(pattern, "id")

    def get(self, pattern_id: str) -> DecompositionPattern | None:
        return self.find("id = ?", pattern_id)

    def remove(self, pattern_id: str) -> None:
        self.delete_where("id = ?", pattern_id)

    def list_anti_patterns(self) -> list[DecompositionPattern]:
        return self.select("kind = 'anti_pattern'")

    def list_by_tag(self, tag: str) -> list[DecompositionPattern]:
        return [pattern for pattern in self.list_all() if tag in pattern.tags]


class MaturityStorage(Table[PatternMaturity]):
    """The maturity of patterns, and the votes on them."""

    def __init__(self, database: Database | None = None) -> None:
        super().__init__(database or open_in_memory(), "maturities", PatternMaturity)
        self._votes = Table(self.database, "maturity_feedback", MaturityFeedback)

    def store(self, maturity: PatternMaturity) -> None:
        """Store the maturity of a pattern, replacing the previous one."""
        self.put(maturity, "pattern_id")

    def get(self, pattern_id: str) -> PatternMaturity | None:
        return self.find("pattern_id = ?", pattern_id)

    def add_vote(self, event: MaturityFeedback) -> None:
        """Store a vote; unless its source is empty, it replaces the source's previous vote on the same pattern."""
        changes = "type = excluded.type, at = excluded.at, weight = excluded.weight"
        self._votes.insert(event, f"ON CONFLICT (pattern_id, source) WHERE source != '' DO UPDATE SET {changes}")

    def withdraw_vote(self, pattern_id: str, source: str) -> None:
        self._withdraw("pattern_id = ? AND source = ? AND source != ''", pattern_id, source)

    def delete(self, pattern_id: str) -> None:
        """Delete a pattern's maturity, and withdraw every vote on it."""
        with self.database.writing():
            self.delete_where("pattern_id = ?", pattern_id)
            self._withdraw("pattern_id = ?", pattern_id)

    def list_votes(self, pattern_id: str) -> list[MaturityFeedback]:
        """Return the votes on a pattern that were not withdrawn, in insertion order."""
        return self._votes.select("pattern_id = ? AND weight > 0", pattern_id)

    def _withdraw(self, where: str, *values: str) -> None:
        with self.database.writing() as sql:
            sql.execute(f"UPDATE maturity_feedback SET weight = 0 WHERE {where}", values)  # noqa: S608


def delete_expired(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Delete votes, feedback, errors, plans and outcomes older than ``before`` (UTC ms); return the numbers by table.

    A row remains if one of the 100 preceding rows is not older: then the clock was wrong.
    """
    return {
        table: sql.execute(
            f"DELETE FROM {table} WHERE at < :before AND NOT EXISTS (SELECT 1 FROM {table} AS prior WHERE"  # noqa: S608
            f" prior.n < {table}.n AND prior.n >= {table}.n - 100 AND prior.at >= :before)",
            {"before": before},
        ).rowcount
        for table in ("maturity_feedback", "feedback", "task_errors", "task_plans", "task_outcomes")
    }


def create_error_id(entry: ErrorEntry) -> str:
    """Return a random id, so that two errors in the same millisecond differ."""
    return f"err_{uuid.uuid4().hex}"


class ErrorAccumulator:
    """Records the errors of tasks, with the project and session if known, and lists and counts them."""

    def __init__(
        self,
        storage: ErrorStorage,
        create_id: Callable[[ErrorEntry], str] = create_error_id,
        *,
        project_id: str = "",
        session_id: str = "",
    ) -> None:
        self._storage, self._create_id, self._project, self._session = storage, create_id, project_id, session_id
        self.resolve = storage.resolve

    def record(
        self,
        task_id: str,
        error_type: ErrorType,
        message: str,
        *,
        at: int,
        stack_trace: str = "",
        tool_name: str = "",
        context: str = "",
    ) -> ErrorEntry:
        """Store and return an error that occurred at ``at`` (UTC ms). Raises UnknownErrorTypeError."""
        if error_type not in ERROR_TYPES:
            raise UnknownErrorTypeError(error_type)
        entry = ErrorEntry("", task_id, error_type, message, at, False, stack_trace, tool_name, context)
        entry = replace(entry, id=self._create_id(entry), project=self._project, session=self._session)
        self._storage.store(entry)
        return entry

    def list_errors(self, task_id: str, *, include_resolved: bool = True) -> Sequence[ErrorEntry]:
        return [entry for entry in self._storage.list_by_task(task_id) if include_resolved or not entry.resolved]

    def count_errors(self, task_id: str) -> ErrorStats:
        return count_errors(self.list_errors(task_id))


# -- The plans of tasks, and their reported outcomes: the specification's `OutcomeSignals`, and who reported them --

Reporter = Literal["user", "agent"]
"""A person at the command line, or an agent through the tools. An agent cannot overwrite what a person reported."""
MAX_ROWS = 5_000
"""Maximum number of plans, and of outcomes; when there are more, the oldest are deleted."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A planned task (``task_id``: `bead_id`), started at ``at`` (UTC ms), in a host's session or an agent's
    connection. Without ``has_explicit_id`` the id is derived from the text; ``completed_task_id`` is that of its
    outcome, if another.
    """

    project: str
    task_id: str
    task: str
    context: str = ""
    session: str = ""
    has_explicit_id: bool = True
    completed_task_id: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """How a task ended, in the specification's names except ``task_id`` (`bead_id`) and ``at`` (`timestamp`, UTC ms).
    ``score`` (0.14 to 1.0) is before decay, ``strategies`` are those that ``strategy`` names, ``duration_ms`` is 0
    if unknown.
    """

    project: str
    task_id: str
    reported_by: Reporter
    session: str
    success: bool
    duration_ms: int
    error_count: int
    retry_count: int
    files_touched: tuple[str, ...]
    strategy: str
    strategies: tuple[str, ...]
    failure_mode: str
    failure_details: str
    agent_name: str
    summary: str
    type: FeedbackType
    score: float
    reasoning: str
    at: int


class TaskStorage:
    """At most one plan and one outcome per project and task. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._plans = Table(database, "task_plans", TaskPlan)
        self._outcomes = Table(database, "task_outcomes", TaskOutcome)

    def put_plan(self, plan: TaskPlan) -> None:
        """Store a plan, replacing the task's previous plan."""
        with self._plans.database.writing():
            self._plans.put(plan, "project", "task_id")
            self._plans.keep_newest(MAX_ROWS, "at DESC, n DESC")

    def get_plan(self, project_id: str, task_id: str) -> TaskPlan | None:
        """Return the plan of the task that has this id or was completed under it, or None."""
        plans = self._plans.select("project = ? AND (task_id = ? OR done_as = ?)", project_id, task_id, task_id)
        return max(plans, key=lambda plan: (plan.task_id == task_id, plan.at), default=None)

    def get_open_plan_without_id(self, project_id: str, session_id: str) -> TaskPlan | None:
        """Return a session's newest plan without an id that has no outcome, under another id or later under its own."""
        where = (
            "project = ? AND session = ? AND session != '' AND named = 0 AND done_as = '' AND NOT EXISTS"
            " (SELECT 1 FROM task_outcomes AS outcome WHERE outcome.project = task_plans.project"
            " AND outcome.task_id = task_plans.task_id AND outcome.at >= task_plans.at)"
        )
        return max(self._plans.select(where, project_id, session_id), key=lambda plan: plan.at, default=None)

    def put_outcome(self, outcome: TaskOutcome) -> None:
        """Store an outcome, replacing the task's previous outcome. An agent's report does not replace a person's."""
        with self._outcomes.database.writing():
            condition = "WHERE said_by != 'user' OR excluded.said_by = 'user'"
            self._outcomes.put(outcome, "project", "task_id", condition=condition)
            self._outcomes.keep_newest(MAX_ROWS, "at DESC, n DESC")

    def get_outcome(self, project_id: str, task_id: str) -> TaskOutcome | None:
        return self._outcomes.find("project = ? AND task_id = ?", project_id, task_id)

    def list_outcomes(self, project_id: str) -> list[TaskOutcome]:
        """Return the outcomes of a project's tasks, oldest first."""
        return self._outcomes.select("project = ?", project_id, order="at, n")

    def list_outcomes_by_session(self, session_id: str) -> list[TaskOutcome]:
        """Return the outcomes of the tasks that a session completed, oldest first; empty if ``session_id`` is empty."""
        return self._outcomes.select("session = ? AND session != ''", session_id, order="at, n")
