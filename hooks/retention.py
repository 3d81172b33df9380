"""Deletion of old data: sessions and their uses of skills, ignored or undecided candidates, votes, records, markers.

Runs after a session's end and in `mind-skills watch`, at most once a day; `mind-skills prune` runs it on demand.

Ages are measured in elapsed time, which is less than the clock's advance if the clock has jumped ahead. If two runs are
more than a month apart, the time between them does not count: either the clock jumped, or mind-skills was not used. The
clock is trusted again after it has run for a month without another jump. So nothing is deleted too early if the clock is
wrong for less than a month, and after a long pause old data is preserved for one more month.

The ``checked`` marker named ``pruned`` holds three numbers in milliseconds: the clock at the last run (UTC), how far
the clock was ahead of the elapsed time, and the clock when that lead last changed (UTC). A single number, from an older
version, is the first of them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

from mind_skills.hooks.failure import FOLDER as REMINDED
from mind_skills.hooks.open_errors import update_open_errors
from mind_skills.hooks.session_state import (
    CHECKED,
    DEFERRED,
    DELIVERING,
    ENDING,
    FORKED,
    LOG_STATE,
    NOTICED,
    RECEIPTS,
    RUNNING,
    STARTED,
    UNANSWERED,
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
    (staging_schema.SCHEMA, candidate_retention),
    (learning_storage.SCHEMA, learning_storage),
    (memory_records.SCHEMA, memory_records),
)
MAX_EPISODES = 2_000
"""Default maximum number of past sessions in the memory; the oldest are deleted."""
DAY = 24 * 60 * 60_000
MONTH = 30 * DAY
"""Both in milliseconds."""
MARKER_NAME = "pruned"


class Elapsed(NamedTuple):
    """The clock and the elapsed time at this run.

    ``last``, ``ahead`` and ``since`` are the numbers that this run stores in the marker. ``advance`` is how far the clock
    has advanced since the previous run, in milliseconds: negative if the clock was set back, None if there was no run.
    """

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
    if len(numbers) not in (1, 3) or None in numbers:
        return Elapsed(at, 0, at, None)
    last, ahead, since = (number or 0 for number in (numbers if len(numbers) == 3 else (numbers[0], 0, numbers[0])))
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
    """Delete data older than ``days``, and all but the newest ``episodes`` past sessions, at most once a day.

    ``at`` is UTC milliseconds. The first run only records the time. Ages are measured in elapsed time, because after a
    clock jump, data that looks old may be from yesterday. Finally, the index of a large memory is updated. Raises
    StoreError, OSError.
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


def prune(home: str, before: int, *, dry_run: bool = False) -> dict[str, int]:
    """Delete data older than ``before`` (UTC ms). Returns the number of deleted rows by table, and of markers.

    With ``dry_run`` the same numbers are returned, but nothing is deleted. Raises StoreError, OSError.
    """
    counts: dict[str, int] = {}
    for schema, part in _PARTS:
        with Database.open(home, schema) as database:
            if dry_run:
                with database.reading() as sql:
                    counts |= part.count_expired(sql, before)
            else:
                with database.writing() as sql:
                    counts |= part.delete_expired(sql, before)
                    if part is candidate_retention:
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
    """Delete the sessions' marker files that have not changed since ``before``, and return their number.

    With ``dry_run``, they are only counted.
    """
    count = 0
    folders = [FORKED, CHECKED, RUNNING, DEFERRED, LOG_STATE, DELIVERING, NOTICED, STARTED, OFFERED_FOLDER]
    for folder in (UNANSWERED, ENDING, RECEIPTS, REMINDED):  # with a subfolder per project or session
        folders += [os.path.relpath(path, home) for path in list_markers(home, folder) if os.path.isdir(path)]
    for folder in folders:
        for path in list_markers(home, folder):
            with suppress(FileNotFoundError):  # its session has just removed it
                if os.stat(path).st_mtime_ns // 1_000_000 < before:
                    count += 1
                    if not dry_run:
                        os.unlink(path)
    return count
