"""`mind-skills errors`: what went wrong in a task, for whoever tries it again."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Literal, cast

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.hooks.reminding import WatchedErrorStorage, remind
from mind_skills.learning.accumulator import ErrorAccumulator
from mind_skills.learning.errors import ErrorEntry, ErrorType, format_errors
from mind_skills.learning.errors import count_errors as counted
from mind_skills.learning.storage import PACKAGE, STEPS
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, line
from mind_skills.redaction.personal import redact_address, redact_personal
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.text import clean
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.tasks.caller import SESSION_VARIABLE


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


TYPES = ("validation", "timeout", "conflict", "tool_failure", "unknown")
"""As in learning/errors.py, which the start of the command line does not import."""


def _task(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The task's id as the tools for agents keep it."""
    found = task_id(value)
    if not found:
        raise click.BadParameter("name the task", context, parameter)
    return found


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Keep the errors of a task until they are resolved, and show them to whoever tries the task again."""


@command.command(
    "record",
    epilog=options.examples(
        'mind-skills errors record shop-12 --type timeout "the build took too long"',
        'mind-skills errors record shop-12 --type validation "price is no number" --tool Bash',
    ),
)
@click.argument("task", callback=_task)
@click.argument("message")
@click.option("--type", "error_type", type=click.Choice(TYPES), default="unknown", help="What kind of error it was.")
@click.option("--tool", default="", metavar="NAME", help="The tool that failed.")
@click.option("--context", default="", metavar="TEXT", help="What was being done.")
@click.option("--stack", default="", metavar="TEXT", help="A stack trace.")
@options.project
@options.as_json
def record(
    task: str, message: str, error_type: str, tool: str, context: str, stack: str, project: str, as_json: bool
) -> None:
    """Keep an error of TASK.

    Until it is resolved, the session that recorded it is told of it when it is resumed; where no session is known, any
    session of the project that is resumed. No other session is.
    """
    said = kept(message)
    if not said:
        raise click.BadParameter("say what went wrong", param_hint="'MESSAGE'")
    with opened(project) as errors:
        kind = cast("ErrorType", error_type)
        errors.record(
            task, kind, said, at=state.now(), tool_name=kept(tool), context=kept(context), stack_trace=kept(stack)
        )
        _emit(report(task, errors.of(task), resolved=False), as_json)


@command.command(
    "show", epilog=options.examples("mind-skills errors show shop-12", "mind-skills errors show shop-12 --all --json")
)
@click.argument("task", callback=_task)
@click.option("--all", "everything", is_flag=True, help="With those that are resolved.")
@options.project
@options.as_json
def show(task: str, everything: bool, project: str, as_json: bool) -> None:
    """Show the errors of TASK that are not resolved, as an agent should read them."""
    with opened(project) as errors:
        _emit(report(task, errors.of(task), resolved=everything), as_json)


@command.command(
    "resolve",
    epilog=options.examples("mind-skills errors resolve shop-12"),
)
@click.argument("task", callback=_task)
@click.option("--id", "error_id", default="", metavar="ID", help="This error alone; its id may be shortened.")
@options.project
@options.as_json
def resolve(task: str, error_id: str, project: str, as_json: bool) -> None:
    """Mark the errors of TASK as resolved, or one of them."""
    with opened(project) as errors:
        open_ones = [entry for entry in errors.of(task, resolved=False) if entry.id.startswith(error_id)]
        if error_id and len(open_ones) != 1:
            found = "no open error" if not open_ones else f"{len(open_ones)} open errors"
            raise MindSkillsError(
                "unknown_error", f"{task} has {found} of that id", f"`mind-skills errors show {task}` has the ids."
            )
        for entry in open_ones:
            errors.resolve(entry.id)
        # In words the figures alone: the section for agents calls for action, also where nothing is open.
        _emit(report(task, errors.of(task), resolved=True), as_json, figures=True)


@command.command("stats", epilog=options.examples("mind-skills errors stats shop-12 --json"))
@click.argument("task", callback=_task)
@options.project
@options.as_json
def stats(task: str, project: str, as_json: bool) -> None:
    """Count the errors of TASK: all, open, and by type."""
    with opened(project) as errors:
        _emit(report(task, errors.of(task), resolved=True), as_json, figures=True)


def _emit(found: ErrorsReport, as_json: bool, *, figures: bool = False) -> None:
    def text() -> None:
        if found.text and not figures:
            line(found.text.rstrip("\n"))
            for error in found.errors:
                line(f"{error.id}: {error.message}{' (resolved)' if error.resolved else ''}")
            return
        kinds = ", ".join(f"{number} {name}" for name, number in found.by_type.items())
        line(f"{found.task}: {count(found.total, 'error')}, {found.unresolved} open{f' ({kinds})' if kinds else ''}")

    emit(found, as_json, text)


ID, MESSAGE = 200, 500
"""Characters that are kept of an id, as by tasks/tool_input.py; of a message, a context or a stack trace."""


@contextmanager
def opened(project: str = "") -> Generator[ErrorAccumulator]:
    """The errors of the project in that folder; what is recorded comes from it, and from the session that asks.

    Afterwards the sessions that are resumed there know of it. Raises MindSkillsError, StoreError, OSError.
    """
    home, place = ensure(), choose_project(project)
    with Database.open(home, PACKAGE, STEPS) as database:
        errors = WatchedErrorStorage(database, place.id)
        yield ErrorAccumulator(errors, project=place.id, session=os.environ.get(SESSION_VARIABLE, ""))
    if errors.touched:
        remind(home, errors.touched)


def kept(text: str) -> str:
    """What is kept of a text that a program or a person gave: without secrets, personal data and control characters."""
    return redact_personal(clean(redact(text), MESSAGE)).strip()[:MESSAGE]


def task_id(text: str) -> str:
    """What is kept of a task's id, in one line; empty where nothing is left of it."""
    return redact_address(" ".join(clean(redact(text), ID).split()))[:ID]


def report(task: str, entries: Sequence[ErrorEntry], *, resolved: bool) -> ErrorsReport:
    """The errors of a task as a document; ``resolved`` says whether those that are count among the ones shown."""
    figures = counted(entries)
    shown = [entry for entry in entries if resolved or not entry.resolved]
    return ErrorsReport(
        task=task,
        total=figures.total,
        unresolved=figures.unresolved,
        by_type=figures.by_type,
        errors=[
            TaskErrorReport(
                id=entry.id,
                task=entry.task_id,
                error_type=entry.error_type,
                message=entry.message,
                at=entry.at,
                resolved=entry.resolved,
                tool_name=entry.tool_name,
                context=entry.context,
            )
            for entry in shown
        ],
        text=format_errors(shown),
    )
