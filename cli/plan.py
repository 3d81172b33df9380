"""`mind-skills plan`: what is known that bears on a task, before it is begun."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(
    epilog=options.examples(
        'mind-skills plan "Add a discount to the cart"',
        'mind-skills plan "Add a discount to the cart" --context "prices are Decimals" --task-id shop-12 --json',
    )
)
@click.argument("task")
@click.option("--context", default="", metavar="TEXT", help="What else is known: constraints, files, approach.")
@click.option(
    "--task-id", "--bead-id", "bead_id", default="", metavar="ID", help="Its id, which brings back its open errors."
)
@options.project
@options.as_json
def command(task: str, context: str, bead_id: str, project: str, as_json: bool) -> None:
    """Show what is known that bears on TASK, a task in words, as an agent should read it.

    That is what similar tasks have taught, the strategies that are proven in this project, those to avoid, and the
    errors that are open of this very task. `mind-skills complete` says how it came out.
    """
    from mind_skills.output.text import emit, line
    from mind_skills.tasks.caller import make_shell_caller
    from mind_skills.tasks.plan import PlanInput, plan
    from mind_skills.tasks.tool_input import validate_arguments

    report = plan(
        validate_arguments(PlanInput, {"task": task, "context": context, "bead_id": bead_id}),
        make_shell_caller(project),
    )
    emit(report, as_json, lambda: line(report.text))
