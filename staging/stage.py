"""Stage candidates: replace a session's previous candidates, and merge the new ones with sightings of other sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from itertools import count

from mind_skills.learning.scoring import DEFAULTS, LearningConfig
from mind_skills.learning.skills.discovery import Skill
from mind_skills.staging import covered
from mind_skills.staging.entry import render_entry
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.model import (
    MAX_PER_SESSION,
    MUTABLE_PARTS,
    TEAM_SESSION,
    Candidate,
    cap_candidate,
    merge_candidates,
    merge_sightings,
    parse_bodies,
)
from mind_skills.staging.tables import candidates as table
from mind_skills.staging.tables.candidates import StoredCandidate, add_receipt, list_sightings, set_state
from mind_skills.staging.trust import weigh_candidate, weigh_detectors
from mind_skills.store.light_dataclasses import dataclass, replace
from mind_skills.store.project import Project

_WITHDRAWABLE_STATES = ("pending", "shelved", "covered")


@dataclass(frozen=True, slots=True)
class Staged:
    """Result of staging, as candidate ids. ``problems`` are sentences about pending files, for a log."""

    new: tuple[str, ...] = ()
    seen_before: tuple[str, ...] = ()
    """Staged before, by this session or another."""
    settled_before: tuple[str, ...] = ()
    """Accepted, dismissed, ignored or shelved before, and not pending again."""
    covered: tuple[str, ...] = ()
    """Covered by an installed skill; set aside and not listed in the other fields."""
    withdrawn: tuple[str, ...] = ()
    """Staged by this session before, but no longer detected, and seen by no other session."""
    pending_count: int = 0
    """Number of pending candidates in the project, at most ten."""
    problems: tuple[str, ...] = ()


def stage_candidates(
    sql: sqlite3.Connection,
    project: Project,
    session_id: str,
    host: str,
    candidates: Iterable[Candidate],
    at: int,
    skills: Iterable[Skill] | None = None,
    learning: LearningConfig = DEFAULTS,
    max_candidates: int = MAX_PER_SESSION,
) -> Staged:
    """Replace a session's candidates with the best ``max_candidates`` new ones, in the caller's transaction.
    Idempotent. Offered or approved ones are not withdrawn, decided ones not staged again; ignored or shelved ones
    return when another session sees them. ``skills`` is None if they were not read.
    """
    weights = weigh_detectors(sql, at, learning, project.id)
    previous_fingerprints = table.list_fingerprints(sql, project.id, session_id)
    adjusted = (weigh_candidate(candidate, weights) for candidate in candidates)
    attributed = (replace(c, session_id=session_id, host=host, sessions=(session_id,)) for c in adjusted)
    incoming = merge_candidates(map(cap_candidate, attributed))[: min(max_candidates, MAX_PER_SESSION)]
    dropped = sorted(previous_fingerprints - {c.fingerprint for c in incoming})
    withdrawn = [id_ for fingerprint in dropped for id_ in _withdraw(sql, project.id, session_id, fingerprint, at)]
    results = [(candidate, _record_sighting(sql, project.id, session_id, candidate, at)) for candidate in incoming]
    ids: dict[str, list[str]] = {"new": [], "seen_before": [], "settled_before": []}
    for candidate, result in results:
        record = table.find_by_fingerprint(sql, project.id, candidate.fingerprint)
        assert record is not None  # staged above
        ids[result].append(record.candidate.id)
    covered_ids = frozenset(covered.apply_skills(sql, project.id, skills, at) if skills is not None else ())
    listed_ids = {name: tuple(id_ for id_ in all_ids if id_ not in covered_ids) for name, all_ids in ids.items()}
    return Staged(
        **listed_ids,
        covered=tuple(id_ for name in ids for id_ in ids[name] if id_ in covered_ids),
        withdrawn=tuple(withdrawn),
        pending_count=len(table.list_pending(sql, project.id)),
    )


def _withdraw(sql: sqlite3.Connection, project_id: str, session_id: str, fingerprint: str, at: int) -> list[str]:
    """Withdraw a session's sighting and, if no other session has one, the untouched candidate; return the ids deleted."""
    record = table.find_by_fingerprint(sql, project_id, fingerprint)
    if record is None or record.offered_to or record.candidate.approved or record.state not in _WITHDRAWABLE_STATES:
        return []
    table.delete_sighting(sql, project_id, fingerprint, session_id)
    if rebuild_candidate(sql, record):
        return []
    table.delete_candidate(sql, project_id, fingerprint)
    add_receipt(sql, at, "withdrawn", record, session_id)
    return [record.candidate.id]


def _record_sighting(sql: sqlite3.Connection, project_id: str, session_id: str, candidate: Candidate, at: int) -> str:
    """Record that a session saw a candidate, unless it is accepted or dismissed; return the field of ``Staged`` for its id."""
    record = table.find_by_fingerprint(sql, project_id, candidate.fingerprint)
    if record is not None and record.state in ("accepted", "dismissed"):
        return "settled_before"
    earlier_body = table.find_sighting_body(sql, project_id, candidate.fingerprint, session_id)
    for earlier in parse_bodies(earlier_body):
        # Preserve the earliest time: a repeated analysis of a growing log must not make a candidate newer.
        candidate = replace(candidate, detected_at=min(candidate.detected_at, earlier.detected_at))
    table.put_sighting(sql, project_id, session_id, candidate)
    if record is None:
        table.delete_candidate(sql, project_id, candidate.fingerprint)  # there may be an unreadable row
        candidate = replace(candidate, id=_find_free_id(sql, project_id, candidate.fingerprint))
        record = table.insert_candidate(sql, project_id, candidate, render_entry(candidate))
        add_receipt(sql, at, "staged", record, session_id)
        return "new"
    if not earlier_body and record.state == "pending":
        add_receipt(sql, at, "staged", record, session_id, {"again": True})
    if record.state in ("ignored", "shelved"):
        if earlier_body or session_id == record.offered_to:
            return "settled_before"
        revive_candidate(sql, record, session_id, at)
    rebuild_candidate(sql, record)
    return "seen_before"


def _find_free_id(sql: sqlite3.Connection, project_id: str, fingerprint: str) -> str:
    """Return the first id for a fingerprint that the project does not use yet."""
    ids = (build_candidate_id(fingerprint, attempt) for attempt in count())
    return next(id_ for id_ in ids if not table.is_id_taken(sql, project_id, id_))


def rebuild_candidate(sql: sqlite3.Connection, record: StoredCandidate) -> bool:
    """Rebuild a candidate from its sightings; return False if it has none."""
    sightings = list_sightings(sql, record)
    if not sightings:
        return False
    current = table.reload_record(sql, record).candidate
    merged = merge_sightings(sightings)
    parts = {name: value for name, value in merged.parts.items() if name not in MUTABLE_PARTS}
    parts |= {name: current.parts[name] for name in MUTABLE_PARTS if name in current.parts}
    merged = replace(merged, id=record.candidate.id, fingerprint=record.candidate.fingerprint, parts=parts)
    table.update_candidate(sql, record.project, merged, render_entry(merged))
    return True


def set_team_sightings(sql: sqlite3.Connection, project_id: str, fingerprints: Collection[str], at: int) -> None:
    """Count the team as one more session that saw these pending candidates, and no others. Idempotent."""
    for record in table.list_candidates(sql, project_id):
        candidate = record.candidate
        is_counted = bool(table.find_sighting_body(sql, project_id, candidate.fingerprint, TEAM_SESSION))
        is_in_team = candidate.fingerprint in fingerprints
        if is_in_team and not is_counted and record.state == "pending" and not record.offered_to:
            # Dated later and scored lower than the local sightings, so that evidence and session come from a local log.
            sighting = replace(
                candidate, session_id=TEAM_SESSION, sessions=(TEAM_SESSION,), detected_at=at, score=candidate.score - 1
            )
            table.put_sighting(sql, project_id, TEAM_SESSION, sighting)
            rebuild_candidate(sql, record)
        elif is_counted and not is_in_team:
            table.delete_sighting(sql, project_id, candidate.fingerprint, TEAM_SESSION)
            rebuild_candidate(sql, record)


def revive_candidate(sql: sqlite3.Connection, record: StoredCandidate, session_id: str, at: int) -> None:
    """Make an ignored or shelved candidate pending again, after ``session_id`` has seen it for the first time."""
    set_state(sql, record, "pending")
    table.clear_offer(sql, record)
    add_receipt(sql, at, "revived", record, session_id, {"was": record.state})
