"""Stores the plans of tasks, and their reported outcomes: the specification's `OutcomeSignals`, and who reported them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.storage import Table
from mind_skills.store.database import Database

Reporter = Literal["user", "agent"]
"""A person at the command line, or an agent through the tools. An agent cannot overwrite what a person reported."""
MAX_ROWS = 5_000
"""Maximum number of plans, and of outcomes; when there are more, the oldest are deleted."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A planned task: its text and context. ``at`` is when work on it started (UTC ms).

    ``task_id`` is `bead_id` in the specification. If no id was given, it is derived from the text, and ``named`` is False.
    ``session`` is the host's session or, if that is unknown, the connection of the agent that planned the task.
    ``done_as`` is the id under which the task was completed, if that is not ``task_id``; otherwise empty.
    """

    project: str
    task_id: str
    task: str
    context: str = ""
    session: str = ""
    named: bool = True
    done_as: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """How a task ended. Field names follow the specification, except ``task_id`` (`bead_id`) and ``at`` (`timestamp`).

    ``strategy`` is the reported text, ``strategies`` are the strategies that it names; ``type``, ``score`` (0.14 to 1.0) and
    ``reasoning`` are the verdict before decay (scoring.py). ``at`` is UTC milliseconds; ``duration_ms`` is 0 if unknown.
    """

    project: str
    task_id: str
    said_by: Reporter
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
        """The migrations of storage.py must have been applied to ``database``."""
        self._plans = Table(database, "task_plans", TaskPlan)
        self._outcomes = Table(database, "task_outcomes", TaskOutcome)

    def put_plan(self, plan: TaskPlan) -> None:
        """Store a plan, replacing the task's previous plan."""
        with self._plans.database.writing():
            self._plans.put(plan, "project", "task_id")
            self._plans.keep_newest(MAX_ROWS, "at DESC, n DESC")

    def get_plan(self, project: str, task_id: str) -> TaskPlan | None:
        """Return the plan of the task that has this id or was completed under it, or None."""
        plans = self._plans.select("project = ? AND (task_id = ? OR done_as = ?)", project, task_id, task_id)
        return max(plans, key=lambda plan: (plan.task_id == task_id, plan.at), default=None)

    def get_open_plan(self, project: str, session: str) -> TaskPlan | None:
        """Return a session's newest plan that was given no task id and is not completed, or None.

        A plan is completed if it has an outcome under another id (``done_as``), or a later one under its own id.
        """
        where = (
            "project = ? AND session = ? AND session != '' AND named = 0 AND done_as = '' AND NOT EXISTS"
            " (SELECT 1 FROM task_outcomes AS outcome WHERE outcome.project = task_plans.project"
            " AND outcome.task_id = task_plans.task_id AND outcome.at >= task_plans.at)"
        )
        return max(self._plans.select(where, project, session), key=lambda plan: plan.at, default=None)

    def put_outcome(self, outcome: TaskOutcome) -> None:
        """Store an outcome, replacing the task's previous outcome. An agent's report does not replace a person's."""
        with self._outcomes.database.writing():
            condition = "WHERE said_by != 'user' OR excluded.said_by = 'user'"
            self._outcomes.put(outcome, "project", "task_id", condition=condition)
            self._outcomes.keep_newest(MAX_ROWS, "at DESC, n DESC")

    def get_outcome(self, project: str, task_id: str) -> TaskOutcome | None:
        return self._outcomes.get("project = ? AND task_id = ?", project, task_id)

    def list_outcomes(self, project: str) -> list[TaskOutcome]:
        """Return the outcomes of a project's tasks, oldest first."""
        return self._outcomes.select("project = ?", project, order="at, n")

    def list_by_session(self, session: str) -> list[TaskOutcome]:
        """Return the outcomes of the tasks that a session completed, oldest first; empty if ``session`` is empty."""
        return self._outcomes.select("session = ? AND session != ''", session, order="at, n")
