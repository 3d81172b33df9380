"""The JSON of `mind-skills errors`, as models. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.learning.errors import ErrorType
from mind_skills.plugin.report import Report


class TaskErrorReport(Report):
    """One error of one task."""

    id: str
    task: str
    error_type: ErrorType
    message: str
    at: int
    resolved: bool
    tool_name: str
    context: str


class ErrorsReport(Report):
    """`mind-skills errors ... --json`. ``text`` is what an agent should read before it tries the task again."""

    version: Literal[1] = 1
    task: str
    total: int
    unresolved: int
    by_type: dict[str, int]
    errors: list[TaskErrorReport]
    text: str
