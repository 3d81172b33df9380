"""Delete old rows.

Listed, accepted and dismissed candidates are permanent; dismissed ones must not come back. Candidates that were
ignored, that wait for confirmation, are shelved or exceed a full list are deleted with their receipts. Finished
sessions are deleted with their skill uses and outcomes, whose weight is a sixteenth after a year
(learning/statistics.py).

Redundant sightings of the remaining candidates are deleted as well: an undecided learning is seen again and again,
under its own fingerprint or others merged into it. Its rank counts five sessions (staging/merge.py), so five old
sightings remain, plus those without which its text would change. Files named only by deleted sightings are dropped when
the candidate is seen the next time.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.staging.form import readable
from mind_skills.staging.merge import RECURRENCES, minimal_cover
from mind_skills.staging.model import PENDING, Candidate

_BEHIND = (
    "state = 'pending' AND offered_to IS NULL AND detected_at < :before AND (project, fingerprint) IN (SELECT project,"  # noqa: S608
    " fingerprint FROM (SELECT project, fingerprint, row_number() OVER (PARTITION BY project ORDER BY rank DESC,"
    " detected_at, fingerprint) AS place FROM candidates WHERE state = 'pending' AND offered_to IS NULL)"
    f" WHERE place > {PENDING}) AND (project, id) NOT IN (SELECT project, candidate FROM receipts WHERE at >= :before)"
)
"""Not among the ten pending candidates and not staged since. Without offers, all candidates but ten would otherwise
accumulate here."""
_HEADS = (
    f"({_BEHIND} OR state IN ('ignored', 'shelved', 'waiting') AND coalesce(settled_at, detected_at) < :before"  # noqa: S608
    " AND detected_at < :before)"
    " AND (project, id) NOT IN (SELECT project, detail FROM candidates WHERE state = 'merged' AND detected_at >= :before)"
)
_STALE = (
    f"({_HEADS} OR (state = 'merged' AND (project, detail) IN (SELECT project, id FROM candidates WHERE {_HEADS})))"  # noqa: S608
)
"""A candidate is deleted together with all that were merged into it, or not at all."""
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
"""The last use of a skill is permanent; its votes are stored with the learning rules. A session's other uses remain as
long as the session, which would otherwise be counted again at its next end."""
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
"""Conditions for deletion by table; tables that other conditions refer to come last."""


_STAGED_AGAIN = "SELECT session, n FROM receipts WHERE project = ? AND candidate = ? AND what = 'staged' AND detail <> '' AND at < ?"
"""Selects receipts of repeated sightings; the first receipt of a candidate has no detail."""
_COUNTED_SESSIONS = 1 + RECURRENCES


def prune(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Delete what is older than ``before`` (UTC ms) in the caller's transaction; return the number of rows by table."""
    surplus = _find_surplus(sql, before)
    counts = _count(sql, before, surplus)
    if not any(counts.values()):
        return counts
    (guard,) = sql.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'receipts_remain'"
    ).fetchone()
    sql.execute(
        "DROP TRIGGER receipts_remain"
    )  # enforces append-only; safe to drop because this transaction is exclusive
    for table, where in _ORDER:
        sql.execute(f"DELETE FROM {table} WHERE {where}", {"before": before})  # noqa: S608
    sql.executemany("DELETE FROM receipts WHERE n = ?", ((n,) for n in sorted(surplus.receipts)))
    sql.executemany("DELETE FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", surplus.sightings)
    sql.executemany("DELETE FROM candidates WHERE project = ? AND fingerprint = ?", surplus.candidates)
    sql.execute(guard)
    return counts


def stale(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Return how many rows of each table ``prune`` would delete."""
    return _count(sql, before, _find_surplus(sql, before))


def _count(sql: sqlite3.Connection, before: int, surplus: _Surplus) -> dict[str, int]:
    values, where = {"before": before}, dict(_ORDER)
    counts = {
        table: int(sql.execute(f"SELECT count(*) FROM {table} WHERE {condition}", values).fetchone()[0])  # noqa: S608
        for table, condition in _ORDER
    }
    counts["sightings"] += len(surplus.sightings)
    counts["candidates"] += len(surplus.candidates)
    # An old use may belong to a candidate that is deleted.
    used = (n for (n,) in sql.execute(f"SELECT n FROM receipts WHERE {where['receipts']}", values))  # noqa: S608
    counts["receipts"] = len(surplus.receipts.union(used))
    return counts


# -- redundant sightings of candidates that remain
# ----------------------------------------------------------------------


class _Member(NamedTuple):
    """A candidate, or one that is merged into it."""

    id: str
    fingerprint: str
    state: str


class _Sighting(NamedTuple):
    fingerprint: str
    session: str
    candidate: Candidate

    @property
    def key(self) -> tuple[str, str]:
        """The key of the sighting within its project."""
        return (self.fingerprint, self.session)


@dataclass(slots=True)
class _Surplus:
    """Keys of the rows to delete. A merged candidate is deleted with its last sighting; each with its receipts."""

    receipts: set[int] = field(default_factory=set[int])
    sightings: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    candidates: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def _find_surplus(sql: sqlite3.Connection, before: int) -> _Surplus:
    """Find redundant rows of the candidates that remain.

    Sightings of a session remain as long as the session. Otherwise another analysis of it would count as a new
    sighting.
    """
    values = {"before": before}
    counts: dict[tuple[str, str], int] = {
        (project, mark): count
        for project, mark, count in sql.execute(
            "SELECT project, fingerprint, count(*) FROM sightings GROUP BY project, fingerprint"
        )
    }
    lasting = {str(row[0]) for row in sql.execute(f"SELECT session FROM sessions WHERE {_LASTS}", values)}  # noqa: S608
    rows = sql.execute(
        "SELECT project, CASE state WHEN 'merged' THEN detail ELSE id END, id, fingerprint, state FROM candidates"  # noqa: S608
        f" WHERE {_STAYS}",
        values,
    )
    families: dict[tuple[str, str], list[_Member]] = {}
    for project, head, *member in rows:
        families.setdefault((project, head), []).append(_Member(*member))
    surplus = _Surplus()
    for (project, head), members in families.items():
        if sum(counts.get((project, member.fingerprint), 0) for member in members) > _COUNTED_SESSIONS:
            _add_family(sql, surplus, project, head, members, before, lasting)
    return surplus


def _add_family(
    sql: sqlite3.Connection,
    surplus: _Surplus,
    project: str,
    head: str,
    members: Sequence[_Member],
    before: int,
    lasting: AbstractSet[str],
) -> None:
    """Find redundant rows of a candidate and those merged into it."""
    seen: dict[str, list[_Sighting]] = {}
    left: Counter[str] = Counter()
    for id_, mark, _ in members:
        where = "project = ? AND fingerprint = ? ORDER BY session"
        for session, body in sql.execute(f"SELECT session, body FROM sightings WHERE {where}", (project, mark)):  # noqa: S608
            left[id_] += 1  # including unreadable ones, which remain
            seen.setdefault(id_, []).extend(_Sighting(mark, session, candidate) for candidate in readable([body]))
    # Members of an accepted, dismissed or missing candidate remain in all their wordings. Otherwise a deleted wording
    # would come back with another title and no longer match the decision.
    whole = all(id_ != head or state in ("accepted", "dismissed") for id_, _, state in members)
    newest = _newest_first(each for some in seen.values() for each in some)
    stay = {each.key for each in newest if each.candidate.detected_at >= before or each.session in lasting}
    stay |= _one_a_session(newest) | _witnesses(newest)
    for id_, some in seen.items():
        if whole or id_ == head or any(each.key in stay for each in some):
            own = _newest_first(some)
            stay |= _witnesses(own)
            # A candidate seen by one session only is not offered to that session, so several sessions have to remain.
            stay |= _one_a_session(own) if id_ == head else set()
    for id_, mark, _ in members:
        gone = {each.session: each.key for each in seen.get(id_, ()) if each.key not in stay}
        if not gone:
            continue
        surplus.sightings += [(project, *key) for key in gone.values()]
        again = sql.execute(_STAGED_AGAIN, (project, id_, before))
        surplus.receipts |= {n for session, n in again if session in gone}
        if id_ != head and len(gone) == left[id_]:
            surplus.candidates.append((project, mark))
            every = sql.execute("SELECT n FROM receipts WHERE project = ? AND candidate = ?", (project, id_))
            surplus.receipts |= {n for (n,) in every}


def _newest_first(some: Iterable[_Sighting]) -> list[_Sighting]:
    return sorted(some, key=lambda each: (-each.candidate.detected_at, each.key))


def _witnesses(newest: Sequence[_Sighting]) -> set[tuple[str, str]]:
    """Return the keys of the sightings without which the candidate's text would change."""
    return {newest[place].key for place in minimal_cover([each.candidate for each in newest])}


def _one_a_session(newest: Sequence[_Sighting]) -> set[tuple[str, str]]:
    """Return the key of each session's first sighting, for as many sessions as the rank counts."""
    first: dict[str, tuple[str, str]] = {}
    for each in newest:
        first.setdefault(each.session, each.key)
    return set(list(first.values())[:_COUNTED_SESSIONS])
