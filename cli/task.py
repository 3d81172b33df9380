"""`mind-skills task`: plan tasks and record their outcomes and errors. Most of this is also available over MCP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.learning.errors import (
    ERROR_TYPES,
    ErrorEntry,
    ErrorType,
    FailureMode,
    classify_error,
    count_errors,
    format_errors,
)
from mind_skills.learning.storage import ErrorAccumulator
from mind_skills.output.document import to_camel_case
from mind_skills.output.text import emit, format_count, format_time, print_line, print_table
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.cleaning import clean_task_id, flatten, hide_shown_values, make_text_cleaner
from mind_skills.tasks.open_tasks import OutcomesReport, list_outcomes, open_tasks

if TYPE_CHECKING:  # importing these at run time would load pydantic, which validates the arguments of tools
    from mind_skills.tasks.complete import CompleteReport
    from mind_skills.tasks.outcomes import OutcomeRecordReport

MAX_TEXT_CHARACTERS = 500
_ERROR_FIELDS = ("id", "error_type", "message", "at", "resolved", "tool_name", "context")


def _normalise_task_id(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Normalise a task id as the tools for agents do."""
    task_id = str(clean_task_id(value))
    if not task_id:
        raise click.BadParameter("a task id is required", context, parameter)
    return task_id


class _TaskGroup(SuggestingGroup):
    """The commands of tasks: what one argument shows to be a secret is hidden in the others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, hide_shown_values(args))


@click.group(cls=_TaskGroup)
def command() -> None:
    """For agents: look up what is stored about a task, and record its outcome and errors."""


def _add_outcome_fields(function: options.F) -> options.F:
    """Add the optional details of a finished task."""
    for option in (
        click.option("--failure-details", default="", metavar="TEXT", help="Description of the failure."),
        click.option(
            "--failure-mode",
            type=click.Choice(get_args(FailureMode)),
            help="Kind of failure. Default: derived from --failure-details.",
        ),
        click.option(
            "--strategy",
            default="",
            metavar="TEXT",
            help="Strategy that was followed: file-based, feature-based, risk-based or research-based, or a description of the plan.",
        ),
        click.option("--files-touched", multiple=True, metavar="FILE", help="A changed file. May be repeated."),
        click.option(
            "--retries", "--retry-count", "retry_count", type=click.IntRange(0), metavar="N", help="Number of retries."
        ),
        click.option(
            "--errors",
            "--error-count",
            "error_count",
            type=click.IntRange(0),
            metavar="N",
            help="Number of errors. Default: the number recorded with `mind-skills task errors record`.",
        ),
        click.option(
            "--duration-ms",
            type=click.IntRange(0),
            metavar="N",
            help="Duration in milliseconds. Default: the time since `mind-skills task plan`, or 0 without a plan, which counts as fast.",
        ),
    ):
        function = option(function)
    return function


@options.subcommand(
    command,
    "plan",
    'mind-skills task plan "Add a discount to the cart"',
    'mind-skills task plan "Add a discount to the cart" --context "prices are Decimals" --task-id shop-12 --json',
)
@click.argument("task")
@click.option("--context", default="", metavar="TEXT", help="Further information: constraints, files, approach.")
@click.option(
    "--task-id", "--bead-id", "bead_id", default="", metavar="ID", help="Id of the task; its open errors are included."
)
@options.project_and_json
def plan_command(task: str, context: str, bead_id: str, folder: str, as_json: bool) -> None:
    """Show what is stored about tasks like TASK (a description), formatted for an agent.

    This includes learnings from similar tasks, the proven strategies of this project, strategies to avoid, and the open
    errors of this task. Use `mind-skills task complete` to record the outcome.
    """
    from mind_skills.tasks.plan import PlanInput, plan_task
    from mind_skills.tasks.tool_input import validate_arguments

    report = plan_task(
        validate_arguments(PlanInput, {"task": task, "context": context, "bead_id": bead_id}),
        make_shell_caller(folder),
    )
    emit(report, as_json, lambda: print_line(report.text))


@options.subcommand(
    command,
    "complete",
    'mind-skills task complete shop-12 --summary "Discounts are Decimals" --files-touched cart.py',
    'mind-skills task complete shop-13 --failed --summary "One file per subtask" --failure-details "merge conflict"',
)
@click.argument("task")
@click.option(
    "--summary", required=True, metavar="TEXT", help="What was done and how, for similar tasks in the future."
)
@click.option(
    "--success/--failed",
    "success",
    cls=options.Switch,
    default=True,
    help="Whether the task succeeded. Default: --success.",
)
@click.option("--agent-name", default="", metavar="NAME", help="Name of the agent that did the task.")
@_add_outcome_fields
@click.option(
    "--project",
    "--project-key",
    "folder",
    type=click.Path(file_okay=False),
    default="",
    metavar="DIR",
    help="Project folder. Default: the current one.",
)
@options.as_json
def complete_command(task: str, folder: str, as_json: bool, **details: Any) -> None:
    """Record that TASK (its id or original description) is complete, and learn from it.

    Each strategy named by the summary or --strategy gets one vote from the session that did the task, if a hook
    reported that session. A strategy that keeps failing becomes a warning. The summary is stored with the description
    of the task, for `mind-skills task plan`. If the task succeeded, its errors are resolved. Running the command again
    counts and stores nothing twice.

    As for sessions, the outcome is scored from four signals: success, duration, errors and retries. --failed alone is
    neutral and casts no vote; add --errors, --retries and --duration-ms to describe the failure.
    """
    from mind_skills.tasks.complete import CompleteInput, complete_task
    from mind_skills.tasks.tool_input import validate_arguments

    arguments = validate_arguments(CompleteInput, {"bead_id": task, "summary": "", **_drop_unset(details)})
    report = complete_task(arguments, make_shell_caller(folder))
    emit(report, as_json, lambda: _print_completion(report))


def _drop_unset(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the command-line options that were set."""
    return {name: value for name, value in options.items() if value not in (None, "", ())}


def _print_completion(report: CompleteReport) -> None:
    outcome = report.outcome
    print_line(f"{report.bead_id}: {outcome.type} ({outcome.score}). {outcome.reasoning}")
    if report.kept:
        print_line("A person already recorded this outcome; it was not changed.")
    if outcome.strategies and not report.voted:
        print_line(f"No vote on {', '.join(outcome.strategies)}.")
    for each in report.patterns:
        print_line(f"{each.content} {each.text}")
    for warning in report.inversions:
        print_line(warning.content)
    print_line("Stored in the memory." if report.memory_stored else "Nothing was stored in the memory.")
    if report.open_errors:
        print_line(
            f"{format_count(report.open_errors, 'open error')}: run `mind-skills task errors show {report.bead_id}` to list them."
        )


@command.group("outcome", cls=SuggestingGroup)
def outcome_group() -> None:
    """Record or show task outcomes. Session outcomes come from logs; use this for what the logs do not show."""


@options.subcommand(
    outcome_group,
    "record",
    "mind-skills task outcome record shop-12 --success --duration-ms 240000 --files-touched cart.py",
    'mind-skills task outcome record shop-12 --failed --retries 2 --failure-details "build timed out"',
)
@click.argument("task")
@click.option("--success/--failed", "success", cls=options.Switch, required=True, help="Whether the task succeeded.")
@_add_outcome_fields
@options.project_and_json
def record_outcome_command(task: str, success: bool, folder: str, as_json: bool, **details: Any) -> None:
    """Record the outcome of TASK, which becomes the vote of its session on its strategies.

    No vote is cast if no hook reported the session, or if the task was not done in a session. Recording TASK again
    replaces the previous outcome, but an agent cannot replace an outcome that a person recorded. --failed alone is
    neutral and casts no vote; add --errors, --retries and --duration-ms to describe the failure.
    """
    from mind_skills.tasks.outcomes import OutcomeInput, record_outcome
    from mind_skills.tasks.tool_input import validate_arguments

    arguments = validate_arguments(OutcomeInput, {"bead_id": task, "success": success, **_drop_unset(details)})
    report = record_outcome(arguments, make_shell_caller(folder))
    emit(report, as_json, lambda: _print_outcome(report))


def _print_outcome(report: OutcomeRecordReport) -> None:
    print_line(f"{report.task}: {report.type} ({report.score}). {report.reasoning}")
    if report.kept:
        print_line("A person already recorded this outcome; it was not changed.")
    if report.strategies:
        print_line(f"{'Voted on' if report.voted else 'No vote on'} {', '.join(report.strategies)}.")


@options.subcommand(outcome_group, "show", "mind-skills task outcome show shop-12 --json")
@click.argument("task", callback=_normalise_task_id)
@options.project_and_json
def show_outcome_command(task: str, folder: str, as_json: bool) -> None:
    """Show the recorded outcome of TASK."""
    _emit_outcomes(task, 1, folder, as_json)


@options.subcommand(outcome_group, "list", "mind-skills task outcome list --limit 5")
@click.option("--limit", type=click.IntRange(1), default=20, metavar="N", help="Maximum number to list, newest first.")
@options.project_and_json
def list_outcomes_command(limit: int, folder: str, as_json: bool) -> None:
    """List the task outcomes of a project."""
    _emit_outcomes("", limit, folder, as_json)


def _emit_outcomes(task: str, limit: int, folder: str, as_json: bool) -> None:
    report = list_outcomes(task, limit, make_shell_caller(folder))
    emit(report, as_json, lambda: _print_outcomes(report))


def _print_outcomes(report: OutcomesReport) -> None:
    rows = [
        (
            each.task,
            f"{each.type} ({each.score})",
            each.failure_mode or "",
            ", ".join(each.strategies),
            format_time(each.at),
        )
        for each in report.outcomes
    ]
    if rows:
        print_table("", ("task", "outcome", "failure", "strategies", "when"), rows)
    else:
        print_line(f"No task outcomes are recorded for {report.project}.")


@command.group("errors", cls=SuggestingGroup)
def errors_group() -> None:
    """Store the errors of a task until they are resolved."""


@options.subcommand(
    errors_group,
    "record",
    'mind-skills task errors record shop-12 --type timeout "the build took too long"',
    'mind-skills task errors record shop-12 --type validation "price is not a number" --tool Bash',
)
@click.argument("task", callback=_normalise_task_id)
@click.argument("message")
@click.option(
    "--type",
    "error_type",
    type=click.Choice(ERROR_TYPES),
    help="Type of the error. Default: derived from MESSAGE.",
)
@click.option("--tool", default="", metavar="NAME", help="The tool that failed.")
@click.option("--context", default="", metavar="TEXT", help="What the agent was doing.")
@click.option("--stack", default="", metavar="TEXT", help="A stack trace.")
@options.project_and_json
def record_error_command(
    task: str,
    message: str,
    error_type: ErrorType | None,
    tool: str,
    context: str,
    stack: str,
    folder: str,
    as_json: bool,
) -> None:
    """Record an error of TASK.

    Until the error is resolved, it is shown to the session that recorded it when that is resumed. If that session is
    unknown, it is shown to every session of the project that is resumed. No other session is shown it.
    """
    message, tool, context, stack = (
        str(make_text_cleaner(MAX_TEXT_CHARACTERS)(text)) for text in (message, tool, context, stack)
    )
    if not message:
        raise click.BadParameter("describe the error", param_hint="'MESSAGE'")
    caller = make_shell_caller(folder)
    with open_tasks(caller) as tasks:
        errors = ErrorAccumulator(tasks.errors, project_id=caller.project.id, session_id=caller.session)
        kind = error_type or classify_error(message)
        errors.record(task, kind, message, at=caller.now, tool_name=tool, context=context, stack_trace=stack)
        entries = errors.list_errors(task)
    _print_errors(
        task, entries, as_json, include_resolved=False
    )  # after the texts for resumed sessions are written, which may fail


@options.subcommand(
    errors_group, "show", "mind-skills task errors show shop-12", "mind-skills task errors show shop-12 --all"
)
@click.argument("task", callback=_normalise_task_id)
@click.option("--all", "include_resolved", is_flag=True, help="Include resolved errors.")
@options.project_and_json
def show_errors_command(task: str, include_resolved: bool, folder: str, as_json: bool) -> None:
    """Show the unresolved errors of TASK, formatted for an agent."""
    with open_tasks(make_shell_caller(folder), create=False) as tasks:
        _print_errors(task, tasks.errors.list_by_task(task), as_json, include_resolved=include_resolved)


@options.subcommand(errors_group, "resolve", "mind-skills task errors resolve shop-12")
@click.argument("task", callback=_normalise_task_id)
@click.option(
    "--id", "error_id", default="", metavar="ID", help="Only resolve the error with this id, which may be shortened."
)
@options.project_and_json
def resolve_errors_command(task: str, error_id: str, folder: str, as_json: bool) -> None:
    """Mark one or all errors of TASK as resolved."""
    with open_tasks(make_shell_caller(folder), create=False) as tasks:
        errors = ErrorAccumulator(tasks.errors)
        unresolved = [
            entry for entry in errors.list_errors(task, include_resolved=False) if entry.id.startswith(error_id)
        ]
        if error_id and len(unresolved) != 1:
            matches = "no open error" if not unresolved else f"{len(unresolved)} open errors"
            hint = f"Run `mind-skills task errors show {task}` to list the ids."
            raise MindSkillsError("unknown_error", f"{task} has {matches} with an id that begins with {error_id}", hint)
        for entry in unresolved:
            errors.resolve(entry.id)
        entries = errors.list_errors(task)
    # Only print the counts: the text for agents asks for action even if no error is open.
    _print_errors(task, entries, as_json, include_resolved=True, counts_only=True)


@options.subcommand(errors_group, "stats", "mind-skills task errors stats shop-12 --json")
@click.argument("task", callback=_normalise_task_id)
@options.project_and_json
def count_errors_command(task: str, folder: str, as_json: bool) -> None:
    """Count the errors of TASK: in total, open, and by type."""
    with open_tasks(make_shell_caller(folder), create=False) as tasks:
        _print_errors(task, tasks.errors.list_by_task(task), as_json, include_resolved=True, counts_only=True)


def _print_errors(
    task: str, entries: Sequence[ErrorEntry], as_json: bool, *, include_resolved: bool, counts_only: bool = False
) -> None:
    """Print the errors of a task as JSON or text. With ``counts_only``, the text has only the counts."""
    counts = count_errors(entries)
    shown = [entry for entry in entries if include_resolved or not entry.resolved]
    text = format_errors(map(_flatten_entry, shown))

    def render() -> None:
        if text and not counts_only:
            print_line(text.rstrip("\n"))
            for error in shown:
                print_line(
                    f"{error.id}: {flatten(error.message, MAX_TEXT_CHARACTERS)}{' (resolved)' if error.resolved else ''}"
                )
            return
        type_counts = ", ".join(f"{number} {name}" for name, number in counts.by_type.items())
        print_line(
            f"{task}: {format_count(counts.total, 'error')}, {counts.unresolved} open{f' ({type_counts})' if type_counts else ''}"
        )

    sums = {"total": counts.total, "unresolved": counts.unresolved, "byType": counts.by_type}
    errors = [
        {to_camel_case(name): getattr(entry, name) for name in _ERROR_FIELDS} | {"task": entry.task_id}
        for entry in shown
    ]
    emit({"task": task, **sums, "errors": errors, "text": text}, as_json, render)


def _flatten_entry(entry: ErrorEntry) -> ErrorEntry:
    """Collapse the texts of an error to one line each, so that untrusted text cannot form further lines or tags."""
    return replace(
        entry,
        message=flatten(entry.message, MAX_TEXT_CHARACTERS),
        context=flatten(entry.context, MAX_TEXT_CHARACTERS),
        tool_name=flatten(entry.tool_name, MAX_TEXT_CHARACTERS),
        stack_trace=flatten(entry.stack_trace, MAX_TEXT_CHARACTERS),
    )
