"""`mind-skills accept`: a candidate has become a skill."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mind_skills.plugin import options
from mind_skills.plugin.errors import MindSkillsError

if TYPE_CHECKING:
    from mind_skills.plugin.lint_report import FlawReport

SKILL = "SKILL.md"


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

    The skill is checked as by `mind-skills lint`, and never changed: one with errors is refused, unless --force is
    given. What is wrong with it is said on stderr.
    """
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.receipt import show

    place = chosen(project)
    path = _skill_file(skill)
    _check(path, force)
    with state.ledger() as ledger:
        record = ledger.accept(candidate, path, state.now(), place)
    show("accepted", record, as_json)


def _check(path: str, force: bool) -> None:
    """Say what is wrong with the skill. Raises MindSkillsError where it has errors, unless ``force`` is set."""
    from mind_skills.plugin import linting
    from mind_skills.plugin.flaw_text import show
    from mind_skills.plugin.output import count, note

    report = linting.report([(path, linting.flaws(path))])
    for each in report.skills:
        show(each.path, each.flaws, note)
    if report.totals.errors and not force:
        message = f"the skill has {count(report.totals.errors, 'error')}: {', '.join(_codes(report.skills[0].flaws))}"
        hint = "`mind-skills lint` shows them until they are mended; --force accepts it as it is."
        raise MindSkillsError("skill_flawed", message, hint)


def _codes(flaws: Sequence[FlawReport]) -> list[str]:
    return list(dict.fromkeys(flaw.code for flaw in flaws if flaw.severity == "error"))


def _skill_file(named: str) -> str:
    """The absolute path of the SKILL.md that is meant. Raises MindSkillsError where there is none."""
    path = os.path.abspath(os.path.expanduser(named))
    if os.path.isdir(path):
        path = os.path.join(path, SKILL)
    if os.path.basename(path) != SKILL or not os.path.isfile(path):
        hint = "Name the SKILL.md, or the folder that it is in."
        raise MindSkillsError("skill_missing", f"there is no skill at {named}", hint)
    return path
