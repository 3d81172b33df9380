"""What stands behind a learning that stays: sightings of long ago that say nothing which later ones do not say as well.

A learning that nobody decides about is seen again and again, under its own words or merged into it under others. Its rank
counts five sessions (staging/merge.py), so of what is old five sightings are kept, and beyond them those without which it
would be told otherwise. Files that only forgotten ones name are forgotten with them, when it is seen the next time.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.staging.form import readable
from mind_skills.staging.merge import RECURRENCES, witnesses
from mind_skills.staging.model import Candidate

KEPT = 1 + RECURRENCES
_AGAIN = "SELECT session, n FROM receipts WHERE project = ? AND candidate = ? AND what = 'staged' AND detail <> '' AND at < ?"
"""That a session saw it again: the first of all, with which its story begins, has no detail."""


class Member(NamedTuple):
    """A learning, or one that is merged into it."""

    id: str
    mark: str
    state: str


class Sighting(NamedTuple):
    """``mark`` is the candidate's fingerprint, ``told`` how the session saw it."""

    mark: str
    session: str
    told: Candidate

    @property
    def key(self) -> tuple[str, str]:
        """What it is found by in its project."""
        return (self.mark, self.session)

    def lasts(self, before: int, lasting: AbstractSet[str]) -> bool:
        """Whether it is not of long ago, or its session is still known."""
        return self.told.detected_at >= before or self.session in lasting


@dataclass(slots=True)
class Repeats:
    """Keys of the rows that may go: a merged learning goes with the last of its sightings, and each with its receipts."""

    receipts: set[int] = field(default_factory=set[int])
    sightings: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    candidates: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def repeats(sql: sqlite3.Connection, stays: str, lasts: str, before: int) -> Repeats:
    """What may go of the candidates that ``stays`` selects, but for what the sessions saw that ``lasts`` selects.

    Both are conditions of ours that may name ``:before`` (UTC ms). A session that is looked at once more is new to what
    it saw, where that was forgotten: so its sightings stay as long as the session does.
    """
    values = {"before": before}
    counts = {
        (project, mark): int(count)
        for project, mark, count in sql.execute(
            "SELECT project, fingerprint, count(*) FROM sightings GROUP BY project, fingerprint"
        )
    }
    lasting = {str(row[0]) for row in sql.execute(f"SELECT session FROM sessions WHERE {lasts}", values)}  # noqa: S608
    rows = sql.execute(
        "SELECT project, CASE state WHEN 'merged' THEN detail ELSE id END, id, fingerprint, state FROM candidates"  # noqa: S608
        f" WHERE {stays}",
        values,
    )
    families: dict[tuple[str, str], list[Member]] = {}
    for project, head, *member in rows:
        families.setdefault((project, head), []).append(Member(*member))
    found = Repeats()
    for (project, head), members in families.items():
        if sum(counts.get((project, member.mark), 0) for member in members) > KEPT:
            _of_family(sql, found, project, head, members, before, lasting)
    return found


def forget(sql: sqlite3.Connection, found: Repeats) -> None:
    """Delete these rows; receipts may be deleted while it runs."""
    sql.executemany("DELETE FROM receipts WHERE n = ?", ((n,) for n in sorted(found.receipts)))
    sql.executemany("DELETE FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", found.sightings)
    sql.executemany("DELETE FROM candidates WHERE project = ? AND fingerprint = ?", found.candidates)


def _of_family(
    sql: sqlite3.Connection,
    found: Repeats,
    project: str,
    head: str,
    members: Sequence[Member],
    before: int,
    lasting: AbstractSet[str],
) -> None:
    """A learning and those that are merged into it."""
    own: dict[str, list[Sighting]] = {}
    left: Counter[str] = Counter()
    for id_, mark, _ in members:
        where = "project = ? AND fingerprint = ? ORDER BY session"
        for session, body in sql.execute(f"SELECT session, body FROM sightings WHERE {where}", (project, mark)):  # noqa: S608
            left[id_] += 1  # also one that cannot be read: it stays
            own.setdefault(id_, []).extend(Sighting(mark, session, told) for told in readable([body]))
    kept = {each.key for some in own.values() for each in some if each.lasts(before, lasting)}
    kept |= _kept(own, head, kept, whole=_decided(head, members))
    for id_, mark, _ in members:
        gone = {each.session: each.key for each in own.get(id_, ()) if each.key not in kept}
        if not gone:
            continue
        found.sightings += [(project, *key) for key in gone.values()]
        found.receipts |= {n for session, n in sql.execute(_AGAIN, (project, id_, before)) if session in gone}
        if id_ != head and len(gone) == left[id_]:
            found.candidates.append((project, mark))
            every = sql.execute("SELECT n FROM receipts WHERE project = ? AND candidate = ?", (project, id_))
            found.receipts |= {n for (n,) in every}


def _decided(head: str, members: Iterable[Member]) -> bool:
    """Whether it was accepted or refused, or is not there. Then what is merged into it stays in all words: those that were
    forgotten would come back with another title, and no longer be found to be what was refused.
    """
    return all(id_ != head or state in ("accepted", "dismissed") for id_, _, state in members)


def _kept(
    own: Mapping[str, list[Sighting]], head: str, lasting: AbstractSet[tuple[str, str]], *, whole: bool
) -> set[tuple[str, str]]:
    """The keys of those that stay, also of every member where it is ``whole``; ``own`` has each one's sightings by its id."""
    newest = _newest_first(each for some in own.values() for each in some)
    kept = set(lasting) | _of_sessions(newest)
    kept |= {newest[place].key for place in witnesses([each.told for each in newest])}
    for id_, some in own.items():
        if whole or id_ == head or any(each.key in kept for each in some):
            mine = _newest_first(some)
            kept |= {mine[place].key for place in witnesses([each.told for each in mine])}
            # Where one session alone is left that saw it, that session is not told of it.
            kept |= _of_sessions(mine) if id_ == head else set()
    return kept


def _newest_first(some: Iterable[Sighting]) -> list[Sighting]:
    return sorted(some, key=lambda each: (-each.told.detected_at, each.key))


def _of_sessions(newest: Iterable[Sighting]) -> set[tuple[str, str]]:
    """The keys of the first of each session, of as many sessions as a rank counts."""
    first: dict[str, tuple[str, str]] = {}
    for each in newest:
        first.setdefault(each.session, each.key)
    return set(list(first.values())[:KEPT])
