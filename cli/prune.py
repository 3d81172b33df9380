"""`mind-skills prune`: forget what is over and old."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.cli.prune_report import PruneReport


@click.command(epilog=options.examples("mind-skills prune --dry-run", "mind-skills prune --older-than 90 --json"))
@click.option(
    "--older-than",
    type=click.IntRange(1),
    default=None,
    metavar="DAYS",
    help="Without it, `retention_days` of the settings.",
)
@options.dry_run
@options.as_json
def command(older_than: int | None, dry_run: bool, as_json: bool) -> None:
    """Forget sessions, offers and votes of long ago, and give the room back.

    What waits, what became a skill, and what was refused for good stays; of the sessions of long ago that saw it, those
    without which it would be told otherwise. What was kept under older rules of redaction is redacted once more. Without
    being asked all this happens at the end of a session, forgetting once a day.
    """
    from mind_skills.cli.pruning import pruned
    from mind_skills.plugin.output import emit

    report = pruned(older_than, dry_run=dry_run)
    emit(report, as_json, lambda: _show(report))


def _show(report: PruneReport) -> None:
    from mind_skills.plugin.output import line, table

    rows = [(name, str(number)) for name, number in report.forgotten.items() if number]
    if not rows:
        line(f"Nothing here is older than {report.days} days.")
        return
    table("", ("what", "would go" if report.dry_run else "gone"), rows, right=("would go", "gone"))
    if not report.dry_run:
        line(f"The database takes {report.bytes_after:,} bytes now, it took {report.bytes_before:,}.")
