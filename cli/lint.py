"""`mind-skills lint`: is a skill well made, and safe to load?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.tasks.lint import LintReport

_EXAMPLES = options.examples(
    "mind-skills lint .claude/skills",
    "mind-skills lint .claude/skills/exact-decimals",
    "mind-skills lint .claude/skills/exact-decimals/SKILL.md --json",
)


@click.command(epilog=_EXAMPLES)
@click.argument("path", type=click.Path())
@options.as_json
def command(path: str, as_json: bool) -> int:
    """Check a skill against the Agent Skills format, for safety, and against the other skills that are installed.

    PATH is a SKILL.md, the folder of a skill, or a folder of skills. Nothing in it is run or changed. The exit code is
    1 if there are errors; warnings are advice.
    """
    from mind_skills.errors import DONE, INPUT
    from mind_skills.output.text import emit
    from mind_skills.tasks.lint import lint_path

    report = lint_path(path)
    emit(report, as_json, lambda: _show(report))
    return INPUT if report.totals.errors else DONE


def _show(report: LintReport) -> None:
    from mind_skills.cli.flaw_text import show
    from mind_skills.output.text import count, line

    for skill in report.skills:
        show(skill.path, skill.flaws)
    totals = report.totals
    line(f"{count(totals.skills, 'skill')}: {count(totals.errors, 'error')}, {count(totals.warnings, 'warning')}.")
