"""Tasks that somebody planned and finished: what was said of them. The documents' `OutcomeSignals`, and who said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mind_skills.learning.scoring import FeedbackType

SaidBy = Literal["user", "agent"]
"""A person at a command line, or an agent through its tools. What a person said of a task, no agent says otherwise."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A task before it was begun: its text, and what else was known of it. ``at`` is UTC milliseconds.

    ``task_id`` is the documents' `bead_id`. Where nobody gave one it follows from the text, ``named`` is False, and
    ``done_as`` is the id under which the task was finished, empty until then.
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

    ``strategy`` is what was said, ``strategies`` what it is counted as; ``type``, ``score`` (0.14 to 1.0) and
    ``reasoning`` are the verdict of the day (scoring.py). ``at`` is UTC milliseconds, ``duration_ms`` 0 where nobody knows.
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
