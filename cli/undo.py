"""`mind-skills undo`: the last decision did not happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options
from mind_skills.errors import MindSkillsError

if TYPE_CHECKING:
    from mind_skills.cli.undo_report import UndoReport

_WHAT = {
    "accepted": "accepted as a skill",
    "dismissed": "dismissed",
    "vote": "a vote",
    "deprecated": "given up",
    "reset": "reset",
    "pinned": "pinned",
    "unpinned": "no longer pinned",
}


@click.command(epilog=options.examples("mind-skills undo --dry-run", "mind-skills undo"))
@options.dry_run
@options.project
@options.as_json
def command(dry_run: bool, project: str, as_json: bool) -> None:
    """Take back the last decision in this project, whoever made it.

    That is a candidate accepted or dismissed, the vote of a session on a strategy, or a strategy given up, reset or
    pinned by hand. All of it is again what it was before; a vote that was taken back does not return when its session is
    looked at once more. Run it again to take back the one before that.
    """
    from mind_skills.cli.undoing import last, undo
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import emit
    from mind_skills.plugin.patterns import opened

    place = chosen(project)
    with state.ledger() as ledger, opened(place) as patterns:
        report = last(ledger, patterns, place) if dry_run else undo(ledger, patterns, place, state.now())
    if report is None:
        hint = "Nothing was decided there, or all of it has been taken back; --project DIR names another project."
        raise MindSkillsError("nothing_to_undo", f"there is nothing to take back in {place.root}", hint)
    emit(report, as_json, lambda: _show(report))


def _show(report: UndoReport) -> None:
    from mind_skills.plugin.output import line, when

    done = report.done == "undone"
    stands = f"{report.id} {'is' if done else 'would be'} {report.state} again"
    if report.state == "gone":
        stands = f"nothing {'is' if done else 'would be'} known of {report.id} any more"
    line(f"{'Taken back' if done else 'Would be taken back'}: {stands}.\n  {report.title}")
    line(f"  {_WHAT[report.what]} {_who(report)}, {when(report.at)}")


def _who(report: UndoReport) -> str:
    if not report.session:
        return "by hand"
    return f"by session {report.session}"
