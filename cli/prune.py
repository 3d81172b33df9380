"""`mind-skills prune`: delete old data that is no longer needed."""

from __future__ import annotations

import os

import click

from mind_skills.cli import options
from mind_skills.hooks import retention
from mind_skills.hooks.redact_again import redact_again
from mind_skills.hooks.retention import DAY, measure_elapsed
from mind_skills.output import state
from mind_skills.output.text import emit, format_count, print_line, print_table
from mind_skills.settings.lenient import get_retention_days
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.store import database
from mind_skills.store.home import get_state_folder


def _parse_age(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    if not (days := options.count_days(value)):
        raise click.BadParameter(f"use a period of at most {options.MAX_DAYS} days, such as 90d or 12w")
    return days


@options.top_level_command("mind-skills prune --dry-run", "mind-skills prune --older-than 90d --json")
@click.option(
    "--older-than",
    callback=_parse_age,
    default=None,
    metavar="PERIOD",
    help="Delete data older than this: 90d or 12w (90 means 90d). Default: the setting `retention_days`.",
)
@options.dry_run
@options.as_json
def command(older_than: int | None, dry_run: bool, as_json: bool) -> None:
    """Delete old sessions, offers and votes, and release their disk space.

    Pending, accepted and dismissed candidates remain, with the old sessions that their offers depend on; all other old
    candidates are deleted. Data that was stored under older redaction rules is redacted again. Both also happen
    automatically at the end of a session, the deletion at most once a day.
    """
    home = get_state_folder()
    days = get_retention_days() if older_than is None else older_than
    forgotten: dict[str, int] = {}
    before = after = 0
    if state.has_database():
        state.open_database(SCHEMA).close()  # so that damage is reported
        before = _measure_database(home)
        # Age is measured in elapsed time, so that a wrong clock deletes nothing too early (hooks/retention.py).
        cutoff = measure_elapsed(home, state.read_clock()).now - days * DAY
        forgotten = retention.prune(home, cutoff, dry_run=dry_run)
        if not dry_run:
            redact_again(home, seconds=float("inf"))
            retention.compact(home)
        after = _measure_database(home)
    report = {"days": days, "dryRun": dry_run, "forgotten": forgotten, "bytesBefore": before, "bytesAfter": after}
    rows = [(name, str(number)) for name, number in forgotten.items() if number]

    def render() -> None:
        if not rows:
            print_line(f"There is no data older than {format_count(days, 'day')} to delete.")
            return
        column = "to delete" if dry_run else "deleted"
        print_table("", ("data", column), rows, right_aligned=(column,))
        if not dry_run:
            print_line(f"Database size: {before:,} bytes before, {after:,} bytes now.")

    emit(report, as_json, render)


def _measure_database(home: str) -> int:
    paths = [os.path.join(home, database.DATABASE_NAME + suffix) for suffix in ("", "-wal")]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path))
