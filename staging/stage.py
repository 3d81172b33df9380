"""Stage candidates: replace a session's previous candidates and merge the new ones with those of other sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from mind_skills.learning.scoring import DEFAULTS, LearningConfig
from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.taste import NOBODYS
from mind_skills.staging import block, covered
from mind_skills.staging.decisions import read_taste
from mind_skills.staging.form import readable
from mind_skills.staging.identity import candidate_id
from mind_skills.staging.model import PER_SESSION, Candidate, apply_caps
from mind_skills.staging.select import shifted, split
from mind_skills.staging.similar import regroup, reunite, revive
from mind_skills.staging.tables import candidates as table
from mind_skills.staging.tables.receipts import add_receipt
from mind_skills.staging.trust import weigh_candidate, weigh_detectors
from mind_skills.store.project import Project

_OPEN = ("pending", "waiting", "shelved", "covered", "merged")


@dataclass(frozen=True, slots=True)
class Staged:
    """Result of staging, as candidate ids. ``problems`` are sentences about the pending file, for a log."""

    new: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    """Staged before, by this session or another."""
    refused: tuple[str, ...] = ()
    """Dismissed, accepted or ignored before; not pending again."""
    covered: tuple[str, ...] = ()
    """Covered by an installed skill; set aside and not listed in the other fields."""
    kept: tuple[str, ...] = ()
    """Waiting for confirmation by another session; not listed in the other fields."""
    withdrawn: tuple[str, ...] = ()
    """Staged by this session before, but no longer detected, and seen by no other session."""
    waiting: int = 0
    problems: tuple[str, ...] = ()


def stage(
    sql: sqlite3.Connection,
    project: Project,
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
    """Replace what ``session`` staged in ``project`` by the best ``most`` of ``candidates`` and those that wait.

    Runs inside the caller's transaction. Idempotent.

    The tier of each candidate is determined from its probability and, with ``adapts``, from earlier decisions in this
    project (staging/select.py). Waiting candidates are listed once another session sees them.

    Offered or approved candidates are not withdrawn. Accepted or dismissed ones are refused. Ignored or shelved ones
    are pending again if a session sees them for the first time, other than the one they were offered to. ``skills`` are
    the installed skills, None if unknown: candidates that they cover are set aside (covered.py). Candidates of a
    detector with many dismissals rank lower (criteria.py), by the settings in ``learning``.
    """
    worth = weigh_detectors(sql, at, learning)
    before = table.list_fingerprints(sql, project.id, session)
    likes = read_taste(sql, project) if adapts else NOBODYS
    tiered = (shifted(c, likes) for c in candidates)
    heard = (weigh_candidate(c, worth) for c in tiered if c is not None)
    of_session = (replace(c, session_id=session, host=host, sessions=(session,)) for c in heard)
    incoming = [c for some in split((apply_caps(c) for c in of_session), most) for c in some]
    dropped = sorted(before - {c.fingerprint for c in incoming})
    withdrawn = [id_ for mark in dropped for id_ in _withdraw(sql, project.id, session, mark, at)]
    outcomes = [(candidate, _sight(sql, project.id, session, candidate, at)) for candidate in incoming]
    regroup(sql, project.id, session, at)
    ids: dict[str, list[str]] = {"new": [], "again": [], "refused": [], "kept": []}
    for candidate, outcome in outcomes:
        record = table.find_by_fingerprint(sql, project.id, candidate.fingerprint)
        assert record is not None  # staged above
        into = table.find_head(sql, record)
        settled = "refused" if into.state in ("accepted", "dismissed") else "again"
        listed = ids["kept" if into.state == "waiting" else outcome if into is record else settled]
        if into.candidate.id not in listed:
            listed.append(into.candidate.id)
    known = frozenset(covered.apply_skills(sql, project.id, skills, at) if skills is not None else ())
    free = {name: tuple(id_ for id_ in found if id_ not in known) for name, found in ids.items()}
    return Staged(
        **free,
        covered=tuple(id_ for name in ids for id_ in ids[name] if id_ in known),
        withdrawn=tuple(withdrawn),
        waiting=len(table.list_waiting(sql, project.id)),
    )


def _withdraw(sql: sqlite3.Connection, project: str, session: str, mark: str, at: int) -> list[str]:
    record = table.find_by_fingerprint(sql, project, mark)
    if record is None or record.offered_to or record.candidate.approved or record.state not in _OPEN:
        return []
    table.delete_sighting(sql, project, mark, session)
    if reunite(sql, record):
        return []
    table.delete_candidate(sql, project, mark)
    add_receipt(sql, at, "withdrawn", record, session)
    return [record.candidate.id]


def _sight(sql: sqlite3.Connection, project: str, session: str, candidate: Candidate, at: int) -> str:
    record = table.find_by_fingerprint(sql, project, candidate.fingerprint)
    if record is not None and record.state in ("accepted", "dismissed"):
        return "refused"
    seen_before = table.find_sighting(sql, project, candidate.fingerprint, session)
    for before in readable(seen_before):
        # Preserve the first time: a repeated analysis of a growing log must not make a candidate newer.
        candidate = replace(candidate, detected_at=min(candidate.detected_at, before.detected_at))
    table.put_sighting(sql, project, session, candidate)
    if record is None:
        table.delete_candidate(sql, project, candidate.fingerprint)  # an unreadable row
        candidate = replace(candidate, id=_free_id(sql, project, candidate.fingerprint))
        record = table.insert_candidate(sql, project, candidate, block.entry(candidate))
        add_receipt(sql, at, "waits" if record.state == "waiting" else "staged", record, session)
        return "new"
    if not seen_before and record.state == "pending":
        add_receipt(sql, at, "staged", record, session, {"again": True})
    head = table.find_head(sql, record)
    if head.state in ("ignored", "shelved"):
        if seen_before or session == head.offered_to:
            return "refused"
        revive(sql, head, session, at)
    reunite(sql, record)
    return "again"


def _free_id(sql: sqlite3.Connection, project: str, mark: str) -> str:
    """Return the first id for a fingerprint that the project does not use yet."""
    ids = (candidate_id(mark, turn) for turn in count())
    return next(id_ for id_ in ids if not table.is_id_taken(sql, project, id_))
