"""`mind-skills prune`: forget what is over and old."""

from __future__ import annotations

import os
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.hooks import retention
from mind_skills.hooks.redact_again import redact_again
from mind_skills.hooks.retention import DAY, measure_elapsed
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.text import emit, line, table
from mind_skills.settings.lenient import retention_days
from mind_skills.store import database
from mind_skills.store.home import ensure


class PruneReport(Report):
    """`mind-skills prune --json`. ``forgotten`` counts rows by table, and small files as ``traces``; sizes are of the database."""

    version: Literal[1] = 1
    days: int
    dry_run: bool
    forgotten: dict[str, int]
    bytes_before: int
    bytes_after: int


@options.command("mind-skills prune --dry-run", "mind-skills prune --older-than 90 --json")
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
    report = pruned(older_than, dry_run=dry_run)
    emit(report, as_json, lambda: _show(report))


def _show(report: PruneReport) -> None:
    rows = [(name, str(number)) for name, number in report.forgotten.items() if number]
    if not rows:
        line(f"Nothing here is older than {report.days} days.")
        return
    table("", ("what", "would go" if report.dry_run else "gone"), rows, right=("would go", "gone"))
    if not report.dry_run:
        line(f"The database takes {report.bytes_after:,} bytes now, it took {report.bytes_before:,}.")


def pruned(days: int | None, *, dry_run: bool) -> PruneReport:
    """Redact what older rules left, and forget what is older than ``days``,
    or than the user's settings say, by the time that passed (hooks/retention.py).

    Raises StoreError, OSError.
    """
    home = ensure()
    days = retention_days() if days is None else days
    before = _size(home)
    counts = retention.prune(home, measure_elapsed(home, state.now()).now - days * DAY, dry_run=dry_run)
    if not dry_run:
        redact_again(home, state.now(), seconds=float("inf"))
        retention.compact(home)
    return PruneReport(days=days, dry_run=dry_run, forgotten=counts, bytes_before=before, bytes_after=_size(home))


def _size(home: str) -> int:
    paths = [os.path.join(home, database.NAME + end) for end in ("", "-wal")]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path))
