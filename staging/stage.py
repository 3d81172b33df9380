"""Staging: what a session saw replaces what it saw before, and is united with what others saw. In a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mind_skills.learning.scoring import DEFAULTS, LearningConfig
from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.taste import NOBODYS
from mind_skills.staging import block, covered, records
from mind_skills.staging.criteria import weighed, weights
from mind_skills.staging.decided import taste
from mind_skills.staging.form import readable, to_body
from mind_skills.staging.group import head, regroup, reunite, revive, told_or_waiting
from mind_skills.staging.identity import bounded, candidate_id
from mind_skills.staging.merge import merge, rank
from mind_skills.staging.model import PER_SESSION, Candidate
from mind_skills.staging.records import Record
from mind_skills.staging.select import shifted, split

_OPEN = ("pending", "waiting", "shelved", "covered", "merged")


@dataclass(frozen=True, slots=True)
class Staged:
    """What a stage did, by candidate id. ``problems`` are sentences about the pending file, for a log."""

    new: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    """Known before, from this session or another."""
    refused: tuple[str, ...] = ()
    """Dismissed, accepted or ignored before: these do not wait again."""
    covered: tuple[str, ...] = ()
    """Said by an installed skill already; these wait aside, and are in none of the others."""
    kept: tuple[str, ...] = ()
    """Kept until another session sees them as well: on no list, and in none of the others."""
    withdrawn: tuple[str, ...] = ()
    """Staged by this session before, not seen any more, and seen by no other."""
    waiting: int = 0
    problems: tuple[str, ...] = ()


def stage(
    sql: sqlite3.Connection,
    project: str,
    session: str,
    host: str,
    candidates: Iterable[Candidate],
    at: int,
    skills: Iterable[Skill] | None = None,
    learning: LearningConfig = DEFAULTS,
    most: int = PER_SESSION,
    *,
    adapts: bool = True,
) -> Staged:
    """Replace what ``session`` staged in ``project`` by the best ``most`` of ``candidates``, and by what waits of them.

    Which tier each is in is decided here, by its probability and, where it ``adapts``, by what was decided in this project
    before (staging/select.py). What waits is on no list until another session sees it.

    What was offered to anybody is not withdrawn. What was accepted or dismissed is refused; what was ignored or fell
    out of the list waits again once a session that is new to it sees it, other than the one it was offered to.
    ``skills`` are those that are installed, None where that is not known: what they cover waits aside (covered.py).
    A detector whose candidates were dismissed too often counts less (criteria.py), by the numbers of ``learning``.
    """
    worth = weights(sql, at, learning)
    rows = sql.execute("SELECT fingerprint FROM sightings WHERE project = ? AND session = ?", (project, session))
    before = {row[0] for row in rows}
    likes = taste(sql, project) if adapts else NOBODYS
    tiered = (shifted(c, likes) for c in candidates)
    heard = (weighed(c, worth) for c in tiered if c is not None)
    of_session = (replace(c, session_id=session, host=host, sessions=(session,)) for c in heard)
    incoming = [c for some in split((bounded(c) for c in of_session), most) for c in some]
    marks = {c.fingerprint for c in incoming}
    dropped = sorted(before - marks)
    withdrawn = [id_ for mark in dropped for id_ in _withdraw(sql, project, session, mark, at)]
    outcomes = [(candidate, _sight(sql, project, session, candidate, at)) for candidate in incoming]
    regroup(sql, project, session, at)
    ids: dict[str, list[str]] = {"new": [], "again": [], "refused": [], "kept": []}
    for candidate, outcome in outcomes:
        record = records.by_fingerprint(sql, project, candidate.fingerprint)
        assert record is not None  # it was staged just now
        into = head(sql, record)
        settled = "refused" if into.state in ("accepted", "dismissed") else "again"
        listed = ids["kept" if into.state == "waiting" else outcome if into is record else settled]
        if into.candidate.id not in listed:
            listed.append(into.candidate.id)
    known = frozenset(covered.apply(sql, project, skills, at) if skills is not None else ())
    free = {name: tuple(id_ for id_ in found if id_ not in known) for name, found in ids.items()}
    return Staged(
        free["new"],
        free["again"],
        free["refused"],
        covered=tuple(id_ for name in ids for id_ in ids[name] if id_ in known),
        kept=free["kept"],
        withdrawn=tuple(withdrawn),
        waiting=len(records.waiting(sql, project)),
    )


def sightings(sql: sqlite3.Connection, project: str, session: str) -> list[Candidate]:
    """What a session has staged, as that session saw it, also what waits; best first."""
    rows = sql.execute("SELECT body FROM sightings WHERE project = ? AND session = ?", (project, session))
    return merge(readable(row[0] for row in rows))


def _withdraw(sql: sqlite3.Connection, project: str, session: str, mark: str, at: int) -> list[str]:
    record = records.by_fingerprint(sql, project, mark)
    if record is None or record.offered_to or record.state not in _OPEN:
        return []
    key = (project, mark, session)
    sql.execute("DELETE FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", key)
    if reunite(sql, record):
        return []
    sql.execute("DELETE FROM candidates WHERE project = ? AND fingerprint = ?", (project, mark))
    records.note(sql, at, "withdrawn", record, session)
    return [record.candidate.id]


def _sight(sql: sqlite3.Connection, project: str, session: str, candidate: Candidate, at: int) -> str:
    record = records.by_fingerprint(sql, project, candidate.fingerprint)
    if record is not None and record.state in ("accepted", "dismissed"):
        return "refused"
    key = (project, candidate.fingerprint, session)
    row = sql.execute(
        "SELECT body FROM sightings WHERE project = ? AND fingerprint = ? AND session = ?", key
    ).fetchone()
    for before in readable(row or ()):
        # Seen first is when it was seen: looking again at a log that grew must not make anything newer.
        candidate = replace(candidate, detected_at=min(candidate.detected_at, before.detected_at))
    sql.execute("INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?)", (*key, to_body(candidate)))
    if record is None:
        record = _insert(sql, project, candidate)
        records.note(sql, at, "waits" if record.state == "waiting" else "staged", record, session)
        return "new"
    if row is None and record.state == "pending":
        records.note(sql, at, "staged", record, session, {"again": True})
    whole = head(sql, record)
    if whole.state in ("ignored", "shelved"):
        if row is not None or session == whole.offered_to:
            return "refused"
        revive(sql, whole, session, at)
    reunite(sql, record)
    return "again"


def _insert(sql: sqlite3.Connection, project: str, candidate: Candidate) -> Record:
    mark, turn = candidate.fingerprint, 0
    sql.execute(
        "DELETE FROM candidates WHERE project = ? AND fingerprint = ?", (project, mark)
    )  # one that is unreadable
    id_ = candidate_id(mark)
    while sql.execute("SELECT 1 FROM candidates WHERE project = ? AND id = ?", (project, id_)).fetchone():
        turn += 1
        id_ = candidate_id(mark, turn)
    candidate, state = replace(candidate, id=id_), told_or_waiting(candidate)
    sql.execute(
        "INSERT INTO candidates (project, fingerprint, id, state, body, entry, rank, detected_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (project, mark, id_, state, to_body(candidate), block.entry(candidate), rank(candidate), candidate.detected_at),
    )
    return Record(project, candidate, state)
