"""Stage candidates: replace a session's previous candidates, and merge the new ones with those of other sessions and with
near-duplicates.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import count

from mind_skills.learning.scoring import DEFAULTS, LearningConfig
from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.taste import NO_TASTE
from mind_skills.staging import covered
from mind_skills.staging.decisions import read_taste
from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.identity import are_alike, build_candidate_id, extract_comparison_key
from mind_skills.staging.model import (
    MAX_PER_SESSION,
    MUTABLE_PARTS,
    TEAM_SESSION,
    Candidate,
    cap_candidate,
    merge_sightings,
    parse_bodies,
)
from mind_skills.staging.select import apply_taste, split_by_tier
from mind_skills.staging.tables import candidates as table
from mind_skills.staging.tables.candidates import (
    StoredCandidate,
    add_receipt,
    list_merged_into,
    list_sightings,
    set_state,
)
from mind_skills.staging.trust import weigh_candidate, weigh_detectors
from mind_skills.store.project import Project

_WITHDRAWABLE_STATES = ("pending", "waiting", "shelved", "covered", "merged")


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
    unconfirmed: tuple[str, ...] = ()
    """Waiting for confirmation by another session; not listed in the other fields."""
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
    *,
    adapts: bool = True,
) -> Staged:
    """Replace the candidates of ``session_id`` in ``project`` with the new ``candidates`` that ``split_by_tier`` selects.

    Runs inside the caller's transaction. Idempotent.

    The tier of each candidate is determined from its probability and, with ``adapts``, from earlier decisions in this
    project (staging/select.py). Waiting candidates become pending once another session sees them.

    Offered or approved candidates are not withdrawn. Accepted or dismissed ones are not staged again. Ignored or shelved
    ones become pending when a session sees them for the first time, unless they were offered to that session.
    ``skills`` are the installed skills, or None if they were not read: candidates that they cover are set aside
    (covered.py). Candidates of a detector with many dismissals rank lower (learning/criteria.py), according to the settings
    in ``learning``.
    """
    weights = weigh_detectors(sql, at, learning, project.id)
    previous_fingerprints = table.list_fingerprints(sql, project.id, session_id)
    taste = read_taste(sql, project) if adapts else NO_TASTE
    tiered = (apply_taste(c, taste) for c in candidates)
    weighted = (weigh_candidate(c, weights) for c in tiered if c is not None)
    attributed = (replace(c, session_id=session_id, host=host, sessions=(session_id,)) for c in weighted)
    incoming = [c for group in split_by_tier((cap_candidate(c) for c in attributed), max_candidates) for c in group]
    dropped = sorted(previous_fingerprints - {c.fingerprint for c in incoming})
    withdrawn = [id_ for fingerprint in dropped for id_ in _withdraw(sql, project.id, session_id, fingerprint, at)]
    results = [(candidate, _record_sighting(sql, project.id, session_id, candidate, at)) for candidate in incoming]
    regroup_candidates(sql, project.id, session_id, at)
    ids: dict[str, list[str]] = {"new": [], "seen_before": [], "settled_before": [], "unconfirmed": []}
    for candidate, result in results:
        record = table.find_by_fingerprint(sql, project.id, candidate.fingerprint)
        assert record is not None  # staged above
        target = table.find_merge_target(sql, record)
        if target.state == "waiting":
            field = "unconfirmed"
        elif target is record:
            field = result
        else:
            field = "settled_before" if target.state in ("accepted", "dismissed") else "seen_before"
        if target.candidate.id not in ids[field]:
            ids[field].append(target.candidate.id)
    covered_ids = frozenset(covered.apply_skills(sql, project.id, skills, at) if skills is not None else ())
    listed_ids = {name: tuple(id_ for id_ in all_ids if id_ not in covered_ids) for name, all_ids in ids.items()}
    return Staged(
        **listed_ids,
        covered=tuple(id_ for name in ids for id_ in ids[name] if id_ in covered_ids),
        withdrawn=tuple(withdrawn),
        pending_count=len(table.list_pending(sql, project.id)),
    )


def _withdraw(sql: sqlite3.Connection, project_id: str, session_id: str, fingerprint: str, at: int) -> list[str]:
    """Withdraw a session's sighting of a candidate, and the candidate itself if no other session has seen it.

    An offered, approved or decided candidate is left unchanged. Return a list with the id of the deleted candidate; empty if none was.
    """
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
        add_receipt(sql, at, "waits" if record.state == "waiting" else "staged", record, session_id)
        return "new"
    if not earlier_body and record.state == "pending":
        add_receipt(sql, at, "staged", record, session_id, {"again": True})
    target = table.find_merge_target(sql, record)
    if target.state in ("ignored", "shelved"):
        if earlier_body or session_id == target.offered_to:
            return "settled_before"
        revive_candidate(sql, target, session_id, at)
    rebuild_candidate(sql, record)
    return "seen_before"


def _find_free_id(sql: sqlite3.Connection, project_id: str, fingerprint: str) -> str:
    """Return the first id for a fingerprint that the project does not use yet."""
    ids = (build_candidate_id(fingerprint, attempt) for attempt in count())
    return next(id_ for id_ in ids if not table.is_id_taken(sql, project_id, id_))


# -- near-duplicates: one of the similar candidates is listed, and the others are merged into it -----------------------


def regroup_candidates(sql: sqlite3.Connection, project_id: str, session_id: str, at: int) -> None:
    """Merge similar candidates and separate those that are no longer similar, after ``session_id`` has staged candidates.

    The result depends on the sightings, not on the order of staging: the candidate seen first represents the others.
    Candidates similar to one that was offered, approved, shelved or decided are merged into that one. Idempotent.
    """
    records = table.list_candidates(sql, project_id)
    mergeable = [record for record in records if _is_mergeable(record)]
    merged = {
        record.candidate.id: merge_sightings(list_sightings(sql, record) or [record.candidate]) for record in mergeable
    }
    representatives = [
        (extract_comparison_key(record.candidate), record) for record in records if not _is_mergeable(record)
    ]
    mergeable.sort(key=lambda each: (merged[each.candidate.id].detected_at, each.candidate.fingerprint))
    for record in mergeable:
        key = extract_comparison_key(merged[record.candidate.id])
        representative = next((other for other_key, other in representatives if are_alike(other_key, key)), None)
        if representative is None:
            representatives.append((key, record))
            _separate_record(sql, record, at)
            continue
        _merge_record(sql, record, representative, at)
        is_set_aside = representative.state in ("ignored", "shelved")
        if is_set_aside and _is_new_to_session(sql, record, representative, session_id):
            revive_candidate(sql, representative, session_id, at)
    for record in mergeable:
        rebuild_candidate(sql, record)  # a former representative may now be merged into another one
    for _, representative in representatives:
        is_offered_or_approved = representative.state == "pending" and representative not in mergeable
        if is_offered_or_approved and list_merged_into(sql, representative):
            rebuild_candidate(sql, representative)  # add the sessions of those that were merged into it
    _update_waiting(sql, project_id, session_id, at)


def rebuild_candidate(sql: sqlite3.Connection, record: StoredCandidate) -> bool:
    """Rebuild a candidate from its own sightings and those of the candidates merged into it; return False if it has none of its own."""
    sightings = list_sightings(sql, record)
    if not sightings:
        return False
    for member in list_merged_into(sql, record):
        sightings += list_sightings(sql, member)
    current = table.reload_record(sql, record).candidate
    merged = merge_sightings(sightings)
    parts = {name: value for name, value in merged.parts.items() if name not in MUTABLE_PARTS}
    parts |= {name: current.parts[name] for name in MUTABLE_PARTS if name in current.parts}
    merged = replace(merged, id=record.candidate.id, fingerprint=record.candidate.fingerprint, parts=parts)
    table.update_candidate(sql, record.project, merged, render_entry(merged))
    return True


def set_team_sightings(sql: sqlite3.Connection, project_id: str, fingerprints: Collection[str], at: int) -> None:
    """Count the team as one more session that saw the waiting candidates with these fingerprints, and no other candidates.

    A waiting candidate then becomes medium, as after a sighting by a second session. Idempotent.
    """
    has_changed = False
    for record in table.list_candidates(sql, project_id):
        candidate = record.candidate
        is_counted = bool(table.find_sighting_body(sql, project_id, candidate.fingerprint, TEAM_SESSION))
        is_in_team = candidate.fingerprint in fingerprints
        if is_in_team and not is_counted and record.state == "waiting":
            # Dated later and scored lower than the local sightings, so that evidence and session come from a local log.
            sighting = replace(
                candidate, session_id=TEAM_SESSION, sessions=(TEAM_SESSION,), detected_at=at, score=candidate.score - 1
            )
            table.put_sighting(sql, project_id, TEAM_SESSION, sighting)
            has_changed = True
        elif is_counted and not is_in_team:
            table.delete_sighting(sql, project_id, candidate.fingerprint, TEAM_SESSION)
            has_changed = True
    if has_changed:
        regroup_candidates(sql, project_id, TEAM_SESSION, at)


def revive_candidate(sql: sqlite3.Connection, record: StoredCandidate, session_id: str, at: int) -> None:
    """Make an ignored or shelved candidate pending again, after ``session_id`` has seen it for the first time."""
    set_state(sql, record, "pending")
    table.clear_offer(sql, record)
    add_receipt(sql, at, "revived", record, session_id, {"was": record.state})


def _update_waiting(sql: sqlite3.Connection, project_id: str, session_id: str, at: int) -> None:
    """Set candidates without an offer to ``pending`` or ``waiting`` if their tier has changed."""
    for record in table.list_unoffered(sql, project_id):
        state = table.get_unoffered_state(record.candidate)
        if state != record.state:
            set_state(sql, record, state)
            if state == "pending":
                add_receipt(sql, at, "staged", record, session_id, {"back": True})
            else:
                add_receipt(sql, at, "lapsed", record, session_id)


def _is_mergeable(record: StoredCandidate) -> bool:
    is_open = record.state == "pending" and not record.offered_to and not record.candidate.approved
    return is_open or record.state in ("merged", "covered", "waiting")


def _merge_record(sql: sqlite3.Connection, record: StoredCandidate, target: StoredCandidate, at: int) -> None:
    if record.state == "merged" and record.detail == target.candidate.id:
        return
    set_state(sql, record, "merged", at, target.candidate.id)
    add_receipt(sql, at, "merged", record, detail={"into": target.candidate.id})


def _separate_record(sql: sqlite3.Connection, record: StoredCandidate, at: int) -> None:
    if record.state == "merged":
        set_state(sql, record, "pending")
        add_receipt(sql, at, "parted", record, detail={"from": record.detail})


def _is_new_to_session(
    sql: sqlite3.Connection, record: StoredCandidate, representative: StoredCandidate, session_id: str
) -> bool:
    """Return whether ``session_id`` sees an ignored or shelved representative for the first time, in the form of ``record``."""
    other_sessions = {each.session_id for each in list_sightings(sql, representative)} | {representative.offered_to}
    record_sessions = {each.session_id for each in list_sightings(sql, record)}
    return session_id in record_sessions - other_sessions and record.state != "merged"
