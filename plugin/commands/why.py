"""`mind-skills why`: why a candidate ranks as it does, and why it is offered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.plugin import options

if TYPE_CHECKING:
    from mind_skills.plugin.why_report import WhyReport


@click.command(epilog=options.examples("mind-skills why sc_1a2b3c4d", "mind-skills why 1a2b --json"))
@click.argument("candidate", metavar="ID")
@options.project
@options.as_json
def command(candidate: str, project: str, as_json: bool) -> None:
    """Say why a candidate ranks as it does, where it was seen, what became of it, and why it is offered or not.

    ID may be shortened as long as it is clear which is meant. The rank is the sum of its parts.
    """
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import emit
    from mind_skills.plugin.why import explain

    place = chosen(project)
    with state.ledger() as ledger:
        state.catch_up(ledger, place)
        report = explain(ledger, ledger.find(candidate, place), place)
    emit(report, as_json, lambda: _show(report))


def _show(report: WhyReport) -> None:
    from mind_skills.plugin.output import heading, line, quoted, table, when
    from mind_skills.plugin.replay_text import kind_text

    heading(f"{report.id}  {kind_text(report.kind)}, {report.confidence} confidence, {report.state}")
    line(quoted(report.title, 120))
    line()
    line(f"Offered? {report.verdict}")
    line()
    rows = [(part.name, f"{part.value:+.2f}" if part.value else "0", part.text) for part in report.parts]
    table("", ("part", "adds", "why"), [*rows, ("rank", f"{report.rank:.2f}", "The sum.")], right=("adds",))
    if report.nearest is not None:
        line(f"The nearest skill says {report.nearest.share:.0%} of it: {report.nearest.path}")
    line()
    seen = [
        (one.session_id, one.host, f"{one.first_line}-{one.last_line}", when(one.at), one.log) for one in report.seen
    ]
    table("Seen in", ("session", "host", "lines", "when", "log"), seen)
    line()
    events = [(when(one.at), one.text, one.session_id) for one in report.events]
    table("What became of it", ("when", "what", "session"), events)
