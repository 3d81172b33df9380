"""Errors of a task: recorded while it goes on, and told to whoever tries it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.learning.errors import (
    ErrorEntry,
    ErrorType,
    classify_failure,
    count_errors,
    format_errors,
    format_open_errors,
)
from mind_skills.learning.storage import ErrorAccumulator
from mind_skills.output.document import Document, members
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.open_tasks import open_tasks
from mind_skills.tasks.recall import flatten
from mind_skills.tasks.tool_input import Line, NonEmptyText, ProjectKey, TaskId, Text, ToolInput, text_cleaner

SHOWN = 20
"""Errors in a document, the newest."""
LINE = 160
"""Characters of a message or a context in the text."""
MESSAGE = 500
"""Characters of a message, a context or a stack trace that are kept, as by `mind-skills task errors`."""


class RecordErrorInput(ToolInput):
    """What went wrong."""

    bead_id: TaskId
    message: Annotated[NonEmptyText, Field(description="What went wrong.")]
    error_type: Annotated[ErrorType | None, Field(description="Default: told from the message.")] = None
    tool_name: Line = ""
    context: Annotated[Text, Field(description="What was being done.")] = ""
    stack_trace: Text = ""
    project_key: ProjectKey = ""


class ErrorContextInput(ToolInput):
    """Whose errors are wanted."""

    bead_id: TaskId
    include_resolved: bool = False
    project_key: ProjectKey = ""


class ErrorEntryReport(Document):
    """One error of a task. ``at`` is UTC milliseconds."""

    id: str
    error_type: ErrorType
    message: str
    tool_name: str
    context: str
    at: int
    resolved: bool


class ErrorContextReport(Document):
    """The errors of a task. ``text`` is what an agent should read before it tries the task again.

    ``total``, ``unresolved`` and ``by_type`` count all of them, ``errors`` are the newest, oldest first.
    """

    version: Literal[1] = 1
    bead_id: str
    total: int
    unresolved: int
    by_type: dict[str, int]
    errors: list[ErrorEntryReport]
    text: str


def record_error(arguments: RecordErrorInput, caller: Caller) -> ErrorContextReport:
    """Keep an error, and say what is open of the task now. Raises MindSkillsError, StoreError."""
    kind = arguments.error_type or _classify(arguments.message)
    with open_tasks(caller) as tasks:
        ErrorAccumulator(tasks.errors, project=caller.project.id, session=caller.session).record(
            arguments.bead_id,
            kind,
            _clean(arguments.message),
            at=caller.now,
            stack_trace=_clean(arguments.stack_trace),
            tool_name=arguments.tool_name,
            context=_clean(arguments.context),
        )
    return error_context(ErrorContextInput(bead_id=arguments.bead_id), caller)


def error_context(arguments: ErrorContextInput, caller: Caller) -> ErrorContextReport:
    """The errors of a task that are open, or all of them. Raises MindSkillsError, StoreError."""
    with open_tasks(caller) as tasks:
        entries = tasks.errors.by_task(arguments.bead_id)
    shown = [entry for entry in entries if arguments.include_resolved or not entry.resolved]
    figures = count_errors(entries)
    text = (
        format_open_errors(entries)
        if not arguments.include_resolved
        else format_errors(map(_flatten_entry, shown[-SHOWN:]))
    )
    return ErrorContextReport(
        bead_id=arguments.bead_id,
        total=figures.total,
        unresolved=figures.unresolved,
        by_type=figures.by_type,
        errors=[
            ErrorEntryReport.of({name: getattr(entry, name) for name in members(ErrorEntryReport)})
            for entry in shown[-SHOWN:]
        ],
        text=text,
    )


def _classify(message: str) -> ErrorType:
    """The accumulator knows five types, failures have eight: the other three are unknown to it."""
    mode = classify_failure(message)
    return mode if mode in ("validation", "timeout", "conflict", "tool_failure") else "unknown"


def _clean(text: str) -> str:
    return str(text_cleaner(MESSAGE)(text))


def _flatten_entry(entry: ErrorEntry) -> ErrorEntry:
    """An error as lines of text: what others wrote stays in its line and opens no tag."""
    return replace(entry, message=flatten(entry.message, LINE), context=flatten(entry.context, LINE), stack_trace="")
