"""`mind-skills task`: what an agent, or a person, asks and says of a task; the same that is served over MCP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.learning.errors import ErrorEntry, ErrorType, count_errors, format_errors
from mind_skills.learning.storage import ErrorAccumulator
from mind_skills.output.document import Report
from mind_skills.output.text import count, emit, line, table, when
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.complete import CompleteInput, CompleteReport, complete
from mind_skills.tasks.open_tasks import open_tasks
from mind_skills.tasks.outcomes import (
    OutcomeInput,
    OutcomeRecordReport,
    OutcomesReport,
    list_outcomes,
    record_outcome,
)
from mind_skills.tasks.plan import PlanInput, plan
from mind_skills.tasks.tool_input import ID, drop_unset, text_cleaner, validate_arguments

TYPES = ("validation", "timeout", "conflict", "tool_failure", "unknown")
"""As in learning/errors.py."""
MESSAGE = 500
"""Characters that are kept of a message, a context or a stack trace."""


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
    """`mind-skills task errors ... --json`. ``text`` is what an agent should read before it tries the task again."""

    version: Literal[1] = 1
    task: str
    total: int
    unresolved: int
    by_type: dict[str, int]
    errors: list[TaskErrorReport]
    text: str


@click.group(cls=SuggestingGroup)
def command() -> None:
    """For agents: what is known that bears on a task, how it came out, and what went wrong in it."""


@options.subcommand(
    command,
    "plan",
    'mind-skills task plan "Add a discount to the cart"',
    'mind-skills task plan "Add a discount to the cart" --context "prices are Decimals" --task-id shop-12 --json',
)
@click.argument("task")
@click.option("--context", default="", metavar="TEXT", help="What else is known: constraints, files, approach.")
@click.option(
    "--task-id", "--bead-id", "bead_id", default="", metavar="ID", help="Its id, which brings back its open errors."
)
@options.project_and_json
def plan_command(task: str, context: str, bead_id: str, project: str, as_json: bool) -> None:
    """Show what is known that bears on TASK, a task in words, as an agent should read it.

    That is what similar tasks have taught, the strategies that are proven in this project, those to avoid, and the
    errors that are open of this very task. `mind-skills task complete` says how it came out.
    """
    report = plan(
        validate_arguments(PlanInput, {"task": task, "context": context, "bead_id": bead_id}),
        make_shell_caller(project),
    )
    emit(report, as_json, lambda: line(report.text))


@options.subcommand(
    command,
    "complete",
    'mind-skills task complete shop-12 --summary "Discounts are Decimals" --files-touched cart.py',
    'mind-skills task complete shop-13 --failed --summary "One file per subtask" --failure-details "merge conflict"',
)
@click.argument("task")
@click.option("--summary", required=True, metavar="TEXT", help="What was done and how, for whoever has a similar task.")
@click.option("--success/--failed", "success", default=True, help="Whether it reached what it was after; --success.")
@click.option("--agent-name", default="", metavar="NAME", help="Who did it.")
@options.outcome_fields
@click.option(
    "--project",
    "--project-key",
    "project",
    type=click.Path(file_okay=False),
    default="",
    metavar="DIR",
    help="The project's folder; without it, the one you are in.",
)
@options.as_json
def complete_command(task: str, project: str, as_json: bool, **said: Any) -> None:
    """Record that TASK is over, by its id or in the words in which it was planned, and learn from it.

    The strategies that the summary names get the vote of the session that did it, one each, where a hook has told of that
    session; one that keeps failing becomes a warning. What was done is remembered with the text of the task, for
    `mind-skills task plan`. Errors of a task that succeeded are resolved. Repeated, it counts once.

    How it came out is a score of four signals, as for sessions. --failed alone is neutral and casts no vote: --errors,
    --retries and --duration-ms say how badly it went.
    """
    given = validate_arguments(CompleteInput, {"bead_id": task, "summary": "", **drop_unset(said)})
    report = complete(given, make_shell_caller(project))
    emit(report, as_json, lambda: _print_completed(report))


def _print_completed(report: CompleteReport) -> None:
    outcome = report.outcome
    line(f"{report.bead_id}: {outcome.type} ({outcome.score}). {outcome.reasoning}")
    if report.kept:
        line("A person has said so before, and that stands.")
    if outcome.strategies and not report.voted:
        line(f"No vote on {', '.join(outcome.strategies)}.")
    for each in report.patterns:
        line(f"{each.content} {each.text}")
    for warning in report.inversions:
        line(warning.content)
    line("It can be recalled." if report.memory_stored else "There was nothing to remember.")
    if report.open_errors:
        line(f"{report.open_errors} of its errors are open: `mind-skills task errors show` has them.")


@command.group("outcome", cls=SuggestingGroup)
def outcome_group() -> None:
    """Say how a task came out. Sessions are judged by their logs; this is for what they do not show."""


@options.subcommand(
    outcome_group,
    "record",
    "mind-skills task outcome record shop-12 --success --duration-ms 240000 --files-touched cart.py",
    'mind-skills task outcome record shop-12 --failed --retries 2 --failure-details "build timed out"',
)
@click.argument("task")
@click.option("--success/--failed", "success", required=True, help="Whether it reached what it was after.")
@options.outcome_fields
@options.project_and_json
def outcome_record(task: str, success: bool, project: str, as_json: bool, **said: Any) -> None:
    """Score TASK by what is known of it, for the vote of its session on the strategies that it followed.

    A session that no hook has told of has no vote, nor has what you say of a task that was done in none.
    Said again of the same TASK, it takes the place of what was said before. --failed alone is neutral and casts no vote:
    --errors, --retries and --duration-ms say how badly it went.
    """
    given = validate_arguments(OutcomeInput, {"bead_id": task, "success": success, **drop_unset(said)})
    report = record_outcome(given, make_shell_caller(project))
    emit(report, as_json, lambda: _print_recorded(report))


def _print_recorded(report: OutcomeRecordReport) -> None:
    line(f"{report.task}: {report.type} ({report.score}). {report.reasoning}")
    if report.kept:
        line("A person has said so before, and that stands.")
    if report.strategies:
        line(f"{'Voted on' if report.voted else 'No vote on'} {', '.join(report.strategies)}.")


@options.subcommand(outcome_group, "show", "mind-skills task outcome show shop-12 --json")
@click.argument("task")
@options.project_and_json
def outcome_show(task: str, project: str, as_json: bool) -> None:
    """Show what was said of TASK."""
    _emit_outcomes(task, 1, project, as_json)


@options.subcommand(outcome_group, "list", "mind-skills task outcome list --limit 5")
@click.option("--limit", type=click.IntRange(1), default=20, metavar="N", help="So many at most, the last ones first.")
@options.project_and_json
def outcome_list(limit: int, project: str, as_json: bool) -> None:
    """List how the tasks of a project came out."""
    _emit_outcomes("", limit, project, as_json)


def _emit_outcomes(task: str, limit: int, project: str, as_json: bool) -> None:
    report = list_outcomes(task, limit, make_shell_caller(project))
    emit(report, as_json, lambda: _print_outcomes(report))


def _print_outcomes(report: OutcomesReport) -> None:
    rows = [
        (each.task, f"{each.type} ({each.score})", each.failure_mode or "", ", ".join(each.strategies), when(each.at))
        for each in report.outcomes
    ]
    if rows:
        table("", ("task", "outcome", "failure", "strategies", "when"), rows)
    else:
        line(f"Nobody has said how a task of {report.project} came out.")


def _task(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The task's id as the tools for agents keep it."""
    found = str(text_cleaner(ID, line=True)(value))
    if not found:
        raise click.BadParameter("name the task", context, parameter)
    return found


@command.group("errors", cls=SuggestingGroup)
def errors_group() -> None:
    """Keep the errors of a task until they are resolved, and show them to whoever tries the task again."""


@options.subcommand(
    errors_group,
    "record",
    'mind-skills task errors record shop-12 --type timeout "the build took too long"',
    'mind-skills task errors record shop-12 --type validation "price is no number" --tool Bash',
)
@click.argument("task", callback=_task)
@click.argument("message")
@click.option("--type", "error_type", type=click.Choice(TYPES), default="unknown", help="What kind of error it was.")
@click.option("--tool", default="", metavar="NAME", help="The tool that failed.")
@click.option("--context", default="", metavar="TEXT", help="What was being done.")
@click.option("--stack", default="", metavar="TEXT", help="A stack trace.")
@options.project_and_json
def errors_record(
    task: str, message: str, error_type: str, tool: str, context: str, stack: str, project: str, as_json: bool
) -> None:
    """Keep an error of TASK.

    Until it is resolved, the session that recorded it is told of it when it is resumed; where no session is known, any
    session of the project that is resumed. No other session is.
    """
    said, tool, context, stack = (str(text_cleaner(MESSAGE)(text)) for text in (message, tool, context, stack))
    if not said:
        raise click.BadParameter("say what went wrong", param_hint="'MESSAGE'")
    caller = make_shell_caller(project)
    with open_tasks(caller) as tasks:
        errors = ErrorAccumulator(tasks.errors, project=caller.project.id, session=caller.session)
        kind = cast("ErrorType", error_type)
        errors.record(task, kind, said, at=caller.now, tool_name=tool, context=context, stack_trace=stack)
        _print_errors(task, errors.of(task), as_json, resolved=False)


@options.subcommand(
    errors_group, "show", "mind-skills task errors show shop-12", "mind-skills task errors show shop-12 --all"
)
@click.argument("task", callback=_task)
@click.option("--all", "everything", is_flag=True, help="With those that are resolved.")
@options.project_and_json
def errors_show(task: str, everything: bool, project: str, as_json: bool) -> None:
    """Show the errors of TASK that are not resolved, as an agent should read them."""
    with open_tasks(make_shell_caller(project)) as tasks:
        _print_errors(task, tasks.errors.by_task(task), as_json, resolved=everything)


@options.subcommand(errors_group, "resolve", "mind-skills task errors resolve shop-12")
@click.argument("task", callback=_task)
@click.option("--id", "error_id", default="", metavar="ID", help="This error alone; its id may be shortened.")
@options.project_and_json
def errors_resolve(task: str, error_id: str, project: str, as_json: bool) -> None:
    """Mark the errors of TASK as resolved, or one of them."""
    with open_tasks(make_shell_caller(project)) as tasks:
        errors = ErrorAccumulator(tasks.errors)
        unresolved = [entry for entry in errors.of(task, resolved=False) if entry.id.startswith(error_id)]
        if error_id and len(unresolved) != 1:
            found = "no open error" if not unresolved else f"{len(unresolved)} open errors"
            hint = f"`mind-skills task errors show {task}` has the ids."
            raise MindSkillsError("unknown_error", f"{task} has {found} of that id", hint)
        for entry in unresolved:
            errors.resolve(entry.id)
        # In words the figures alone: the section for agents calls for action, also where nothing is open.
        _print_errors(task, errors.of(task), as_json, resolved=True, figures=True)


@options.subcommand(errors_group, "stats", "mind-skills task errors stats shop-12 --json")
@click.argument("task", callback=_task)
@options.project_and_json
def errors_stats(task: str, project: str, as_json: bool) -> None:
    """Count the errors of TASK: all, open, and by type."""
    with open_tasks(make_shell_caller(project)) as tasks:
        _print_errors(task, tasks.errors.by_task(task), as_json, resolved=True, figures=True)


def _print_errors(
    task: str, entries: Sequence[ErrorEntry], as_json: bool, *, resolved: bool, figures: bool = False
) -> None:
    """Print the errors of a task; ``resolved``: with those that are; ``figures``: people see how many there are alone."""
    counted = count_errors(entries)
    shown = [entry for entry in entries if resolved or not entry.resolved]
    report = ErrorsReport.copy(
        counted,
        task=task,
        errors=[TaskErrorReport.copy(entry, task=entry.task_id) for entry in shown],
        text=format_errors(shown),
    )

    def render() -> None:
        if report.text and not figures:
            line(report.text.rstrip("\n"))
            for error in report.errors:
                line(f"{error.id}: {error.message}{' (resolved)' if error.resolved else ''}")
            return
        kinds = ", ".join(f"{number} {name}" for name, number in report.by_type.items())
        line(f"{task}: {count(report.total, 'error')}, {report.unresolved} open{f' ({kinds})' if kinds else ''}")

    emit(report, as_json, render)
