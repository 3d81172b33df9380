"""Forgetting what nobody will ask for again: old sessions with what they used, learnings told in vain, faded votes.

After each session's end, at most once a day; `mind-skills prune` does it by hand.

Ages are counted by the time that has passed, which is less than the clock says where the clock has jumped. Between two looks that
lie more than a month apart no time has passed, so far as anybody here knows: the clock jumped, or nothing happened meanwhile
that would have to be forgotten. Once the clock has gone on for a month without another jump it is believed. So one that is
wrong for less than a month makes nothing old, and whoever comes back after a long time keeps what is old a month longer.

The marker ``checked/pruned`` holds three numbers in milliseconds: the clock at the last look (UTC), how far it was ahead of the
time that had passed, and the clock when that was found. One number alone is of an older version.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

from mind_skills.hooks.reminding import update_reminders
from mind_skills.hooks.session_state import (
    CHECKED,
    DEFERRED,
    FORKED,
    HANDING,
    READING,
    RUNNING,
    SessionMarkers,
    list_markers,
    parse_number,
)
from mind_skills.learning import storage as learned
from mind_skills.memory import records as remembered
from mind_skills.memory.records import AT_ONCE, Records
from mind_skills.staging import start_files
from mind_skills.staging.start_files import OFFERED
from mind_skills.staging.tables import retention as candidates
from mind_skills.staging.tables import schema as staged
from mind_skills.store.database import Database

_PARTS = (
    (staged.PACKAGE, staged.STEPS, candidates),
    (learned.PACKAGE, learned.STEPS, learned),
    (remembered.PACKAGE, remembered.STEPS, remembered),
)
EPISODES = 2_000
"""Past sessions that memory keeps, unless the settings say otherwise; the oldest go."""
DAY = 24 * 60 * 60_000
MONTH = 30 * DAY
"""Milliseconds."""
STAMP = "pruned"


class Elapsed(NamedTuple):
    """``last``, ``ahead`` and ``since`` as the marker has them; ``past`` are the milliseconds of the clock since the last look,
    negative where it went back, None where there was no look.
    """

    last: int
    ahead: int
    since: int
    past: int | None

    @property
    def now(self) -> int:
        """The time by which ages are counted (UTC ms): never later than the clock's."""
        return self.last - self.ahead


def measure_elapsed(home: str, at: int) -> Elapsed:
    """What is to be believed when the clock says ``at`` (UTC ms). Raises OSError."""
    numbers = [parse_number(word) for word in SessionMarkers(home, STAMP).checked.read().split()]
    if len(numbers) not in (1, 3) or None in numbers:
        return Elapsed(at, 0, at, None)
    last, ahead, since = (number or 0 for number in (numbers if len(numbers) == 3 else (numbers[0], 0, numbers[0])))
    past = at - last
    if past > MONTH:
        return Elapsed(at, ahead + past, at, past)
    if past < 0:
        left = ahead + past
        return Elapsed(at, left if left > MONTH else 0, at, past)  # within a month of it the clock is believed
    return Elapsed(at, ahead if at - since < MONTH else 0, since, past)


def save_elapsed(home: str, found: Elapsed) -> None:
    """Remember this look. Raises OSError, HomeError."""
    SessionMarkers(home, STAMP).checked.put(f"{found.last} {found.ahead} {found.since}")


def daily(home: str, at: int, days: int, episodes: int = EPISODES) -> None:
    """Forget what is older than ``days``, and past sessions beyond the newest ``episodes``, if the last time was not within
    the last day (``at`` is UTC ms).

    The first time is only noted. Ages are counted by the time that passed (``measure_elapsed``): after a clock that jumped ahead,
    what looks old may be of yesterday. Where memory holds much, its index is then brought up to date.
    Raises StoreError, OSError.
    """
    found = measure_elapsed(home, at)
    if found.past is not None and 0 <= found.past < DAY:
        return
    save_elapsed(home, found)
    if found.past is not None:
        prune(home, found.now - days * DAY)
        with Database.open(home, remembered.PACKAGE, remembered.STEPS) as database:
            Records(database).keep_newest("episode", episodes)
            many = Records(database).count() > AT_ONCE
        if many:  # what a question would wait for, or do without
            from mind_skills.memory.store import refresh_index

            refresh_index(home)


def prune(home: str, before: int, *, dry_run: bool = False) -> dict[str, int]:
    """Forget what is older than ``before`` (UTC ms): how many rows of each table, and traces, went, or would.

    Raises StoreError, OSError.
    """
    counts: dict[str, int] = {}
    for package, steps, part in _PARTS:
        with Database.open(home, package, steps) as database:
            if dry_run:
                with database.reading() as sql:
                    counts |= part.stale(sql, before)
            else:
                with database.writing() as sql:
                    counts |= part.prune(sql, before)
    if counts.get("task_errors") and not dry_run:
        update_reminders(home, [(project, "") for project in start_files.list_reminded_projects(home)])
    return counts | {"traces": _prune_markers(home, before, dry_run=dry_run)}


def compact(home: str) -> None:
    """Give the room of what was forgotten back to the disk; as long as that takes, others wait. Raises StoreError."""
    with Database.open(home, staged.PACKAGE, staged.STEPS) as database:
        database.shrink()


def _prune_markers(home: str, before: int, *, dry_run: bool) -> int:
    """Forget small files that sessions left which nobody has touched since; each is a hint and never the truth."""
    gone = 0
    small = (FORKED, CHECKED, RUNNING, DEFERRED, READING, HANDING, OFFERED)
    for folder in small:
        for path in list_markers(home, folder):
            with suppress(FileNotFoundError):  # its session has just ended
                if os.stat(path).st_mtime_ns // 1_000_000 < before:
                    gone += 1
                    if not dry_run:
                        os.unlink(path)
    return gone
