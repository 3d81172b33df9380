"""`mind-skills accept`: record that a candidate has become a skill."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.skills import print_flaws
from mind_skills.output.text import emit, print_line, print_note
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.decide import AcceptInput, accept
from mind_skills.tasks.tool_input import validate_arguments


@options.top_level_command("mind-skills accept sc_1a2b3c4d --skill .claude/skills/exact-decimals/SKILL.md")
@click.argument("candidate", metavar="ID")
@click.option("--skill", required=True, metavar="PATH", type=click.Path(), help="SKILL.md of the skill, or its folder.")
@click.option("--force", is_flag=True, help="Accept the skill even if it has errors.")
@options.project_and_json
def command(candidate: str, skill: str, force: bool, folder: str, as_json: bool) -> None:
    """Record that a candidate has become a skill, so that it is not offered again.

    If a session that was offered the candidate writes the skill, this is detected automatically. Use this command for
    skills that were written in any other way. You can shorten ID as long as it is unambiguous.

    The skill is checked as by `mind-skills skills lint`, and never changed. Its errors and warnings are printed on
    stderr. A skill with errors is rejected unless --force is given.
    """
    receipt = accept(
        validate_arguments(AcceptInput, {"id": candidate, "skill": skill}),
        make_shell_caller(folder),
        force=force,
        show_flaws=lambda path, flaws: print_flaws(path, flaws, print_note),
    )
    emit(receipt, as_json, lambda: print_line(f"Accepted {receipt.id} as {receipt.detail}.\n  {receipt.title}"))
    for problem in receipt.problems:
        print_note(f"Check the skill: {problem}.")
