"""Candidates that an installed skill covers already wait aside, as ``covered``, and come back when the skill goes.

Those that it covers in part lose rank. Decided where candidates are staged or their list is brought in step, which is
in processes of their own: the start of a session reads no skills. What was offered to a session is left to that
session's end.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from mind_skills.learning.skills.coverage import LEAST, covers, distinctive_words, share_held
from mind_skills.staging import novelty, records
from mind_skills.staging.form import to_body
from mind_skills.staging.group import told_or_waiting
from mind_skills.staging.merge import KNOWN, rank
from mind_skills.staging.model import Candidate
from mind_skills.staging.records import Record

if TYPE_CHECKING:
    from mind_skills.learning.skills.discovery import Skill

_KNOWN = "project = ? AND (state = 'covered' OR state = 'pending' AND offered_to IS NULL)"


class Shelf:
    """Installed skills, ready to be asked about many candidates."""

    def __init__(self, skills: Iterable[Skill]) -> None:
        """``skills`` in the order in which they win where several say as much of a candidate, each by its passages."""
        self._passages = [(skill.path, words) for skill in skills for words in skill.passages()]

    def covering(self, candidate: Candidate) -> str:
        """The path of the skill that covers a candidate, empty where none does: of those that say the same (coverage.py) the
        one that says most of it.

        That one names the candidate's id says nothing: a repository can work out the id of what it wants to be silent about.
        """
        wanted = distinctive_words(texts(candidate))
        found = [(share_held(wanted, words), path) for path, words in self._passages if covers(wanted, words)]
        return max(found, key=lambda pair: pair[0])[1] if found else ""

    def nearest(self, candidate: Candidate) -> tuple[float, str]:
        """The share of a candidate that the nearest skill says (0 to 1), and that skill's path; 0 and empty for none."""
        wanted = distinctive_words(texts(candidate))
        found = [(share_held(wanted, words), path) for path, words in self._passages if len(wanted & words) >= LEAST]
        return max(found, key=lambda pair: pair[0]) if found else (0.0, "")


def texts(candidate: Candidate) -> list[str]:
    """What of a candidate a skill about it would repeat: title, failed commands, cause and insight, names of files.

    A symptom in the user's words is left out: it tells how they felt it, at length, and not what it was.
    """
    told = [
        item.summary
        for item in candidate.evidence
        if item.role in ("cause", "insight") or (item.role == "symptom" and item.summary.startswith("`"))
    ]
    return [candidate.title, *told, *map(os.path.basename, candidate.files)]


def undecided(sql: sqlite3.Connection, project: str) -> bool:
    """Whether a project has candidates about which the installed skills have anything to say."""
    return sql.execute(f"SELECT 1 FROM candidates WHERE {_KNOWN} LIMIT 1", (project,)).fetchone() is not None  # noqa: S608


def aside(sql: sqlite3.Connection, project: str) -> list[Record]:
    """What an installed skill says already, best first; ``detail`` is that skill's path."""
    return records.records(sql, "project = ? AND state = 'covered' ORDER BY rank DESC, id", (project,))


def apply(sql: sqlite3.Connection, project: str, skills: Iterable[Skill], at: int) -> list[str]:
    """Set aside what the skills cover and bring back what they cover no more; the ids that are covered now.

    ``skills`` are all that are installed. Repeated, it changes nothing.
    """
    shelf = Shelf(skills)
    covered: list[str] = []
    for record in records.records(sql, f"{_KNOWN} ORDER BY rank DESC, detected_at, fingerprint", (project,)):
        path = shelf.covering(record.candidate)
        if path:
            covered.append(record.candidate.id)
        if path != record.detail:
            _move(sql, record, path, at)
        _weigh(sql, record, shelf)
    return covered


def _move(sql: sqlite3.Connection, record: Record, path: str, at: int) -> None:
    before = record.detail
    if path:
        records.set_state(sql, record, "covered", record.settled_at if before else at, path)
    else:
        records.set_state(sql, record, told_or_waiting(record.candidate))
    if not (path and before):  # that another skill covers it now is no news
        records.note(sql, at, "covered" if path else "uncovered", record, detail={"skill": path or before})


def _weigh(sql: sqlite3.Connection, record: Record, shelf: Shelf) -> None:
    """Bring the parts of the rank in step that depend on what is known."""
    told = "SELECT count(*) FROM receipts WHERE candidate = ? AND what = 'ignored' AND project = ?"
    times = sql.execute(told, (record.candidate.id, record.project)).fetchone()[0]
    known = {"novelty": novelty.said(shelf.nearest(record.candidate)[0]), "history": novelty.passed_over(times)}
    parts = {name: value for name, value in record.candidate.parts.items() if name not in KNOWN}
    parts |= {name: value for name, value in known.items() if value}
    if parts != record.candidate.parts:
        now = replace(record.candidate, parts=parts)
        sql.execute(
            "UPDATE candidates SET body = ?, rank = ? WHERE project = ? AND fingerprint = ?",
            (to_body(now), rank(now), record.project, now.fingerprint),
        )
