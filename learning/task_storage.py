"""Where plans and outcomes of tasks are kept: one of each for a task of a project, in the state database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

from mind_skills.learning.tasks import TaskOutcome, TaskPlan
from mind_skills.store.database import Database

MOST = 5_000
"""Plans, and outcomes, that are kept; the oldest go."""
_LISTS, _FLAGS = ("files_touched", "strategies"), ("success", "named")
_PLAN = [field.name for field in fields(TaskPlan)]
_OUTCOME = [field.name for field in fields(TaskOutcome)]
Row = TypeVar("Row", TaskPlan, TaskOutcome)


class TaskStorage:
    """Plans and outcomes by project and task. Each method is one transaction and may raise StoreError."""

    def __init__(self, database: Database) -> None:
        """``database`` is open with the steps of learning/tables.py."""
        self._database = database

    def put_plan(self, plan: TaskPlan) -> None:
        """Keep a plan in place of the one of its task."""
        with self._database.writing() as sql:
            _put(sql, "task_plans", _PLAN, plan)

    def plan(self, project: str, task_id: str) -> TaskPlan | None:
        """The plan of a task: by its own id, or by the one under which it was finished."""
        values = (project, task_id, task_id)
        with self._database.reading() as sql:
            found = _rows(sql, TaskPlan, _PLAN, "task_plans WHERE project = ? AND (task_id = ? OR done_as = ?)", values)
        return max(found, key=lambda plan: (plan.task_id == task_id, plan.at), default=None)

    def open_plan(self, project: str, session: str) -> TaskPlan | None:
        """The plan that a session made last without naming its task, and that nobody has finished yet."""
        where = "task_plans WHERE project = ? AND session = ? AND session != '' AND named = 0 AND done_as = ''"
        with self._database.reading() as sql:
            found = _rows(sql, TaskPlan, _PLAN, where, (project, session))
        return max(found, key=lambda plan: plan.at, default=None)

    def put_outcome(self, outcome: TaskOutcome) -> None:
        """Keep an outcome in place of the one of its task; an agent's never takes the place of a person's."""
        with self._database.writing() as sql:
            _put(sql, "task_outcomes", _OUTCOME, outcome, "WHERE said_by != 'user' OR excluded.said_by = 'user'")

    def outcome(self, project: str, task_id: str) -> TaskOutcome | None:
        """The outcome of a task."""
        with self._database.reading() as sql:
            found = _rows(
                sql, TaskOutcome, _OUTCOME, "task_outcomes WHERE project = ? AND task_id = ?", (project, task_id)
            )
        return found[0] if found else None

    def outcomes(self, project: str) -> Sequence[TaskOutcome]:
        """The outcomes of a project's tasks, the oldest first."""
        with self._database.reading() as sql:
            return _rows(sql, TaskOutcome, _OUTCOME, "task_outcomes WHERE project = ? ORDER BY at, n", (project,))

    def of_session(self, session: str) -> Sequence[TaskOutcome]:
        """The outcomes of the tasks that a session finished, the oldest first; none for an empty name."""
        where = "task_outcomes WHERE session = ? AND session != '' ORDER BY at, n"
        with self._database.reading() as sql:
            return _rows(sql, TaskOutcome, _OUTCOME, where, (session,))


def _put(
    sql: sqlite3.Connection, table: str, columns: list[str], row: TaskPlan | TaskOutcome, unless: str = ""
) -> None:
    values = [getattr(row, name) for name in columns]
    values = [json.dumps(value) if isinstance(value, tuple) else value for value in values]
    others = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in ("project", "task_id"))
    sql.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 -- names of ours
        f" ON CONFLICT (project, task_id) DO UPDATE SET {others} {unless}",
        values,
    )
    beyond = f"SELECT n FROM {table} ORDER BY at DESC, n DESC LIMIT -1 OFFSET {MOST}"  # noqa: S608
    sql.execute(f"DELETE FROM {table} WHERE n IN ({beyond})")  # noqa: S608


def _rows(
    sql: sqlite3.Connection, kind: type[Row], columns: list[str], rest: str, values: Sequence[object]
) -> list[Row]:
    text = f"SELECT {', '.join(columns)} FROM {rest}"  # noqa: S608 -- names of ours
    return [kind(**_read(dict(zip(columns, row, strict=True)))) for row in sql.execute(text, values)]


def _read(values: dict[str, Any]) -> dict[str, Any]:
    lists = {name: tuple(json.loads(values[name])) for name in _LISTS if name in values}
    return values | lists | {name: bool(values[name]) for name in _FLAGS if name in values}
