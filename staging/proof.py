"""The cases that learning/skills/proof.py evaluates: known errors that recurred, with and without the skill loaded.

A signature is known if the evidence of an accepted candidate is about it, or if two sessions of the project met it. Cases from
before the skill existed are listed separately: they are a baseline and say nothing about the skill.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mind_skills.detectors.model import Evidence
from mind_skills.learning.skills.proof import Case
from mind_skills.observations.commands import normalise
from mind_skills.staging.error_meter import name_of
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.uses import ErrorMet, UsedSkill


class SkillCases(NamedTuple):
    """A skill that came of a candidate (its id), since when (UTC ms), which errors it is about, and where those came back."""

    name: str
    path: str
    candidate: str
    since: int
    signatures: tuple[str, ...]
    cases: tuple[Case, ...]
    before: tuple[Case, ...]


class Recurrences(NamedTuple):
    """All known errors that came back in a project: those of skills, and those that no skill is about."""

    skills: tuple[SkillCases, ...]
    unskilled: tuple[Case, ...]
    known: int
    """How many different errors are known."""


def find_recurrences(met: Sequence[ErrorMet], accepted: Iterable[Record], uses: Iterable[UsedSkill]) -> Recurrences:
    """Put them together from what the ledger has of one project, ``met`` the oldest first."""
    by_signature: dict[str, list[ErrorMet]] = {}
    for each in met:
        by_signature.setdefault(each.signature, []).append(each)
    loaded: dict[str, dict[str, int]] = {}
    for use in uses:
        if use.candidate:
            lines = loaded.setdefault(use.candidate, {})
            lines[use.session] = min(use.line, lines.get(use.session, use.line))
    skills = [_skill(record, by_signature, loaded.get(record.candidate.id, {})) for record in accepted]
    taken = {signature for skill in skills for signature in skill.signatures}
    again = {name: rows for name, rows in by_signature.items() if name not in taken and len(rows) > 1}
    free = tuple(_case(row, {}) for rows in again.values() for row in rows[1:])
    return Recurrences(tuple(skills), free, len(taken) + len(again))


def _skill(record: Record, by_signature: Mapping[str, Sequence[ErrorMet]], loaded: Mapping[str, int]) -> SkillCases:
    about, since = list_signatures(record.candidate), record.settled_at or 0
    learned = record.candidate.sessions[:1]
    cases: list[Case] = []
    before: list[Case] = []
    for signature in about:
        for number, row in enumerate(by_signature.get(signature, ())):
            if row.at >= since:
                cases.append(_case(row, loaded))
            elif number and row.session not in learned:  # the first time it did not come back, it came
                before.append(_case(row, {}))
    name = os.path.basename(os.path.dirname(record.detail)) or record.candidate.title
    return SkillCases(name, record.detail, record.candidate.id, since, about, tuple(cases), tuple(before))


def _case(row: ErrorMet, loaded: Mapping[str, int]) -> Case:
    """``loaded`` are the lines at which sessions loaded the skill; loaded after the error was got past, it had no part in it."""
    line = loaded.get(row.session)
    helped = line is not None and (not row.solved or line <= row.solved_line)
    return Case(row.session, row.signature, row.solved, helped, row.steps, row.duration_ms)


def list_signatures(candidate: Candidate) -> tuple[str, ...]:
    """The errors that a candidate's evidence is about, by their signatures; each once, none where it names no error."""
    names = (_error_name(each) for each in candidate.evidence if each.role == "symptom")
    return tuple(dict.fromkeys(filter(None, names)))


def _error_name(evidence: Evidence) -> str:
    """The error of a failed command, which detectors/composing/evidence.py writes below the command's line."""
    lines = evidence.content.split("\n")
    if not lines[0].startswith("$ ") or len(lines) == 1:
        return ""
    command = normalise(lines[0][2:])
    return name_of(lines[1].strip(), command.signature, command.target)
