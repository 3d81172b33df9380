"""`mind-skills dismiss`: a candidate is refused for good."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.output.text import emit, line
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.decide import DismissInput, dismiss
from mind_skills.tasks.tool_input import ID, text_cleaner, validate_arguments


@options.command('mind-skills dismiss sc_1a2b3c4d --reason "our linter says so already"')
@click.argument("candidate", metavar="ID")
@click.option("--reason", required=True, metavar="R", help="Why; for whoever wonders later.")
@options.project_and_json
def command(candidate: str, reason: str, project: str, as_json: bool) -> None:
    """Refuse a candidate for good: the same learning is never offered again in this project.

    ID may be shortened as long as it is clear which is meant. `mind-skills undo` takes it back.
    """
    if not text_cleaner(ID, line=True)(reason):
        raise click.BadParameter("say in a few words why; whoever wonders later reads it", param_hint="'--reason'")
    arguments = validate_arguments(DismissInput, {"id": candidate, "reason": reason})
    receipt = dismiss(arguments, make_shell_caller(project))
    text = f"Dismissed {receipt.id} for good; `mind-skills undo` takes it back.\n  {receipt.title}"
    emit(receipt, as_json, lambda: line(text))
