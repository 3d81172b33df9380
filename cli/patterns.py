"""`mind-skills patterns`: the strategies that sessions followed, and what became of them."""

from __future__ import annotations

from copy import copy

import click

from mind_skills.cli import options, pin
from mind_skills.cli.group import ListingGroup
from mind_skills.cli.open_patterns import opened
from mind_skills.cli.pattern_report import PatternReport, PatternsReport
from mind_skills.output import state
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, table

REASON = 200
"""Characters of a reason that are kept."""


@click.group(cls=ListingGroup)
def command() -> None:
    """Show the strategies that sessions of a project followed, and change where they stand.

    A session has one vote on each strategy that its plans name, from how it came out. What fails in three of five
    sessions or more becomes a warning that later sessions are told. Without a command the list is shown.
    """


@command.command("list", epilog=options.examples("mind-skills patterns list", "mind-skills patterns list --json"))
@options.project
@options.as_json
def list_patterns(project: str, as_json: bool) -> None:
    """List the strategies and warnings of a project."""
    with opened(choose_project(project)) as patterns:
        _emit(patterns.project.root, patterns.listed(state.now()), as_json)


@command.command("reset", epilog=options.examples("mind-skills patterns reset split-by-feature"))
@click.argument("pattern", metavar="ID")
@options.project
@options.as_json
def reset(pattern: str, project: str, as_json: bool) -> None:
    """Begin anew with a strategy: its votes and its warning are gone, and no session is told of them any more."""
    with opened(choose_project(project)) as patterns:
        found = patterns.named(pattern.removeprefix("anti-"))
        patterns.credit.reset(found.pattern.id, now=state.now())
        patterns.changed(state.now())
        name = found.pattern.id.rpartition("/")[2]
        _emit(patterns.project.root, [each for each in patterns.listed(state.now()) if each.id == name], as_json)


@command.command(
    "deprecate", epilog=options.examples('mind-skills patterns deprecate split-by-feature --reason "we are one team"')
)
@click.argument("pattern", metavar="ID")
@click.option("--reason", required=True, metavar="R", help="Why; for whoever wonders later.")
@options.project
@options.as_json
def deprecate(pattern: str, reason: str, project: str, as_json: bool) -> None:
    """Give a strategy up: it is not recommended any more, until it is reset."""
    from mind_skills.redaction.personal import redact_personal  # only here: its expressions take as long as the rest
    from mind_skills.redaction.text import clean

    why = redact_personal(" ".join(clean(reason, REASON).split()))
    if not why:
        raise click.BadParameter("say in a few words why; whoever wonders later reads it", param_hint="'--reason'")
    with opened(choose_project(project)) as patterns:
        found = patterns.named(pattern.removeprefix("anti-"))
        patterns.credit.deprecate(found.pattern.id, why, now=state.now())
        patterns.changed(state.now())
        name = found.pattern.id.rpartition("/")[2]
        _emit(patterns.project.root, [each for each in patterns.listed(state.now()) if each.id == name], as_json)


_pin = copy(pin.command)
_pin.epilog = options.examples("mind-skills patterns pin split-by-feature --off")
command.add_command(_pin, "pin")  # what `mind-skills pin` does, beside the others that change a strategy


def _emit(project: str, found: list[PatternReport], as_json: bool) -> None:
    show(project, found, as_json)


def show(project: str, found: list[PatternReport], as_json: bool) -> None:
    """Print the patterns of the project whose folder is ``project``."""
    report = PatternsReport(project=project, patterns=found)
    emit(report, as_json, lambda: _text(report))


def _text(report: PatternsReport) -> None:
    rows = [(each.id, each.content, f"{each.text}{' pinned' if each.pinned else ''}") for each in report.patterns]
    if rows:
        table("", ("id", "strategy", "stands"), rows)
    else:
        line(f"No session in {report.project} has followed a strategy that is known, or come out clearly.")
