"""`mind-skills demo`: the whole loop on a bundled session, for whoever sees it for the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.cli.demo_report import DemoReport

WIDTH = 100
"""Columns of the text: wider lines are hard to read, whatever the terminal allows."""


@click.command(epilog=options.examples("mind-skills demo", "mind-skills demo --json"))
@options.as_json
def command(as_json: bool) -> None:
    """See the whole loop: one session learns, the next one is told, the third is not.

    It plays in a temporary folder, through the code that runs in real sessions, and leaves nothing behind.
    """
    from mind_skills.cli.walkthrough import walk
    from mind_skills.plugin.output import emit

    report = walk()
    emit(report, as_json, lambda: _show(report))


def _show(report: DemoReport) -> None:
    import shutil

    from mind_skills.plugin.output import heading, interactive, line, paragraph

    width = min(WIDTH, shutil.get_terminal_size().columns)
    for number, step in enumerate(report.steps, 1):
        heading(f"{number}. {step.title}")
        paragraph(step.what, width)
        if step.block:
            line()
            for text in step.block.splitlines():
                paragraph(text, width, bar=True) if interactive() else line(f"   | {text}".rstrip())
            line()
        paragraph(f"Why: {step.why}", width)
        line()
    line("Nothing of this is left on your machine. Next: mind-skills replay ~/.claude/projects")
