"""What the tables of this package hold of long ago, and forgetting it.

Kept for good: what is on the list, what was accepted, and what was dismissed, since that must not come back. What was told
in vain, waits for another session, fell out of the list or stands behind it goes with its receipts, and of what stays the
sightings that say nothing which the others do not say (repeats.py); finished sessions go with what they used and how they
came out, which weighs a sixteenth after a year (learning/decay.py).
"""

from __future__ import annotations

import sqlite3

from mind_skills.staging.model import PENDING
from mind_skills.staging.repeats import Repeats, forget, repeats

_BEHIND = (
    "state = 'pending' AND offered_to IS NULL AND detected_at < :before AND (project, fingerprint) IN (SELECT project,"  # noqa: S608
    " fingerprint FROM (SELECT project, fingerprint, row_number() OVER (PARTITION BY project ORDER BY rank DESC,"
    " detected_at, fingerprint) AS place FROM candidates WHERE state = 'pending' AND offered_to IS NULL)"
    f" WHERE place > {PENDING}) AND (project, id) NOT IN (SELECT project, candidate FROM receipts WHERE at >= :before)"
)
"""Behind the ten that wait, and staged by nobody since: where nobody is ever told anything, all but ten would stay there."""
_HEADS = (
    f"({_BEHIND} OR state IN ('ignored', 'shelved', 'waiting') AND coalesce(settled_at, detected_at) < :before"  # noqa: S608
    " AND detected_at < :before)"
    " AND (project, id) NOT IN (SELECT project, detail FROM candidates WHERE state = 'merged' AND detected_at >= :before)"
)
_STALE = (
    f"({_HEADS} OR (state = 'merged' AND (project, detail) IN (SELECT project, id FROM candidates WHERE {_HEADS})))"  # noqa: S608
)
"""A learning goes with all that were merged into it, or not at all."""
_STAYS = f"({_STALE}) IS NOT TRUE"
_OVER = "finished_at IS NOT NULL AND finished_at < :before AND seen_at < :before"
_LASTS = f"({_OVER}) IS NOT TRUE"
_OF_STALE = f"(project, fingerprint) IN (SELECT project, fingerprint FROM candidates WHERE {_STALE})"  # noqa: S608
_BY_STALE = f"(project, candidate) IN (SELECT project, id FROM candidates WHERE {_STALE})"  # noqa: S608
_USED = (
    "(what = 'used' AND at < :before AND n NOT IN"  # noqa: S608
    " (SELECT max(n) FROM receipts WHERE what = 'used' GROUP BY project, candidate)"
    f" AND session NOT IN (SELECT session FROM sessions WHERE {_LASTS}))"
)
"""When a skill was used last is told for good; its votes stand with the learning rules. That a session used it is known as
long as the session, which would be counted once more at its next end."""
_OF_OVER = f"session IN (SELECT session FROM sessions WHERE {_OVER})"  # noqa: S608

_ORDER = (
    ("receipts", f"({_BY_STALE} OR {_USED})"),
    ("sightings", _OF_STALE),
    ("candidates", _STALE),
    ("offers", "settled_at IS NOT NULL AND settled_at < :before AND at < :before"),
    ("skills_used", _OF_OVER),
    ("errors_met", _OF_OVER),
    ("outcomes", _OF_OVER),
    ("sessions", _OVER),
)
"""Which rows of which table go; those that others are found by go last."""


def prune(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Forget what is older than ``before`` (UTC ms), inside the caller's transaction; how many rows of each table went."""
    again = repeats(sql, _STAYS, _LASTS, before)
    found = _counts(sql, before, again)
    if not any(found.values()):
        return found
    (guard,) = sql.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'receipts_remain'"
    ).fetchone()
    sql.execute("DROP TRIGGER receipts_remain")  # append-only for everybody else; nobody else writes meanwhile
    for table, where in _ORDER:
        sql.execute(f"DELETE FROM {table} WHERE {where}", {"before": before})  # noqa: S608
    forget(sql, again)
    sql.execute(guard)
    return found


def stale(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """How many rows of each table ``prune`` would forget."""
    return _counts(sql, before, repeats(sql, _STAYS, _LASTS, before))


def _counts(sql: sqlite3.Connection, before: int, again: Repeats) -> dict[str, int]:
    values, where = {"before": before}, dict(_ORDER)
    found = {
        table: int(sql.execute(f"SELECT count(*) FROM {table} WHERE {condition}", values).fetchone()[0])  # noqa: S608
        for table, condition in _ORDER
    }
    found["sightings"] += len(again.sightings)
    found["candidates"] += len(again.candidates)
    # A use of long ago may be one of a learning that goes.
    found["receipts"] = len(
        again.receipts.union(n for (n,) in sql.execute(f"SELECT n FROM receipts WHERE {where['receipts']}", values))  # noqa: S608
    )
    return found
