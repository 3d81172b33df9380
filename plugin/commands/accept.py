"""`mind-skills accept`: a candidate has become a skill."""

from __future__ import annotations

import os

import click

from mind_skills.plugin import options
from mind_skills.plugin.errors import MindSkillsError

SKILL = "SKILL.md"


@click.command(epilog=options.examples("mind-skills accept sc_1a2b3c4d --skill .claude/skills/exact-decimals/SKILL.md"))
@click.argument("candidate", metavar="ID")
@click.option(
    "--skill", required=True, metavar="PATH", type=click.Path(), help="The skill: its SKILL.md, or its folder."
)
@options.project
@options.as_json
def command(candidate: str, skill: str, project: str, as_json: bool) -> None:
    """Record that a candidate has become a skill, so that it is not offered again.

    This is noticed by itself when a session that was told of the candidate writes the skill; the command is for
    skills that were written in another way. ID may be shortened as long as it is clear which is meant.
    """
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.receipt import show

    place = chosen(project)
    path = _skill_file(skill)
    with state.ledger() as ledger:
        record = ledger.accept(candidate, path, state.now(), place)
    show("accepted", record, as_json)


def _skill_file(named: str) -> str:
    """The absolute path of the SKILL.md that is meant. Raises MindSkillsError where there is none."""
    path = os.path.abspath(os.path.expanduser(named))
    if os.path.isdir(path):
        path = os.path.join(path, SKILL)
    if os.path.basename(path) != SKILL or not os.path.isfile(path):
        hint = "Name the SKILL.md, or the folder that it is in."
        raise MindSkillsError("skill_missing", f"there is no skill at {named}", hint)
    return path
