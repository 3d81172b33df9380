"""Deletion of old data after a session's end and in the watch, daily, or by `mind-skills prune`. Ages are in elapsed
time: a jump of more than a month, or a pause, does not count until the clock has run on for a month. The ``checked``
marker ``pruned`` has the clock at the last run, its lead, and when that changed (ms).
"""

from __future__ import annotations

import contextlib
import os
from contextlib import suppress
from typing import NamedTuple

from mind_skills.hooks.failure import FOLDER as REMINDED
from mind_skills.hooks.open_errors import update_open_errors
from mind_skills.hooks.session_state import (
    PROJECT_FOLDERS,
    SESSION_FOLDERS,
    SessionMarkers,
    list_markers,
    parse_number,
)
from mind_skills.learning import storage as learning_storage
from mind_skills.memory import records as memory_records
from mind_skills.memory.records import MAX_QUERY_RECORDS, Records
from mind_skills.staging import start_files
from mind_skills.staging.solved_errors import update_index
from mind_skills.staging.start_files import OFFERED_FOLDER
from mind_skills.staging.tables import retention as candidate_retention
from mind_skills.staging.tables import schema as staging_schema
from mind_skills.store.database import Database
from mind_skills.store.error_index import list_indexed_projects

_PARTS = (
    (staging_schema.SCHEMA, candidate_retention.delete_expired),
    (learning_storage.SCHEMA, learning_storage.delete_expired),
    (memory_records.SCHEMA, memory_records.delete_expired),
)
MAX_EPISODES = 2_000
"""Default maximum number of past sessions in the memory; the oldest are deleted."""
DAY = 24 * 60 * 60_000
MONTH = 30 * DAY
"""Both in milliseconds."""
MARKER_NAME = "pruned"


class Elapsed(NamedTuple):
    """The numbers that this run stores, and how far the clock advanced since the previous one (ms); None if there was none."""

    last: int
    ahead: int
    since: int
    advance: int | None

    @property
    def now(self) -> int:
        """The time relative to which ages are measured (UTC ms); never later than the clock."""
        return self.last - self.ahead


def measure_elapsed(home: str, at: int) -> Elapsed:
    """Return the elapsed time if the clock shows ``at`` (UTC ms). Raises OSError."""
    numbers = [parse_number(number) for number in SessionMarkers(home, MARKER_NAME).checked.read().split()]
    if len(numbers) != 3 or None in numbers:
        return Elapsed(at, 0, at, None)
    last, ahead, since = (number or 0 for number in numbers)
    advance = at - last
    if advance > MONTH:
        return Elapsed(at, ahead + advance, at, advance)
    if advance < 0:
        remaining = ahead + advance
        return Elapsed(at, remaining if remaining > MONTH else 0, at, advance)  # a lead of up to a month is ignored
    return Elapsed(at, ahead if at - since < MONTH else 0, since, advance)


def save_elapsed(home: str, elapsed: Elapsed) -> None:
    """Save the elapsed time for the next run. Raises OSError, HomeError."""
    SessionMarkers(home, MARKER_NAME).checked.write(f"{elapsed.last} {elapsed.ahead} {elapsed.since}")


def prune_daily(home: str, at: int, days: int, episodes: int = MAX_EPISODES) -> None:
    """Delete data older than ``days``, and all but the newest ``episodes``, at most once a day, not on the first;
    ``at`` is UTC ms. Raises StoreError, OSError.
    """
    elapsed = measure_elapsed(home, at)
    if elapsed.advance is not None and 0 <= elapsed.advance < DAY:
        return
    save_elapsed(home, elapsed)
    if elapsed.advance is not None:
        prune(home, elapsed.now - days * DAY)
        with Database.open(home, memory_records.SCHEMA) as database:
            Records(database).keep_newest("episode", episodes)
            is_large = Records(database).count() > MAX_QUERY_RECORDS
        if is_large:  # otherwise the next query would wait for the index, or run without it
            from mind_skills.memory.store import refresh_index

            refresh_index(home)


class _DryRunError(Exception):
    """Rolls a transaction back."""


def prune(home: str, before: int, *, dry_run: bool = False) -> dict[str, int]:
    """Delete data older than ``before`` (UTC ms), or only count it (``dry_run``); return counts by table and of
    markers. Raises StoreError, OSError.
    """
    counts: dict[str, int] = {}
    for schema, delete_expired in _PARTS:
        with Database.open(home, schema) as database, contextlib.suppress(_DryRunError), database.writing() as sql:
            counts |= delete_expired(sql, before)
            if dry_run:  # the same statements, none of which is committed; meanwhile, nobody else can write
                raise _DryRunError
            if schema is staging_schema.SCHEMA:
                for project in list_indexed_projects(home):
                    update_index(sql, home, project)
    if counts.get("task_errors") and not dry_run:
        update_open_errors(home, [(project, "") for project in start_files.list_projects_with_open_errors(home)])
    return counts | {"traces": _prune_markers(home, before, dry_run=dry_run)}


def compact(home: str) -> None:
    """Return the space of deleted data to the file system; other processes wait meanwhile. Raises StoreError."""
    with Database.open(home, staging_schema.SCHEMA) as database:
        database.shrink()


def _prune_markers(home: str, before: int, *, dry_run: bool) -> int:
    """Delete, or count, the marker files that have not changed since ``before``."""
    count = 0
    folders = [*SESSION_FOLDERS, OFFERED_FOLDER]
    for folder in (*PROJECT_FOLDERS, REMINDED):  # with a subfolder per project or session
        folders += [os.path.relpath(path, home) for path in list_markers(home, folder) if os.path.isdir(path)]
    for folder in folders:
        for path in list_markers(home, folder):
            with suppress(FileNotFoundError):  # its session has just removed it
                if os.stat(path).st_mtime_ns // 1_000_000 < before:
                    count += 1
                    if not dry_run:
                        os.unlink(path)
    return count
