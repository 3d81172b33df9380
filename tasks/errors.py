"""Errors of a task: recorded while it goes on, and told to whoever tries it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.learning.accumulator import ErrorAccumulator
from mind_skills.learning.errors import (
    ErrorEntry,
    ErrorType,
    classify_failure,
    count_errors,
    format_errors,
    format_open_errors,
)
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.given import Given, Id, Line, Said, Text, kept
from mind_skills.tasks.open_tasks import opened
from mind_skills.tasks.recalled import in_line
from mind_skills.tasks.tool_report import ToolReport

SHOWN = 20
"""Errors in a document, the newest."""
LINE = 160
"""Characters of a message or a context in the text."""
MESSAGE = 500
"""Characters of a message, a context or a stack trace that are kept, as by `mind-skills task errors`."""


class RecordErrorInput(Given):
    """What went wrong."""

    bead_id: Annotated[Id, Field(description="The task's id.")]
    message: Annotated[Said, Field(description="What went wrong.")]
    error_type: Annotated[ErrorType | None, Field(description="Default: told from the message.")] = None
    tool_name: Line = ""
    context: Annotated[Text, Field(description="What was being done.")] = ""
    stack_trace: Text = ""
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""


class ErrorContextInput(Given):
    """Whose errors are wanted."""

    bead_id: Annotated[Id, Field(description="The task's id.")]
    include_resolved: bool = False
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""


class ErrorEntryReport(ToolReport):
    """One error of a task. ``at`` is UTC milliseconds."""

    id: str
    error_type: ErrorType
    message: str
    tool_name: str
    context: str
    at: int
    resolved: bool


class ErrorContextReport(ToolReport):
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


def record_error(given: RecordErrorInput, caller: Caller) -> ErrorContextReport:
    """Keep an error, and say what is open of the task now. Raises MindSkillsError, StoreError."""
    kind = given.error_type or _kind(given.message)
    with opened(caller) as tasks:
        ErrorAccumulator(tasks.errors, project=caller.project.id, session=caller.session).record(
            given.bead_id,
            kind,
            _short(given.message),
            at=caller.now,
            stack_trace=_short(given.stack_trace),
            tool_name=given.tool_name,
            context=_short(given.context),
        )
    return error_context(ErrorContextInput(bead_id=given.bead_id), caller)


def error_context(given: ErrorContextInput, caller: Caller) -> ErrorContextReport:
    """The errors of a task that are open, or all of them. Raises MindSkillsError, StoreError."""
    with opened(caller) as tasks:
        entries = tasks.errors.by_task(given.bead_id)
    shown = [entry for entry in entries if given.include_resolved or not entry.resolved]
    figures = count_errors(entries)
    told = format_open_errors(entries) if not given.include_resolved else format_errors(map(_plain, shown[-SHOWN:]))
    return ErrorContextReport(
        bead_id=given.bead_id,
        total=figures.total,
        unresolved=figures.unresolved,
        by_type=figures.by_type,
        errors=[_entry(entry) for entry in shown[-SHOWN:]],
        text=told,
    )


def _kind(message: str) -> ErrorType:
    """The accumulator knows five types, failures have eight: the other three are unknown to it."""
    mode = classify_failure(message)
    return mode if mode in ("validation", "timeout", "conflict", "tool_failure") else "unknown"


def _short(text: str) -> str:
    return str(kept(MESSAGE)(text))


def _plain(entry: ErrorEntry) -> ErrorEntry:
    """An error as lines of text: what others wrote stays in its line and opens no tag."""
    return replace(entry, message=in_line(entry.message, LINE), context=in_line(entry.context, LINE), stack_trace="")


def _entry(entry: ErrorEntry) -> ErrorEntryReport:
    return ErrorEntryReport(
        id=entry.id,
        error_type=entry.error_type,
        message=entry.message,
        tool_name=entry.tool_name,
        context=entry.context,
        at=entry.at,
        resolved=entry.resolved,
    )
