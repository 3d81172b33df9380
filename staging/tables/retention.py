"""Delete old rows.

Listed, accepted and dismissed candidates are permanent; dismissed ones must not come back. Candidates that were ignored,
wait for confirmation, are shelved, are covered by a skill or exceed a full list are deleted with their receipts. Finished
sessions are deleted with their errors, skill uses and outcomes, whose weight has decayed to a sixteenth after a year
(learning/statistics.py). Closed offers are deleted, too.

Redundant sightings of the remaining candidates are deleted as well, since an undecided learning may be seen again and
again, under its own fingerprint or that of a candidate merged into it. The rank counts five sessions (staging/model.py), so
the newest sightings of five sessions remain, and those without which the candidate's text would change. Files that only
deleted sightings name are dropped when the candidate is next seen.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.staging.model import MAX_PENDING, MAX_RECURRENCES, Candidate, find_minimal_cover, parse_bodies

_SURPLUS_PENDING = (
    "state = 'pending' AND offered_to IS NULL AND detected_at < :before AND (project, fingerprint) IN (SELECT project,"  # noqa: S608
    " fingerprint FROM (SELECT project, fingerprint, row_number() OVER (PARTITION BY project ORDER BY rank DESC,"
    " detected_at, fingerprint) AS place FROM candidates WHERE state = 'pending' AND offered_to IS NULL)"
    f" WHERE place > {MAX_PENDING}) AND (project, id) NOT IN (SELECT project, candidate FROM receipts WHERE at >= :before)"
)
"""Old candidates that are pending and not offered, are not among the ten best of that kind in their project, and have no
recent receipt. Otherwise they would accumulate in a project in which no offers are made."""
_STALE_HEADS = (
    f"({_SURPLUS_PENDING} OR state IN ('covered', 'ignored', 'shelved', 'waiting') AND coalesce(settled_at, detected_at) < :before"  # noqa: S608
    " AND detected_at < :before)"
    " AND (project, id) NOT IN (SELECT project, detail FROM candidates WHERE state = 'merged' AND detected_at >= :before)"
)
_STALE_CANDIDATES = (
    f"({_STALE_HEADS} OR (state = 'merged' AND (project, detail) IN"  # noqa: S608
    f" (SELECT project, id FROM candidates WHERE {_STALE_HEADS})))"
)
"""A candidate is deleted together with all that were merged into it, or not at all."""
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
"""Old ``used`` receipts. The last one of each candidate remains, and so do those of remaining sessions, which would add them
again if they ended again."""
_ROWS_OF_STALE_SESSIONS = f"session IN (SELECT session FROM sessions WHERE {_STALE_SESSIONS})"  # noqa: S608

_DELETIONS = (
    ("receipts", f"({_RECEIPTS_OF_STALE_CANDIDATES} OR {_STALE_USES})"),
    ("sightings", _ROWS_OF_STALE_CANDIDATES),
    ("candidates", _STALE_CANDIDATES),
    ("offers", "settled_at IS NOT NULL AND settled_at < :before AND at < :before"),
    ("skills_used", _ROWS_OF_STALE_SESSIONS),
    ("errors_met", _ROWS_OF_STALE_SESSIONS),
    ("outcomes", _ROWS_OF_STALE_SESSIONS),
    ("sessions", _STALE_SESSIONS),
)
"""Conditions for deletion by table. Candidates and sessions come after the tables whose conditions refer to them."""


_REPEATED_SIGHTINGS = "SELECT session, n FROM receipts WHERE project = ? AND candidate = ? AND what = 'staged' AND detail <> '' AND at < ?"
"""Selects the old receipts of a candidate's later sightings; the receipt of its first sighting has no detail."""
_RANKED_SESSIONS = 1 + MAX_RECURRENCES


def delete_expired(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Delete expired rows, those older than ``before`` (UTC ms), in the caller's transaction; return the number deleted from each table."""
    surplus = _find_surplus(sql, before)
    counts = _count_rows(sql, before, surplus)
    if not any(counts.values()):
        return counts
    (trigger,) = sql.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'receipts_remain'"
    ).fetchone()
    # The trigger forbids deletions. Dropping it is safe because this transaction is exclusive.
    sql.execute("DROP TRIGGER receipts_remain")
    for table, where in _DELETIONS:
        sql.execute(f"DELETE FROM {table} WHERE {where}", {"before": before})  # noqa: S608
    sql.executemany("DELETE FROM receipts WHERE n = ?", ((n,) for n in sorted(surplus.receipts)))
    sql.executemany("DELETE FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", surplus.sightings)
    sql.executemany("DELETE FROM candidates WHERE project = ? AND fingerprint = ?", surplus.candidates)
    sql.execute(trigger)
    return counts


def count_expired(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Return how many rows ``delete_expired`` would delete, by table."""
    return _count_rows(sql, before, _find_surplus(sql, before))


def _count_rows(sql: sqlite3.Connection, before: int, surplus: _Surplus) -> dict[str, int]:
    values, where = {"before": before}, dict(_DELETIONS)
    counts = {
        table: int(sql.execute(f"SELECT count(*) FROM {table} WHERE {condition}", values).fetchone()[0])  # noqa: S608
        for table, condition in _DELETIONS
    }
    counts["sightings"] += len(surplus.sightings)
    counts["candidates"] += len(surplus.candidates)
    # A receipt that the conditions select may also be in ``surplus``; it is counted once.
    stale_receipts = (n for (n,) in sql.execute(f"SELECT n FROM receipts WHERE {where['receipts']}", values))  # noqa: S608
    counts["receipts"] = len(surplus.receipts.union(stale_receipts))
    return counts


# -- redundant sightings of candidates that remain ---------------------------------------------------------------------


class _Member(NamedTuple):
    """A candidate, or another candidate that was merged into it."""

    id: str
    fingerprint: str
    state: str


class _Sighting(NamedTuple):
    fingerprint: str
    session: str
    candidate: Candidate

    @property
    def key(self) -> tuple[str, str]:
        return (self.fingerprint, self.session)


@dataclass(slots=True)
class _Surplus:
    """Keys of redundant rows. A merged candidate is deleted, with its receipts, if all its sightings are redundant."""

    receipts: set[int] = field(default_factory=set[int])
    sightings: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    candidates: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def _find_surplus(sql: sqlite3.Connection, before: int) -> _Surplus:
    """Find the redundant rows of the candidates that remain.

    The sightings of a session remain as long as the session does; otherwise another analysis of the session would count as
    a new sighting.
    """
    values = {"before": before}
    sighting_counts: dict[tuple[str, str], int] = {
        (project, fingerprint): count
        for project, fingerprint, count in sql.execute(
            "SELECT project, fingerprint, count(*) FROM sightings GROUP BY project, fingerprint"
        )
    }
    sessions = sql.execute(f"SELECT session FROM sessions WHERE {_REMAINING_SESSIONS}", values)  # noqa: S608
    remaining_sessions = {str(row[0]) for row in sessions}
    rows = sql.execute(
        "SELECT project, CASE state WHEN 'merged' THEN detail ELSE id END, id, fingerprint, state FROM candidates"  # noqa: S608
        f" WHERE {_REMAINING_CANDIDATES}",
        values,
    )
    groups: dict[tuple[str, str], list[_Member]] = {}
    for project, head, *member in rows:
        groups.setdefault((project, head), []).append(_Member(*member))
    surplus = _Surplus()
    for (project, head), members in groups.items():
        if sum(sighting_counts.get((project, member.fingerprint), 0) for member in members) > _RANKED_SESSIONS:
            _add_group(sql, surplus, project, head, members, before, remaining_sessions)
    return surplus


def _add_group(
    sql: sqlite3.Connection,
    surplus: _Surplus,
    project_id: str,
    head: str,
    members: Sequence[_Member],
    before: int,
    remaining_sessions: AbstractSet[str],
) -> None:
    """Add to ``surplus`` the redundant rows of a candidate and of those merged into it."""
    sightings: dict[str, list[_Sighting]] = {}
    counts: Counter[str] = Counter()
    for id_, fingerprint, _ in members:
        query = "SELECT session, body FROM sightings WHERE project = ? AND fingerprint = ? ORDER BY session"
        for session, body in sql.execute(query, (project_id, fingerprint)):
            counts[id_] += 1  # including unreadable sightings, which remain
            sightings.setdefault(id_, []).extend(
                _Sighting(fingerprint, session, candidate) for candidate in parse_bodies([body])
            )
    # All candidates merged into an accepted, dismissed or missing one remain. Otherwise a learning could come back in the
    # words of a deleted one and no longer match the decision.
    is_preserved = all(id_ != head or state in ("accepted", "dismissed") for id_, _, state in members)
    newest = _sort_newest_first(each for of_member in sightings.values() for each in of_member)
    preserved = {
        each.key for each in newest if each.candidate.detected_at >= before or each.session in remaining_sessions
    }
    preserved |= _find_newest_of_sessions(newest) | _find_necessary_sightings(newest)
    for id_, of_member in sightings.items():
        if is_preserved or id_ == head or any(each.key in preserved for each in of_member):
            newest_of_member = _sort_newest_first(of_member)
            preserved |= _find_necessary_sightings(newest_of_member)
            # A candidate that only one session has seen is not offered to that session, so sightings of several must remain.
            preserved |= _find_newest_of_sessions(newest_of_member) if id_ == head else set()
    for id_, fingerprint, _ in members:
        removed = {each.session: each.key for each in sightings.get(id_, ()) if each.key not in preserved}
        if not removed:
            continue
        surplus.sightings += [(project_id, *key) for key in removed.values()]
        repeated = sql.execute(_REPEATED_SIGHTINGS, (project_id, id_, before))
        surplus.receipts |= {n for session, n in repeated if session in removed}
        if id_ != head and len(removed) == counts[id_]:
            surplus.candidates.append((project_id, fingerprint))
            receipts = sql.execute("SELECT n FROM receipts WHERE project = ? AND candidate = ?", (project_id, id_))
            surplus.receipts |= {n for (n,) in receipts}


def _sort_newest_first(sightings: Iterable[_Sighting]) -> list[_Sighting]:
    return sorted(sightings, key=lambda each: (-each.candidate.detected_at, each.key))


def _find_necessary_sightings(newest_first: Sequence[_Sighting]) -> set[tuple[str, str]]:
    """Return the keys of the sightings without which the candidate would change, except for its sessions and files."""
    return {newest_first[index].key for index in find_minimal_cover([each.candidate for each in newest_first])}


def _find_newest_of_sessions(newest_first: Sequence[_Sighting]) -> set[tuple[str, str]]:
    """Return the key of each session's newest_first sighting, for as many sessions as the rank counts."""
    newest_keys: dict[str, tuple[str, str]] = {}
    for each in newest_first:
        newest_keys.setdefault(each.session, each.key)
    return set(list(newest_keys.values())[:_RANKED_SESSIONS])
