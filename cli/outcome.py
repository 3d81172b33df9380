"""`mind-skills outcome`: how a task came out, where no session log says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup

if TYPE_CHECKING:
    from mind_skills.tasks.outcomes import OutcomeRecordReport, OutcomesReport


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Say how a task came out. Sessions are judged by their logs; this is for what they do not show."""


@command.command(
    "record",
    epilog=options.examples(
        "mind-skills outcome record shop-12 --success --duration-ms 240000 --files-touched cart.py",
        'mind-skills outcome record shop-12 --failed --retries 2 --strategy file-based --failure-details "build timed out"',
    ),
)
@click.argument("task")
@click.option("--success/--failed", "success", required=True, help="Whether it reached what it was after.")
@options.outcome_fields
@options.project
@options.as_json
def record(task: str, success: bool, project: str, as_json: bool, **said: Any) -> None:
    """Score TASK by what is known of it, for the vote of its session on the strategies that it followed.

    A session that no hook has told of has no vote, nor has what you say of a task that was done in none.
    Said again of the same TASK, it takes the place of what was said before. --failed alone is neutral and casts no vote:
    --errors, --retries and --duration-ms say how badly it went.
    """
    from mind_skills.output.text import emit
    from mind_skills.tasks.caller import make_shell_caller
    from mind_skills.tasks.outcomes import OutcomeInput, record_outcome
    from mind_skills.tasks.tool_input import drop_unset, validate_arguments

    given = validate_arguments(OutcomeInput, {"bead_id": task, "success": success, **drop_unset(said)})
    report = record_outcome(given, make_shell_caller(project))
    emit(report, as_json, lambda: _show_record(report))


@command.command("show", epilog=options.examples("mind-skills outcome show shop-12 --json"))
@click.argument("task")
@options.project
@options.as_json
def show(task: str, project: str, as_json: bool) -> None:
    """Show what was said of TASK."""
    _list(task, 1, project, as_json)


@command.command("list", epilog=options.examples("mind-skills outcome list --limit 5"))
@click.option("--limit", type=click.IntRange(1), default=20, metavar="N", help="So many at most, the last ones first.")
@options.project
@options.as_json
def list_outcomes(limit: int, project: str, as_json: bool) -> None:
    """List how the tasks of a project came out."""
    _list("", limit, project, as_json)


def _list(task: str, limit: int, project: str, as_json: bool) -> None:
    from mind_skills.output.text import emit
    from mind_skills.tasks.caller import make_shell_caller
    from mind_skills.tasks.outcomes import list_outcomes as find_outcomes

    report = find_outcomes(task, limit, make_shell_caller(project))
    emit(report, as_json, lambda: _show(report))


def _show_record(report: OutcomeRecordReport) -> None:
    from mind_skills.output.text import line

    line(f"{report.task}: {report.type} ({report.score}). {report.reasoning}")
    if report.kept:
        line("A person has said so before, and that stands.")
    if report.strategies:
        line(f"{'Voted on' if report.voted else 'No vote on'} {', '.join(report.strategies)}.")


def _show(report: OutcomesReport) -> None:
    from mind_skills.output.text import line, table, when

    rows = [
        (each.task, f"{each.type} ({each.score})", each.failure_mode or "", ", ".join(each.strategies), when(each.at))
        for each in report.outcomes
    ]
    if rows:
        table("", ("task", "outcome", "failure", "strategies", "when"), rows)
    else:
        line(f"Nobody has said how a task of {report.project} came out.")
