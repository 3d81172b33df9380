"""What stands behind a learning that stays: sightings of long ago that say nothing which later ones do not say as well.

A learning that nobody decides about is seen again and again, under its own words or merged into it under others. Its rank
counts five sessions (staging/merge.py), so of what is old five sightings are kept, and beyond them those without which it
would be told otherwise.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.staging.form import readable
from mind_skills.staging.merge import RECURRENCES, witnesses
from mind_skills.staging.model import Candidate

KEPT = 1 + RECURRENCES
_AGAIN = "SELECT n FROM receipts WHERE project = ? AND candidate = ? AND session = ? AND what = 'staged' AND detail <> '' AND at < ?"
"""That a session saw it again: the first of all, with which its story begins, has no detail."""


class Sighting(NamedTuple):
    """``mark`` is the candidate's fingerprint, ``told`` how the session saw it."""

    mark: str
    session: str
    told: Candidate

    @property
    def key(self) -> tuple[str, str]:
        """What it is found by in its project."""
        return (self.mark, self.session)


@dataclass(slots=True)
class Repeats:
    """Keys of the rows that may go: a merged learning goes with the last of its sightings, and each with its receipts."""

    receipts: list[tuple[int]] = field(default_factory=list[tuple[int]])
    sightings: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    candidates: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def repeats(sql: sqlite3.Connection, stays: str, before: int) -> Repeats:
    """What may go of the candidates that ``stays`` selects (a condition of ours that may name ``:before``, UTC ms)."""
    counts = {
        (project, mark): int(count)
        for project, mark, count in sql.execute(
            "SELECT project, fingerprint, count(*) FROM sightings GROUP BY project, fingerprint"
        )
    }
    rows = sql.execute(
        f"SELECT project, CASE state WHEN 'merged' THEN detail ELSE id END, id, fingerprint FROM candidates WHERE {stays}",  # noqa: S608
        {"before": before},
    )
    families: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for project, head, id_, mark in rows:
        families.setdefault((project, head), []).append((id_, mark))
    found = Repeats()
    for (project, head), members in families.items():
        if sum(counts.get((project, mark), 0) for _, mark in members) > KEPT:
            _of_family(sql, found, project, head, members, before)
    return found


def forget(sql: sqlite3.Connection, found: Repeats) -> None:
    """Delete these rows; receipts may be deleted while it runs."""
    sql.executemany("DELETE FROM receipts WHERE n = ?", found.receipts)
    sql.executemany("DELETE FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", found.sightings)
    sql.executemany("DELETE FROM candidates WHERE project = ? AND fingerprint = ?", found.candidates)


def _of_family(
    sql: sqlite3.Connection, found: Repeats, project: str, head: str, members: Iterable[tuple[str, str]], before: int
) -> None:
    """A learning and those that are merged into it: (id, fingerprint)."""
    own: dict[str, list[Sighting]] = {}
    left: Counter[str] = Counter()
    for id_, mark in members:
        where = "project = ? AND fingerprint = ? ORDER BY session"
        for session, body in sql.execute(f"SELECT session, body FROM sightings WHERE {where}", (project, mark)):  # noqa: S608
            left[id_] += 1  # also one that cannot be read: it stays
            own.setdefault(id_, []).extend(Sighting(mark, session, told) for told in readable([body]))
    kept = _kept(own, head, before)
    receipts: set[tuple[int]] = set()
    for id_, mark in members:
        for each in (each for each in own.get(id_, ()) if each.key not in kept):
            left[id_] -= 1
            found.sightings.append((project, *each.key))
            receipts.update(sql.execute(_AGAIN, (project, id_, each.session, before)))
        if id_ != head and own.get(id_) and not left[id_]:
            found.candidates.append((project, mark))
            receipts.update(sql.execute("SELECT n FROM receipts WHERE project = ? AND candidate = ?", (project, id_)))
    found.receipts += sorted(receipts)


def _kept(own: dict[str, list[Sighting]], head: str, before: int) -> set[tuple[str, str]]:
    """The keys of those that stay; ``own`` has each candidate's sightings by its id."""
    newest = sorted(
        (each for some in own.values() for each in some), key=lambda each: (-each.told.detected_at, each.key)
    )
    kept = {each.key for place, each in enumerate(newest) if place < KEPT or each.told.detected_at >= before}
    kept |= {newest[place].key for place in witnesses([each.told for each in newest])}
    for id_, some in own.items():
        if id_ == head or any(each.key in kept for each in some):
            some.sort(key=lambda each: -each.told.detected_at)
            kept |= {some[place].key for place in witnesses([each.told for each in some])}
    return kept
