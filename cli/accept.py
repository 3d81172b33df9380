"""`mind-skills accept`: a candidate has become a skill."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.skills import print_flaws
from mind_skills.output.text import emit, line, note
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.decide import AcceptInput, accept
from mind_skills.tasks.tool_input import validate_arguments


@options.command("mind-skills accept sc_1a2b3c4d --skill .claude/skills/exact-decimals/SKILL.md")
@click.argument("candidate", metavar="ID")
@click.option(
    "--skill", required=True, metavar="PATH", type=click.Path(), help="The skill: its SKILL.md, or its folder."
)
@click.option("--force", is_flag=True, help="Accept it although the skill has errors.")
@options.project_and_json
def command(candidate: str, skill: str, force: bool, project: str, as_json: bool) -> None:
    """Record that a candidate has become a skill, so that it is not offered again.

    This is noticed by itself when a session that was told of the candidate writes the skill; the command is for
    skills that were written in another way. ID may be shortened as long as it is clear which is meant.

    The skill is checked as by `mind-skills skills lint`, and never changed: one with errors is refused, unless --force is
    given. What is wrong with it is said on stderr.
    """
    receipt = accept(
        validate_arguments(AcceptInput, {"id": candidate, "skill": skill}),
        make_shell_caller(project),
        force=force,
        show_flaws=lambda path, flaws: print_flaws(path, flaws, note),
    )
    emit(receipt, as_json, lambda: line(f"Accepted {receipt.id} as {receipt.detail}.\n  {receipt.title}"))
