"""`mind-skills complete`: a task is over; how it came out is counted, and what was done can be recalled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.tasks.complete import CompleteReport


@click.command(
    epilog=options.examples(
        'mind-skills complete shop-12 --summary "Split by file type; discounts are Decimals" --files-touched cart.py',
        'mind-skills complete shop-13 --failed --summary "One file per subtask" --failure-details "merge conflict" --json',
    )
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
def command(task: str, project: str, as_json: bool, **said: Any) -> None:
    """Record that TASK is over, by its id or in the words in which it was planned, and learn from it.

    The strategies that the summary names get the vote of the session that did it, one each, where a hook has told of that
    session; one that keeps failing becomes a warning. What was done is remembered with the text of the task, for
    `mind-skills plan`. Errors of a task that succeeded are resolved. Repeated, it counts once.

    How it came out is a score of four signals, as for sessions. --failed alone is neutral and casts no vote: --errors,
    --retries and --duration-ms say how badly it went.
    """
    from mind_skills.output.text import emit
    from mind_skills.tasks.caller import make_shell_caller
    from mind_skills.tasks.complete import CompleteInput, complete
    from mind_skills.tasks.tool_input import drop_unset, validate_arguments

    report = complete(
        validate_arguments(CompleteInput, {"bead_id": task, "summary": "", **drop_unset(said)}),
        make_shell_caller(project),
    )
    emit(report, as_json, lambda: _show(report))


def _show(report: CompleteReport) -> None:
    from mind_skills.output.text import line

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
        line(f"{report.open_errors} of its errors are open: `mind-skills errors show` has them.")
