"""Collect the cases for learning/skills/proof.py: errors that recurred, of accepted candidates or met by two sessions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mind_skills.learning.skills.proof import Case
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.reminders import Reminder
from mind_skills.staging.tables.sessions import EncounteredError, UsedSkill


class SkillCases(NamedTuple):
    """The recurrences of a skill's errors: ``cases`` since its acceptance (``since``, UTC ms), ``before`` from earlier,
    as a baseline.
    """

    name: str
    path: str
    candidate: str
    since: int
    signatures: tuple[str, ...]
    cases: tuple[Case, ...]
    before: tuple[Case, ...]


class Recurrences(NamedTuple):
    """The recurrences of a project's tracked errors: by skill, and those of errors without a skill."""

    skills: tuple[SkillCases, ...]
    unskilled: tuple[Case, ...]
    tracked_count: int
    """Number of distinct tracked errors."""


def find_recurrences(
    errors: Sequence[EncounteredError], accepted: Iterable[StoredCandidate], uses: Iterable[UsedSkill]
) -> Recurrences:
    """Find the recurrences in one project; ``errors`` are oldest first."""
    by_signature: dict[str, list[EncounteredError]] = {}
    for each in errors:
        by_signature.setdefault(each.signature, []).append(each)
    loading_lines: dict[str, dict[str, int]] = {}
    for use in uses:
        if use.candidate:
            lines = loading_lines.setdefault(use.candidate, {})
            lines[use.session] = min(use.line, lines.get(use.session, use.line))
    skills = [
        _collect_skill_cases(record, by_signature, loading_lines.get(record.candidate.id, {})) for record in accepted
    ]
    covered = {signature for skill in skills for signature in skill.signatures}
    recurring = {name: rows for name, rows in by_signature.items() if name not in covered and len(rows) > 1}
    unskilled = tuple(_build_case(row, {}) for rows in recurring.values() for row in rows[1:])
    return Recurrences(tuple(skills), unskilled, len(covered) + len(recurring))


def _collect_skill_cases(
    record: StoredCandidate, by_signature: Mapping[str, Sequence[EncounteredError]], loading_lines: Mapping[str, int]
) -> SkillCases:
    signatures, since = list_signatures(record.candidate), record.settled_at or 0
    first_sessions = record.candidate.sessions[:1]
    cases: list[Case] = []
    before: list[Case] = []
    for signature in signatures:
        for number, row in enumerate(by_signature.get(signature, ())):
            if row.at >= since:
                cases.append(_build_case(row, loading_lines))
            elif number and row.session not in first_sessions:  # the first occurrence is not a recurrence
                before.append(_build_case(row, {}))
    name = os.path.basename(os.path.dirname(record.detail)) or record.candidate.title
    return SkillCases(name, record.detail, record.candidate.id, since, signatures, tuple(cases), tuple(before))


def _build_case(row: EncounteredError, loading_lines: Mapping[str, int]) -> Case:
    line = loading_lines.get(row.session)
    loaded = line is not None and (not row.solved or line <= row.solved_line)
    return Case(row.session, row.signature, row.solved, loaded, row.steps, row.duration_ms)


class Reminded(NamedTuple):
    """Errors that sessions met again: ``shown`` were told, ``silent`` not, for comparison, ``before`` in other
    sessions. Of the ``given`` reminders, ``skills`` named a skill, and ``loaded`` led to loading it.
    """

    shown: tuple[Case, ...]
    silent: tuple[Case, ...]
    before: tuple[Case, ...]
    given: int
    skills: int
    loaded: int


def find_reminded(
    errors: Iterable[EncounteredError], reminders: Sequence[Reminder], uses: Iterable[UsedSkill]
) -> Reminded:
    """Find how the errors that sessions were reminded of went on in one project."""
    by_key = {(each.session, each.signature): each.is_shown for each in reminders if each.signature}
    signatures, sessions = {signature for _, signature in by_key}, {session for session, _ in by_key}
    cases: dict[bool | None, list[Case]] = {True: [], False: [], None: []}
    for row in errors:
        if row.signature in signatures:
            shown = by_key.get((row.session, row.signature))
            if shown is not None or row.session not in sessions:
                cases[shown].append(_build_case(row, {}))
    last_uses = {(use.session, use.name): use.at for use in uses}
    skills = [each for each in reminders if each.is_skill and each.is_shown]
    loaded = sum((last_uses.get((each.session, each.name)) or 0) >= each.at for each in skills)
    given = sum(each.is_shown for each in reminders)
    return Reminded(tuple(cases[True]), tuple(cases[False]), tuple(cases[None]), given, len(skills), loaded)


def list_signatures(candidate: Candidate) -> tuple[str, ...]:
    """Return the name of the error that identifies a candidate, if there is one."""
    return (candidate.error,) if candidate.error else ()
