"""Errors of a task, which are recorded while it is in progress and shown when it is tried again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.learning.errors import (
    ErrorEntry,
    ErrorType,
    classify_error,
    count_errors,
    format_errors,
    format_open_errors,
)
from mind_skills.learning.storage import ErrorAccumulator
from mind_skills.output.document import Document
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.cleaning import flatten, make_text_cleaner
from mind_skills.tasks.open_tasks import open_tasks
from mind_skills.tasks.tool_input import Line, NonEmptyText, ProjectKey, TaskId, Text, ToolInput

MAX_ERRORS = 20
MAX_LINE_LENGTH = 160
MAX_STORED_LENGTH = 500


class RecordErrorInput(ToolInput):
    """An error of a task."""

    bead_id: TaskId
    message: Annotated[NonEmptyText, Field(description="What went wrong.")]
    error_type: Annotated[ErrorType | None, Field(description="Default: derived from the message.")] = None
    tool_name: Line = ""
    context: Annotated[Text, Field(description="What was being done.")] = ""
    stack_trace: Text = ""
    project_key: ProjectKey = ""


class ErrorContextInput(ToolInput):
    """The task whose errors are returned."""

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

    ``total``, ``unresolved`` and ``by_type`` count all errors of the task. ``errors`` contains the unresolved errors or,
    if resolved errors were requested too, all errors: at most the newest 20, oldest first.
    """

    version: Literal[1] = 1
    bead_id: str
    total: int
    unresolved: int
    by_type: dict[str, int]
    errors: list[ErrorEntryReport]
    text: str


def record_error(arguments: RecordErrorInput, caller: Caller) -> ErrorContextReport:
    """Record an error, and return the open errors of the task. Raises MindSkillsError, StoreError."""
    kind = arguments.error_type or classify_error(arguments.message)
    with open_tasks(caller) as tasks:
        ErrorAccumulator(tasks.errors, project_id=caller.project.id, session_id=caller.session).record(
            arguments.bead_id,
            kind,
            _clean(arguments.message),
            at=caller.now,
            stack_trace=_clean(arguments.stack_trace),
            tool_name=arguments.tool_name,
            context=_clean(arguments.context),
        )
    return get_error_context(ErrorContextInput(bead_id=arguments.bead_id), caller)


def get_error_context(arguments: ErrorContextInput, caller: Caller) -> ErrorContextReport:
    """Return the open errors of a task, or all errors with ``include_resolved``. Raises MindSkillsError, StoreError."""
    with open_tasks(caller, create=False) as tasks:
        entries = tasks.errors.list_by_task(arguments.bead_id)
    selected = [entry for entry in entries if arguments.include_resolved or not entry.resolved]
    counts = count_errors(entries)
    text = (
        format_open_errors(entries)
        if not arguments.include_resolved
        else format_errors(map(_flatten_entry, selected[-MAX_ERRORS:]))
    )
    return ErrorContextReport.from_object(
        counts,
        bead_id=arguments.bead_id,
        errors=[ErrorEntryReport.from_object(entry) for entry in selected[-MAX_ERRORS:]],
        text=text,
    )


def _clean(text: str) -> str:
    return str(make_text_cleaner(MAX_STORED_LENGTH)(text))


def _flatten_entry(entry: ErrorEntry) -> ErrorEntry:
    """Collapse the texts of an error to one line each, so that untrusted text cannot form further lines or tags."""
    return replace(
        entry,
        message=flatten(entry.message, MAX_LINE_LENGTH),
        context=flatten(entry.context, MAX_LINE_LENGTH),
        stack_trace="",
    )
