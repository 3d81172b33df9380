"""`mind-skills dismiss`: dismiss a candidate, so that it is not offered again in its project."""

from __future__ import annotations

from functools import partial

import click

from mind_skills.cli import options
from mind_skills.output import state
from mind_skills.output.text import emit, print_line
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.cleaning import make_text_cleaner
from mind_skills.tasks.decide import MAX_REASON_LENGTH, DismissInput, dismiss
from mind_skills.tasks.tool_input import validate_arguments


@options.top_level_command(
    'mind-skills dismiss sc_1a2b3c4d --reason "our linter reports it already"',
    'mind-skills dismiss 1a2b 5c6d --reason "fixed for good"',
)
@click.argument("candidates", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", required=True, metavar="R", help="Reason, which is stored for later reference.")
@options.project_and_json
def command(candidates: tuple[str, ...], reason: str, folder: str, as_json: bool) -> None:
    """Dismiss candidates: the same learning is never offered again in this project.

    You can shorten ID as long as it is unambiguous. `mind-skills undo` reverts the decision.
    """
    if not make_text_cleaner(MAX_REASON_LENGTH, single_line=True)(reason):
        raise click.BadParameter("give a short reason; it is stored for later reference", param_hint="'--reason'")
    caller = make_shell_caller(folder)
    undo = f"`mind-skills undo{state.format_project_option(caller.project.root) if folder else ''}`"
    for candidate in candidates:
        receipt = dismiss(validate_arguments(DismissInput, {"id": candidate, "reason": reason}), caller)
        text = f"Dismissed {receipt.id}: it will not be offered again in its project. {undo} reverts that.\n  {receipt.title}"
        emit(receipt, as_json, partial(print_line, text))
