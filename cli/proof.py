"""`mind-skills proof`: of the sessions in which a known error came back, how many got past it, with the skill and without."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.comparison import ProofReport, difference_text, pace_text, prove, side_text
from mind_skills.output import state
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, line, table


@options.command("mind-skills proof", "mind-skills proof exact-decimals", "mind-skills proof --json")
@click.argument("name", default="", metavar="[SKILL]")
@options.project_and_json
def command(name: str, project: str, as_json: bool) -> None:
    """Say whether skills help when their error comes back: how many sessions got past it, and how fast.

    Compared are sessions since the skill was there, with the same error, that loaded the skill before they got past it
    and that did not. With fewer than five on a side nothing is concluded. Nobody drew lots for who loads a skill, so this
    is what was seen and not a cause; docs/learning.md says what may mislead.
    """
    with state.open_ledger() as ledger:
        report = prove(ledger, choose_project(project), name)
    emit(report, as_json, lambda: _print(report))


def _print(report: ProofReport) -> None:
    rows = [
        (
            each.name,
            *(side_text(one) for one in (each.comparison.with_skill, each.comparison.without, each.before)),
            *(pace_text(one) for one in (each.comparison.with_skill, each.comparison.without)),
            difference_text(each.comparison),
        )
        for each in report.skills
    ]
    if rows:
        columns = ("skill", "got past it with", "without", "before it was there", "took with", "without", "difference")
        table("Sessions in which its error came back", columns, rows)
        found = report.overall
        line(
            f"All skills: {side_text(found.with_skill)} with, {side_text(found.without)} without; {difference_text(found)}."
        )
        line(f"Repairs less regressions: {found.repairs} - {found.regressions} = {found.net}, by error.")
    else:
        line(f"No skill of {report.project} came from a candidate.")
    if report.unskilled.n:
        line(
            f"Errors that no skill is about came back in {count(report.unskilled.n, 'session')}: {side_text(report.unskilled)}."
        )
    line(f"{count(report.known, 'error')} known here. Seen, not tried: who loads a skill was not left to chance.")
