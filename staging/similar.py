"""Find and merge near-duplicates: candidates with different fingerprints that describe one learning in similar words.

Fingerprints (staging/identity.py) already ignore case, and numbers and paths in errors; the remaining near-duplicates are
messages about another location, and statements in another order. The comparison is symmetric and was measured on the pairs
in tests/staging/similar_pairs.py. One of the similar candidates is listed; the others are ``merged`` into it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple, cast

from mind_skills.learning.skills.files import extract_distinctive_words
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging.candidate_json import JsonObject
from mind_skills.staging.identity import get_family, list_words
from mind_skills.staging.merge import MUTABLE_PARTS, merge_sightings
from mind_skills.staging.model import TEAM_SESSION, Candidate
from mind_skills.staging.tables import candidates
from mind_skills.staging.tables.candidates import StoredCandidate, list_merged_into, list_sightings, set_state
from mind_skills.staging.tables.receipts import add_receipt

MIN_WORD_SHARE, MIN_WORDS = 0.75, 4
"""Minimum share and number of distinctive words that two titles have in common. Titles of one learning in nearly the
same words share at least .83; those of two learnings share at most .58 unless they name different things."""
MIN_NAME_SHARE = 0.5
"""Minimum share of names in common: the same message about another module is another learning."""
MEMORY_WORD_SHARE, MIN_SIMILARITY = 0.5, 1.6
"""Titles with equal names that share fewer words, but at least ``MEMORY_WORD_SHARE``, are alike if their similarity as computed
by memory/features.py (word pieces plus concepts, each at most 1) reaches ``MIN_SIMILARITY``. This finds 3 of 10 reworded
learnings, none of which is found by words alone; the closest pair of different learnings reaches 1.53
(tests/staging/similar_pairs.py)."""
_PLACE = compile_lazily(r"\S{0,200}/\S*|:\d+\b|\d{4}-\d\d-\d\d\S*|\b0x[0-9a-f]+\b", re.IGNORECASE)
_QUOTED = compile_lazily(r"`([^`]{1,60})`|'([^' ]{1,60})'|\"([^\" ]{1,60})\"")
_NAMED = compile_lazily(r"\b(?:[A-Za-z]+[-_]?\d\w*|[A-Za-z]\w*[._]\w[\w.]*|[a-z]+[A-Z]\w*)|\b\d[\d.]*\b")


class ComparisonKey(NamedTuple):
    """The compared parts of a candidate: its family (``kind``), its title with its distinctive words and names, and its remedy's words."""

    kind: str
    words: set[str]
    names: set[str]
    title: str = ""
    remedy: frozenset[str] = frozenset()


def extract_comparison_key(candidate: Candidate) -> ComparisonKey:
    """Extract the parts of a candidate that are compared."""
    remedy = frozenset(list_words(candidate.remedy))
    return ComparisonKey(
        get_family(candidate.kind),
        extract_distinctive_words([candidate.title]),
        extract_names(candidate.title),
        candidate.title,
        remedy,
    )


def are_alike(one: ComparisonKey, other: ComparisonKey) -> bool:
    """Return whether two candidates are one learning: their titles have nearly the same words and names.

    If the words are inconclusive, the meanings are compared. Remedies without a common word indicate two learnings.
    """
    if one.kind != other.kind or (one.remedy and other.remedy and not one.remedy & other.remedy):
        return False
    shared, total = len(one.words & other.words), len(one.words | other.words)
    if shared < MIN_WORDS or shared < MEMORY_WORD_SHARE * total:
        return False
    if shared >= MIN_WORD_SHARE * total:
        return len(one.names & other.names) >= MIN_NAME_SHARE * len(one.names | other.names)
    return one.names == other.names and _has_similar_meaning(one.title, other.title)


def _has_similar_meaning(one: str, other: str) -> bool:
    # Imported here because it loads a lexicon, which few comparisons need.
    from mind_skills.memory.features import compare_features, extract_features

    return sum(compare_features(extract_features(one), extract_features(other))) >= MIN_SIMILARITY


def extract_names(title: str) -> set[str]:
    """Return the codes, numbers, identifiers and quoted words in a title, without paths, line numbers and dates."""
    text = _PLACE.sub(" ", title)
    quoted = [found[found.lastindex or 0] for found in _QUOTED.finditer(text)]
    plain = [found[0] for found in _NAMED.finditer(text)]
    return {name.casefold().rstrip("().") for name in [*quoted, *plain]}


# -- grouping, inside a transaction ------------------------------------------------------------------------------------


def regroup_candidates(sql: sqlite3.Connection, project: str, session: str, at: int) -> None:
    """Merge similar candidates and separate those that are no longer similar, after ``session`` has staged candidates.

    The result depends on the sightings, not on the order of staging: the candidate seen first represents the others.
    Candidates similar to one that was offered, approved, shelved or decided are merged into that one. Idempotent.
    """
    records = candidates.list_candidates(sql, project)
    mergeable = [record for record in records if _is_mergeable(record)]
    merged = {
        record.candidate.id: merge_sightings(list_sightings(sql, record) or [record.candidate]) for record in mergeable
    }
    representatives = [
        (extract_comparison_key(record.candidate), record) for record in records if not _is_mergeable(record)
    ]
    for record in sorted(
        mergeable, key=lambda each: (merged[each.candidate.id].detected_at, each.candidate.fingerprint)
    ):
        key = extract_comparison_key(merged[record.candidate.id])
        representative = next((other for other_key, other in representatives if are_alike(other_key, key)), None)
        if representative is None:
            representatives.append((key, record))
            _separate_record(sql, record, at)
        else:
            _merge_record(sql, record, representative, at)
            if representative.state in ("ignored", "shelved") and _is_new_to_session(
                sql, record, representative, session
            ):
                revive_candidate(sql, representative, session, at)
    for record in mergeable:
        rebuild_candidate(sql, record)  # a former representative may now be merged into another one
    for _, representative in representatives:
        if (
            representative.state == "pending"
            and representative not in mergeable
            and list_merged_into(sql, representative)
        ):
            rebuild_candidate(
                sql, representative
            )  # offered or approved: add the sessions of those that were merged into it
    _update_waiting(sql, project, session, at)


def rebuild_candidate(sql: sqlite3.Connection, record: StoredCandidate) -> bool:
    """Rebuild a candidate from its own sightings and those of the candidates merged into it; return False if it has none of its own."""
    own_sightings = list_sightings(sql, record)
    if not own_sightings:
        return False
    # Imported here because only staging renders entries; comparisons do not.
    from mind_skills.staging.entry_text import render_entry

    sightings = [
        *own_sightings,
        *(each for member in list_merged_into(sql, record) for each in list_sightings(sql, member)),
    ]
    current = candidates.reload_record(sql, record).candidate
    merged = merge_sightings(sightings)
    parts = {name: value for name, value in merged.parts.items() if name not in MUTABLE_PARTS}
    parts |= {name: current.parts[name] for name in MUTABLE_PARTS if name in current.parts}
    merged = replace(merged, id=record.candidate.id, fingerprint=record.candidate.fingerprint, parts=parts)
    candidates.update_candidate(sql, record.project, merged, render_entry(merged))
    return True


def set_team_sightings(sql: sqlite3.Connection, project: str, fingerprints: Collection[str], at: int) -> None:
    """Count the team as one more session that saw the waiting candidates with these fingerprints, and no other candidates.

    A waiting candidate then becomes medium, as after a sighting by a second session. Idempotent.
    """
    has_changed = False
    for record in candidates.list_candidates(sql, project):
        candidate = record.candidate
        is_counted = bool(candidates.find_sighting_body(sql, project, candidate.fingerprint, TEAM_SESSION))
        is_in_team = candidate.fingerprint in fingerprints
        if is_in_team and not is_counted and record.state == "waiting":
            # Dated later and scored lower than the local sightings, so that evidence and session come from a local log.
            sighting = replace(
                candidate, session_id=TEAM_SESSION, sessions=(TEAM_SESSION,), detected_at=at, score=candidate.score - 1
            )
            candidates.put_sighting(sql, project, TEAM_SESSION, sighting)
            has_changed = True
        elif is_counted and not is_in_team:
            candidates.delete_sighting(sql, project, candidate.fingerprint, TEAM_SESSION)
            has_changed = True
    if has_changed:
        regroup_candidates(sql, project, TEAM_SESSION, at)


def revive_candidate(sql: sqlite3.Connection, record: StoredCandidate, session: str, at: int) -> None:
    """Make an ignored or shelved candidate pending again, after ``session`` has seen it for the first time."""
    set_state(sql, record, "pending")
    candidates.clear_offer(sql, record)
    add_receipt(sql, at, "revived", record, session, {"was": record.state})


def _update_waiting(sql: sqlite3.Connection, project: str, session: str, at: int) -> None:
    """Set candidates without an offer to ``pending`` or ``waiting`` if their tier has changed."""
    for record in candidates.list_unoffered(sql, project):
        state = candidates.get_unoffered_state(record.candidate)
        if state != record.state:
            set_state(sql, record, state)
            event, detail = ("staged", {"back": True}) if state == "pending" else ("lapsed", None)
            add_receipt(sql, at, event, record, session, cast("JsonObject | None", detail))


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
    sql: sqlite3.Connection, record: StoredCandidate, representative: StoredCandidate, session: str
) -> bool:
    """Return whether ``session`` sees an ignored or shelved representative for the first time, in the form of ``record``."""
    other_sessions = {each.session_id for each in list_sightings(sql, representative)} | {representative.offered_to}
    record_sessions = {each.session_id for each in list_sightings(sql, record)}
    return session in record_sessions - other_sessions and record.state != "merged"
