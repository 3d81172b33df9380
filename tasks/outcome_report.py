"""The documents about outcomes of tasks. Times and durations are milliseconds, times of them UTC."""

from __future__ import annotations

from typing import Literal

from mind_skills.learning.errors import FailureMode
from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.tasks import SaidBy, TaskOutcome
from mind_skills.tasks.tool_report import ToolReport


class TaskOutcomeReport(ToolReport):
    """How a task came out. ``strategies`` is what ``strategy`` is counted as; ``failure_mode`` is null for a success."""

    task: str
    type: FeedbackType
    score: float
    reasoning: str
    success: bool
    duration_ms: int
    error_count: int
    retry_count: int
    files_touched: list[str]
    strategy: str
    strategies: list[str]
    failure_mode: FailureMode | None
    failure_details: str
    agent_name: str
    summary: str
    said_by: SaidBy
    at: int


class OutcomeRecordReport(TaskOutcomeReport):
    """`mind-skills task outcome record --json`. ``voted`` says whether the strategies got a vote from it.

    ``kept`` is true where an agent spoke about a task of which a person had spoken before: then that is what stands here.
    """

    version: Literal[1] = 1
    voted: bool
    kept: bool


class OutcomesReport(ToolReport):
    """`mind-skills task outcome show --json` and `mind-skills task outcome list --json`: the last ones first."""

    version: Literal[1] = 1
    project: str
    outcomes: list[TaskOutcomeReport]


def fields(outcome: TaskOutcome) -> dict[str, object]:
    """An outcome as the fields of its document."""
    return {
        "task": outcome.task_id,
        "type": outcome.type,
        "score": round(outcome.score, 3),
        "reasoning": outcome.reasoning,
        "success": outcome.success,
        "duration_ms": outcome.duration_ms,
        "error_count": outcome.error_count,
        "retry_count": outcome.retry_count,
        "files_touched": list(outcome.files_touched),
        "strategy": outcome.strategy,
        "strategies": list(outcome.strategies),
        "failure_mode": outcome.failure_mode or None,
        "failure_details": outcome.failure_details,
        "agent_name": outcome.agent_name,
        "summary": outcome.summary,
        "said_by": outcome.said_by,
        "at": outcome.at,
    }
