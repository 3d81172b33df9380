"""`mind-skills proof`: of the sessions in which a known error came back, how many got past it, with the skill and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.cli.proof_report import ProofReport


@click.command(
    epilog=options.examples("mind-skills proof", "mind-skills proof exact-decimals", "mind-skills proof --json")
)
@click.argument("name", default="", metavar="[SKILL]")
@options.project
@options.as_json
def command(name: str, project: str, as_json: bool) -> None:
    """Say whether skills help when their error comes back: how many sessions got past it, and how fast.

    Compared are sessions since the skill was there, with the same error, that loaded the skill before they got past it
    and that did not. With fewer than five on a side nothing is concluded. Nobody drew lots for who loads a skill, so this
    is what was seen and not a cause; docs/learning.md says what may mislead.
    """
    from mind_skills.cli.proving import proof
    from mind_skills.output import state
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit

    with state.open_ledger() as ledger:
        report = proof(ledger, choose_project(project), name)
    emit(report, as_json, lambda: _show(report))


def _show(report: ProofReport) -> None:
    from mind_skills.cli.proof_text import difference, pace, side
    from mind_skills.output.text import count, line, table

    rows = [
        (
            each.name,
            *(side(one) for one in (each.comparison.with_skill, each.comparison.without, each.before)),
            *(pace(one) for one in (each.comparison.with_skill, each.comparison.without)),
            difference(each.comparison),
        )
        for each in report.skills
    ]
    if rows:
        columns = ("skill", "got past it with", "without", "before it was there", "took with", "without", "difference")
        table("Sessions in which its error came back", columns, rows)
        found = report.overall
        line(f"All skills: {side(found.with_skill)} with, {side(found.without)} without; {difference(found)}.")
        line(f"Repairs less regressions: {found.repairs} - {found.regressions} = {found.net}, by error.")
    else:
        line(f"No skill of {report.project} came from a candidate.")
    if report.unskilled.n:
        line(
            f"Errors that no skill is about came back in {count(report.unskilled.n, 'session')}: {side(report.unskilled)}."
        )
    line(f"{count(report.known, 'error')} known here. Seen, not tried: who loads a skill was not left to chance.")
