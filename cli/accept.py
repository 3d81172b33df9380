"""`mind-skills accept`: a candidate has become a skill."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.skills import print_flaws
from mind_skills.output.text import note
from mind_skills.tasks.caller import from_shell
from mind_skills.tasks.decide import AcceptInput, accept
from mind_skills.tasks.given import checked
from mind_skills.tasks.receipt import show


@click.command(epilog=options.examples("mind-skills accept sc_1a2b3c4d --skill .claude/skills/exact-decimals/SKILL.md"))
@click.argument("candidate", metavar="ID")
@click.option(
    "--skill", required=True, metavar="PATH", type=click.Path(), help="The skill: its SKILL.md, or its folder."
)
@click.option("--force", is_flag=True, help="Accept it although the skill has errors.")
@options.project
@options.as_json
def command(candidate: str, skill: str, force: bool, project: str, as_json: bool) -> None:
    """Record that a candidate has become a skill, so that it is not offered again.

    This is noticed by itself when a session that was told of the candidate writes the skill; the command is for
    skills that were written in another way. ID may be shortened as long as it is clear which is meant.

    The skill is checked as by `mind-skills skills lint`, and never changed: one with errors is refused, unless --force is
    given. What is wrong with it is said on stderr.
    """
    given = checked(AcceptInput, {"id": candidate, "skill": skill})
    record = accept(
        given, from_shell(project), force=force, tell=lambda found: print_flaws(found.path, found.flaws, note)
    )
    show("accepted", record, as_json)
