"""Delete old rows: candidates that were ignored, shelved, covered or exceed a full list, with their receipts; finished
sessions with all that is theirs; closed offers; and redundant sightings. Listed, accepted and dismissed candidates
are permanent. The newest sightings of five sessions remain, as many as the rank counts, and those that determine the
candidate's text.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from mind_skills.staging.model import MAX_PENDING, MAX_RECURRENCES, Candidate, find_minimal_cover, parse_bodies
from mind_skills.store.light_dataclasses import dataclass, field

_SURPLUS_PENDING = (
    "state = 'pending' AND offered_to IS NULL AND detected_at < :before AND (project, fingerprint) IN (SELECT project,"  # noqa: S608
    " fingerprint FROM (SELECT project, fingerprint, row_number() OVER (PARTITION BY project ORDER BY rank DESC,"
    " detected_at, fingerprint) AS place FROM candidates WHERE state = 'pending' AND offered_to IS NULL)"
    f" WHERE place > {MAX_PENDING}) AND (project, id) NOT IN (SELECT project, candidate FROM receipts WHERE at >= :before)"
)
"""Old pending candidates that are not offered, not among their project's ten best, and without a recent receipt."""
_STALE_CANDIDATES = (
    f"({_SURPLUS_PENDING} OR state IN ('covered', 'ignored', 'shelved') AND coalesce(settled_at, detected_at) < :before"
    " AND detected_at < :before)"
)
_REMAINING_CANDIDATES = f"({_STALE_CANDIDATES}) IS NOT TRUE"
_STALE_SESSIONS = "finished_at IS NOT NULL AND finished_at < :before AND seen_at < :before"
_REMAINING_SESSIONS = f"({_STALE_SESSIONS}) IS NOT TRUE"
_ROWS_OF_STALE_CANDIDATES = (
    f"(project, fingerprint) IN (SELECT project, fingerprint FROM candidates WHERE {_STALE_CANDIDATES})"  # noqa: S608
)
_RECEIPTS_OF_STALE_CANDIDATES = (
    f"(project, candidate) IN (SELECT project, id FROM candidates WHERE {_STALE_CANDIDATES})"  # noqa: S608
)
_STALE_USES = (
    "(what = 'used' AND at < :before AND n NOT IN"  # noqa: S608
    " (SELECT max(n) FROM receipts WHERE what = 'used' GROUP BY project, candidate)"
    f" AND session NOT IN (SELECT session FROM sessions WHERE {_REMAINING_SESSIONS}))"
)
"""Old ``used`` receipts, except the last of each candidate, and those of remaining sessions, which could end again."""
_ROWS_OF_STALE_SESSIONS = f"session IN (SELECT session FROM sessions WHERE {_STALE_SESSIONS})"  # noqa: S608

_EXPIRED_RECEIPTS = f"({_RECEIPTS_OF_STALE_CANDIDATES} OR {_STALE_USES})"
_DELETIONS = (
    ("sightings", _ROWS_OF_STALE_CANDIDATES),
    ("candidates", _STALE_CANDIDATES),
    ("offers", "settled_at IS NOT NULL AND settled_at < :before AND at < :before"),
    ("skills_used", _ROWS_OF_STALE_SESSIONS),
    ("errors_met", _ROWS_OF_STALE_SESSIONS),
    ("reminders", _ROWS_OF_STALE_SESSIONS),
    ("outcomes", _ROWS_OF_STALE_SESSIONS),
    ("digests", f"at < :before AND session NOT IN (SELECT session FROM sessions WHERE {_REMAINING_SESSIONS})"),  # noqa: S608
    ("sessions", _STALE_SESSIONS),
)
"""Conditions for deletion by table, after receipts. Candidates and sessions come after the tables whose conditions refer to them."""


_REPEATED_SIGHTINGS = "SELECT session, n FROM receipts WHERE project = ? AND candidate = ? AND what = 'staged' AND detail <> '' AND at < ?"
"""Selects the old receipts of a candidate's later sightings; the receipt of its first sighting has no detail."""
_RANKED_SESSIONS = 1 + MAX_RECURRENCES


def delete_expired(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Delete rows older than ``before`` (UTC ms) in the caller's transaction; return the number deleted from each table."""
    surplus = _find_surplus(sql, before)
    counts = {"receipts": _delete_receipts(sql, before, surplus.receipts)}
    counts |= {
        table: sql.execute(f"DELETE FROM {table} WHERE {where}", {"before": before}).rowcount  # noqa: S608
        for table, where in _DELETIONS
    }
    condition = "project = ? AND fingerprint = ? AND session = ?"
    counts["sightings"] += sql.executemany(f"DELETE FROM sightings WHERE {condition}", surplus.sightings).rowcount  # noqa: S608
    return counts


def _delete_receipts(sql: sqlite3.Connection, before: int, surplus: set[int]) -> int:
    """Delete the receipts that expired, and those in ``surplus``; return their number."""
    expired = sql.execute(f"SELECT n FROM receipts WHERE {_EXPIRED_RECEIPTS}", {"before": before})  # noqa: S608
    numbers = sorted(surplus.union(n for (n,) in expired))
    if not numbers:  # usually: every connection would have to read the changed schema
        return 0
    # The trigger forbids deletions. Dropping it is safe because this transaction is exclusive.
    query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'receipts_remain'"
    (trigger,) = sql.execute(query).fetchone()
    sql.execute("DROP TRIGGER receipts_remain")
    sql.executemany("DELETE FROM receipts WHERE n = ?", ((n,) for n in numbers))
    sql.execute(trigger)
    return len(numbers)


# -- redundant sightings of candidates that remain ---------------------------------------------------------------------


class _Sighting(NamedTuple):
    session: str
    candidate: Candidate


@dataclass(slots=True)
class _Surplus:
    """Keys of redundant rows."""

    receipts: set[int] = field(default_factory=set[int])
    sightings: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])


def _find_surplus(sql: sqlite3.Connection, before: int) -> _Surplus:
    """Find the redundant rows of the candidates that remain. A session's sightings remain as long as the session does."""
    values = {"before": before, "ranked": _RANKED_SESSIONS}
    sessions = sql.execute(f"SELECT session FROM sessions WHERE {_REMAINING_SESSIONS}", values)  # noqa: S608
    remaining_sessions = {str(row[0]) for row in sessions}
    rows = sql.execute(
        f"SELECT project, id, fingerprint FROM candidates WHERE {_REMAINING_CANDIDATES} AND (SELECT count(*) FROM sightings"  # noqa: S608
        " WHERE sightings.project = candidates.project AND sightings.fingerprint = candidates.fingerprint) > :ranked",
        values,
    ).fetchall()
    surplus = _Surplus()
    for project, id_, fingerprint in rows:
        query = "SELECT session, body FROM sightings WHERE project = ? AND fingerprint = ? ORDER BY session"
        sightings = [  # unreadable ones remain
            _Sighting(session, candidate)
            for session, body in sql.execute(query, (project, fingerprint))
            for candidate in parse_bodies([body])
        ]
        newest = sorted(sightings, key=lambda each: (-each.candidate.detected_at, each.session))
        preserved = {each.session for each in newest if each.candidate.detected_at >= before} | remaining_sessions
        preserved |= {each.session for each in newest[:_RANKED_SESSIONS]}
        preserved |= {newest[index].session for index in find_minimal_cover([each.candidate for each in newest])}
        removed = {each.session for each in newest} - preserved
        surplus.sightings += [(project, fingerprint, session) for session in sorted(removed)]
        repeated = sql.execute(_REPEATED_SIGHTINGS, (project, id_, before)).fetchall() if removed else []
        surplus.receipts |= {n for session, n in repeated if session in removed}
    return surplus
