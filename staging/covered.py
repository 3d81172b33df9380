"""Set candidates aside as ``covered`` by an installed skill, and restore them when it is removed. Those with an offer
do not change.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mind_skills.learning.skills.files import (
    MIN_SHARE,
    MIN_SHARED_WORDS,
    compute_shared_fraction,
    extract_distinctive_words,
)
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables import candidates
from mind_skills.staging.tables.candidates import StoredCandidate, add_receipt, count_candidate_receipts
from mind_skills.store.light_dataclasses import replace

if TYPE_CHECKING:
    from mind_skills.learning.skills.discovery import Skill

NOVELTY_PENALTY = -0.25
"""Rank penalty at the share at which a skill covers. Skills on the same topic contain .1 to .5 of a candidate, and cost
it .04 to .21."""
IGNORED_PENALTY, MAX_IGNORED = -0.15, 2
"""Rank penalty for each session that ignored an offer of the candidate, and maximum number of such sessions that count."""


class InstalledSkills:
    """Installed skills, prepared for comparison with many candidates."""

    def __init__(self, skills: Iterable[Skill]) -> None:
        """``skills`` are in order of precedence: of two that cover the same share, the first wins. Each is compared passage by passage."""
        self._passages = [(skill.path, words) for skill in skills for words in skill.split_passages()]

    def find_covering(self, candidate: Candidate) -> str:
        """Return the path of the skill that covers the largest share of a candidate, or "". Naming the id is not
        enough: a repository can compute it.
        """
        share, path = self.find_nearest(candidate)
        return path if share >= MIN_SHARE else ""

    def find_nearest(self, candidate: Candidate) -> tuple[float, str]:
        """Return how much of a candidate (0 to 1) the nearest skill contains, and the skill's path; (0.0, "") if none is near."""
        candidate_words = extract_distinctive_words(list_comparable_texts(candidate))
        matches = [
            (compute_shared_fraction(candidate_words, words), path)
            for path, words in self._passages
            if len(candidate_words & words) >= MIN_SHARED_WORDS
        ]
        return max(matches, key=lambda match: match[0]) if matches else (0.0, "")


def list_comparable_texts(candidate: Candidate) -> list[str]:
    """List the texts of a candidate that a skill about it would repeat: what failed, errors and causes, and its files."""
    facts = candidate.facts
    statements = [item.content for item in candidate.evidence if item.role in ("symptom", "cause", "insight")]
    return [f"{facts.program} {facts.target} {facts.error}", *statements, *map(os.path.basename, candidate.files)]


def apply_skills(sql: sqlite3.Connection, project_id: str, skills: Iterable[Skill], at: int) -> list[str]:
    """Set aside what ``skills`` (all installed ones) cover, restore the rest; return the ids of the covered ones.
    Idempotent.
    """
    installed = InstalledSkills(skills)
    covered: list[str] = []
    for record in candidates.list_coverable(sql, project_id):
        path = installed.find_covering(record.candidate)
        if path:
            covered.append(record.candidate.id)
        if path != record.detail:
            _change_coverage(sql, record, path, at)
        _update_parts(sql, record, installed)
    return covered


def _change_coverage(sql: sqlite3.Connection, record: StoredCandidate, path: str, at: int) -> None:
    previous_path = record.detail
    if path:
        candidates.set_state(sql, record, "covered", record.settled_at if previous_path else at, path)
    else:
        candidates.set_state(sql, record, "pending")
    if not (path and previous_path):  # no receipt if only the covering skill changed
        add_receipt(sql, at, "covered" if path else "uncovered", record, detail={"skill": path or previous_path})


def _update_parts(sql: sqlite3.Connection, record: StoredCandidate, installed: InstalledSkills) -> None:
    """Update the components ``novelty`` and ``history`` of a candidate's rank; both are 0 or less."""
    share, _ = installed.find_nearest(record.candidate)
    ignored_count = count_candidate_receipts(sql, record, "ignored")
    updated = {
        "novelty": round(NOVELTY_PENALTY * min(share / MIN_SHARE, 1.0), 3),
        "history": round(IGNORED_PENALTY * min(ignored_count, MAX_IGNORED), 3),
    }
    parts = {name: value for name, value in record.candidate.parts.items() if name not in updated}
    parts |= {name: value for name, value in updated.items() if value}
    if parts != record.candidate.parts:
        candidates.update_candidate(sql, record.project, replace(record.candidate, parts=parts))
