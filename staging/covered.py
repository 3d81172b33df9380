"""Candidates that an installed skill already covers are set aside, as ``covered``, and return when the skill is removed.

A candidate that a skill covers in part loses rank. This is decided when candidates are staged or the pending file is updated,
both in background processes: the start of a session reads no skills. Candidates that were offered to a session are not
touched until that session ends.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from mind_skills.learning.skills.coverage import LEAST, SHARE, covers, distinctive_words, share_held
from mind_skills.staging.merge import KNOWN
from mind_skills.staging.model import APPROVED, Candidate
from mind_skills.staging.tables import candidates
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.receipts import add_receipt, count_candidate_receipts

if TYPE_CHECKING:
    from mind_skills.learning.skills.discovery import Skill

SAID = -0.25
"""A skill that holds nearly as much of a learning as one that covers it leaves half an agent's attention to gain. Skills
on the same ground hold .1 to .5 of a learning (coverage.py), which costs a tenth of a rank at most."""
PASSED, TIMES = -0.15, 2
"""Each session that was told of it and made nothing of it, and how many count: it may have been the wrong moment once."""


def rate_novelty(share: float) -> float:
    """The part ``novelty``: 0, or less by how much of it the nearest skill holds (0 to 1)."""
    return round(SAID * min(share / SHARE, 1.0), 3) if share > 0 else 0.0


def rate_history(ignored: int) -> float:
    """The part ``history``: 0, or less by how often it was told in vain."""
    return round(PASSED * min(ignored, TIMES), 3) if ignored > 0 else 0.0


class Shelf:
    """Installed skills, ready to be asked about many candidates."""

    def __init__(self, skills: Iterable[Skill]) -> None:
        """``skills`` in the order in which they win where several say as much of a candidate, each by its passages."""
        self._passages = [(skill.path, words) for skill in skills for words in skill.passages()]

    def find_covering(self, candidate: Candidate) -> str:
        """The path of the skill that covers a candidate, empty where none does: of those that say the same (coverage.py) the
        one that says most of it.

        That one names the candidate's id says nothing: a repository can work out the id of what it wants to be silent about.
        """
        wanted = distinctive_words(covered_texts(candidate))
        found = [(share_held(wanted, words), path) for path, words in self._passages if covers(wanted, words)]
        return max(found, key=lambda pair: pair[0])[1] if found else ""

    def find_nearest(self, candidate: Candidate) -> tuple[float, str]:
        """The share of a candidate that the nearest skill says (0 to 1), and that skill's path; 0 and empty for none."""
        wanted = distinctive_words(covered_texts(candidate))
        found = [(share_held(wanted, words), path) for path, words in self._passages if len(wanted & words) >= LEAST]
        return max(found, key=lambda pair: pair[0]) if found else (0.0, "")


def covered_texts(candidate: Candidate) -> list[str]:
    """What of a candidate a skill about it would repeat: title, failed commands, cause and insight, names of files.

    A symptom in the user's words is left out: it tells how they felt it, at length, and not what it was.
    """
    stated = [
        item.summary
        for item in candidate.evidence
        if item.role in ("cause", "insight") or (item.role == "symptom" and item.summary.startswith("`"))
    ]
    return [candidate.title, *stated, *map(os.path.basename, candidate.files)]


def apply_skills(sql: sqlite3.Connection, project: str, skills: Iterable[Skill], at: int) -> list[str]:
    """Set aside what the skills cover and bring back what they cover no more; the ids that are covered now.

    ``skills`` are all that are installed. Repeated, it changes nothing.
    """
    shelf = Shelf(skills)
    covered: list[str] = []
    for record in candidates.list_coverable(sql, project):
        path = shelf.find_covering(record.candidate)
        if path:
            covered.append(record.candidate.id)
        if path != record.detail:
            _move(sql, record, path, at)
        _update_parts(sql, record, shelf)
    return covered


def _move(sql: sqlite3.Connection, record: Record, path: str, at: int) -> None:
    before = record.detail
    if path:
        candidates.set_state(sql, record, "covered", record.settled_at if before else at, path)
    else:
        candidates.set_state(sql, record, candidates.undelivered_state(record.candidate))
    if not (path and before):  # that another skill covers it now is no news
        add_receipt(sql, at, "covered" if path else "uncovered", record, detail={"skill": path or before})


def _update_parts(sql: sqlite3.Connection, record: Record, shelf: Shelf) -> None:
    """Bring the parts of the rank in step that change while a candidate waits."""
    ignored = count_candidate_receipts(sql, record, "ignored")
    known = {"novelty": rate_novelty(shelf.find_nearest(record.candidate)[0]), "history": rate_history(ignored)}
    parts = {name: value for name, value in record.candidate.parts.items() if name not in KNOWN}
    parts |= {name: value for name, value in known.items() if value}
    parts |= {APPROVED: record.candidate.parts[APPROVED]} if record.candidate.approved else {}
    if parts != record.candidate.parts:
        candidates.update_candidate(sql, record.project, replace(record.candidate, parts=parts))
