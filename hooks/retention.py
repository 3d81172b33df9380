"""Forgetting what nobody will ask for again: old sessions with what they used, learnings told in vain, faded votes.

After each session's end, at most once a day; `mind-skills prune` does it by hand.
"""

from __future__ import annotations

import os
from contextlib import suppress

from mind_skills.hooks import elapsed, traces
from mind_skills.hooks.reminding import remind
from mind_skills.learning import storage as learned
from mind_skills.learning import storage as votes
from mind_skills.memory import records as memories
from mind_skills.memory import records as remembered
from mind_skills.memory.records import AT_ONCE, Records
from mind_skills.staging import reminders
from mind_skills.staging import retention as candidates
from mind_skills.staging import schema as staged
from mind_skills.staging.flags import OFFERED
from mind_skills.store.database import Database

DAY = elapsed.DAY
_PARTS = (
    (staged.PACKAGE, staged.STEPS, candidates),
    (learned.PACKAGE, learned.STEPS, votes),
    (remembered.PACKAGE, remembered.STEPS, memories),
)
EPISODES = 2_000
"""Past sessions that memory keeps, unless the settings say otherwise; the oldest go."""


def daily(home: str, at: int, days: int, episodes: int = EPISODES) -> None:
    """Forget what is older than ``days``, and past sessions beyond the newest ``episodes``, if the last time was not within
    the last day (``at`` is UTC ms).

    The first time is only noted. Ages are counted by the time that passed (hooks/elapsed.py): after a clock that jumped ahead,
    what looks old may be of yesterday. Where memory holds much, its index is then brought up to date.
    Raises StoreError, OSError.
    """
    found = elapsed.elapsed(home, at)
    if found.past is not None and 0 <= found.past < DAY:
        return
    elapsed.note(home, found)
    if found.past is not None:
        prune(home, found.now - days * DAY)
        with Database.open(home, remembered.PACKAGE, remembered.STEPS) as database:
            Records(database).keep_newest("episode", episodes)
            many = Records(database).count() > AT_ONCE
        if many:  # what a question would wait for, or do without
            from mind_skills.memory.opening import refresh_index

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
        remind(home, [(project, "") for project in reminders.projects(home)])
    return counts | {"traces": _traces(home, before, dry_run=dry_run)}


def compact(home: str) -> None:
    """Give the room of what was forgotten back to the disk; as long as that takes, others wait. Raises StoreError."""
    with Database.open(home, staged.PACKAGE, staged.STEPS) as database:
        database.shrink()


def _traces(home: str, before: int, *, dry_run: bool) -> int:
    """Forget small files that sessions left which nobody has touched since; each is a hint and never the truth."""
    gone = 0
    small = (traces.FORKED, traces.CHECKED, traces.RUNNING, traces.HELD, traces.KEPT, traces.HANDING, OFFERED)
    for folder in small:
        for path in traces.listed(home, folder, ""):
            with suppress(FileNotFoundError):  # its session has just ended
                if os.stat(path).st_mtime_ns // 1_000_000 < before:
                    gone += 1
                    if not dry_run:
                        os.unlink(path)
    return gone
