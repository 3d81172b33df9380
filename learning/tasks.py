"""Tasks that somebody planned and finished, and what was reported of them: the documents' `OutcomeSignals`, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.storage import Table
from mind_skills.store.database import Database

SaidBy = Literal["user", "agent"]
"""A person at a command line, or an agent through its tools. What a person reports of a task, no agent overrides."""
MOST = 5_000
"""Plans, and outcomes, that are kept; the oldest go."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A task before it was begun: its text and context. ``at`` is UTC milliseconds.

    ``task_id`` is the documents' `bead_id`. Without one it follows from the text, ``named`` is False, and ``done_as`` is the
    id under which the task was finished, empty until then.
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
    """How a task came out. Field names are the documents', but for ``task_id``, their `bead_id`, and ``at``, their `timestamp`.

    ``strategy`` is what was reported, ``strategies`` what it counts as; ``type``, ``score`` (0.14 to 1.0) and ``reasoning``
    are the verdict of the day (scoring.py). ``at`` is UTC milliseconds, ``duration_ms`` 0 where it is not known.
    """

    project: str
    task_id: str
    said_by: SaidBy
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
    """Plans and outcomes by project and task, one of each for a task. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        """``database`` is open with the steps of storage.py."""
        self._plans = Table(database, "task_plans", TaskPlan)
        self._outcomes = Table(database, "task_outcomes", TaskOutcome)

    def put_plan(self, plan: TaskPlan) -> None:
        """Keep a plan in place of the one of its task."""
        with self._plans.database.writing():
            self._plans.put(plan, "project", "task_id")
            self._plans.keep_newest(MOST, "at DESC, n DESC")

    def plan(self, project: str, task_id: str) -> TaskPlan | None:
        """The plan of a task: by its own id, or by the one under which it was finished."""
        found = self._plans.select("project = ? AND (task_id = ? OR done_as = ?)", project, task_id, task_id)
        return max(found, key=lambda plan: (plan.task_id == task_id, plan.at), default=None)

    def open_plan(self, project: str, session: str) -> TaskPlan | None:
        """The last plan that a session made without naming its task, and that is not finished yet."""
        where = "project = ? AND session = ? AND session != '' AND named = 0 AND done_as = ''"
        return max(self._plans.select(where, project, session), key=lambda plan: plan.at, default=None)

    def put_outcome(self, outcome: TaskOutcome) -> None:
        """Keep an outcome in place of the one of its task; an agent's never takes the place of a person's."""
        with self._outcomes.database.writing():
            condition = "WHERE said_by != 'user' OR excluded.said_by = 'user'"
            self._outcomes.put(outcome, "project", "task_id", condition=condition)
            self._outcomes.keep_newest(MOST, "at DESC, n DESC")

    def outcome(self, project: str, task_id: str) -> TaskOutcome | None:
        return self._outcomes.get("project = ? AND task_id = ?", project, task_id)

    def outcomes(self, project: str) -> list[TaskOutcome]:
        """The outcomes of a project's tasks, the oldest first."""
        return self._outcomes.select("project = ?", project, order="at, n")

    def of_session(self, session: str) -> list[TaskOutcome]:
        """The outcomes of the tasks that a session finished, the oldest first; none for an empty name."""
        return self._outcomes.select("session = ? AND session != ''", session, order="at, n")
