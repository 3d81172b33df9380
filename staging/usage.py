"""Which skills each session used and how it came out, and the ``used`` step of the candidates that the skills came from.

What a session used is written anew at each look at its log; the step is counted when the session is finished, once a
session and candidate however often that happens.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from mind_skills.staging import records
from mind_skills.staging.form import Json
from mind_skills.staging.records import Record

if TYPE_CHECKING:  # reading logs, which imports these, is not what most who ask for uses do
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.staging.skill_use import How


class Use(NamedTuple):
    """A skill that a session used. ``path`` is absolute, empty where only the name is known; ``at`` is UTC ms.

    ``known`` says that it stands where some host looks for skills; elsewhere a SKILL.md counts only if a candidate
    became that file. ``ids`` are the candidates that its text names, ``line`` is where in the log it was used first.
    """

    name: str
    path: str
    how: How
    at: int | None = None
    known: bool = True
    ids: tuple[str, ...] = ()
    line: int = 0


class UsedSkill(NamedTuple):
    """A row of ``skills_used``: ``project`` is its id, ``at`` UTC ms, ``candidate`` empty where it came from none.

    ``line`` is where in the session's log it was used first, 0 where that is not known.
    """

    session: str
    project: str
    name: str
    path: str
    how: How
    at: int
    candidate: str
    line: int = 0


class Ended(NamedTuple):
    """How a session came out, as learning/outcome.py judged it when its log was last looked at; ``at`` is UTC ms."""

    session: str
    project: str
    type: OutcomeType
    score: float | None
    success: bool | None
    duration_ms: int
    error_count: int
    retry_count: int
    reasoning: str
    files_touched: tuple[str, ...]
    at: int


def looked(
    sql: sqlite3.Connection, session: str, project: str, uses: Iterable[Use], outcome: Outcome | None, at: int
) -> None:
    """Put down what a session used and how it stands.

    ``outcome`` None says that only a part of its log was read: what it used before stays, how it stands is not known.
    """
    sql.execute("DELETE FROM outcomes WHERE session = ?", (session,))
    if outcome is not None:
        sql.execute("DELETE FROM skills_used WHERE session = ?", (session,))
        _judge(sql, session, project, outcome, at)
    for use in uses:
        found = _candidate(sql, project, use)
        if not use.known and found is None:
            continue
        of = ("", "") if found is None else (found.project, found.candidate.fingerprint)
        where = (session, project, use.name, os.fsencode(use.path), use.how)
        sql.execute(
            "INSERT INTO skills_used (session, project, name, path, how, at, of_project, of, line)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (session, path, name) DO UPDATE SET at = max(at, excluded.at), of = excluded.of,"
            " of_project = excluded.of_project",
            # It cannot have been used after the look at it, whatever the clock of its log says.
            (*where, at if use.at is None else min(use.at, at), *of, use.line),
        )


def judged(sql: sqlite3.Connection, session: str) -> bool:
    """Whether it is known how a session stands."""
    return sql.execute("SELECT 1 FROM outcomes WHERE session = ?", (session,)).fetchone() is not None


def outcome(sql: sqlite3.Connection, session: str) -> OutcomeType:
    """How a session stood when the whole of its log was looked at last; unknown where that was not yet."""
    row = sql.execute("SELECT type FROM outcomes WHERE session = ?", (session,)).fetchone()
    return cast("OutcomeType", row[0]) if row else "unknown"


def credit(sql: sqlite3.Connection, session: str, at: int) -> None:
    """Count the ``used`` step of every candidate whose skill this session used; repeated, it changes nothing."""
    rows = sql.execute(
        "SELECT of_project, of, name, path, how FROM skills_used WHERE session = ? AND of != ''", (session,)
    )
    for project, fingerprint, name, path, how in rows.fetchall():
        record = records.by_fingerprint(sql, project, fingerprint)
        if record is None or record.state != "accepted":
            continue
        told = "SELECT 1 FROM receipts WHERE what = 'used' AND project = ? AND candidate = ? AND session = ?"
        if sql.execute(told, (project, record.candidate.id, session)).fetchone() is None:
            detail: Json = {"skill": os.fsdecode(path) or name, "how": how}
            records.note(sql, at, "used", record, session, detail)


def used(sql: sqlite3.Connection, project: str | None = None) -> list[UsedSkill]:
    """What sessions used, the oldest first; of one project, or of all."""
    where, values = ("WHERE skills_used.project = ?", (project,)) if project is not None else ("", ())
    rows = sql.execute(
        "SELECT session, skills_used.project, name, path, how, at, coalesce(candidates.id, ''), line FROM skills_used"  # noqa: S608
        " LEFT JOIN candidates ON candidates.project = of_project AND candidates.fingerprint = of"
        f" {where} ORDER BY at, session, name, path",
        values,
    )
    return [
        UsedSkill(session, of, name, os.fsdecode(path), cast("How", how), at, id_, line)
        for session, of, name, path, how, at, id_, line in rows
    ]


def ended(sql: sqlite3.Connection, project: str | None = None) -> list[Ended]:
    """How the sessions that are finished came out, the oldest first; of one project, or of all."""
    where, values = ("AND outcomes.project = ?", (project,)) if project is not None else ("", ())
    rows = sql.execute(
        "SELECT session, outcomes.project, type, score, success, duration_ms, error_count, retry_count, reasoning, files, at"  # noqa: S608
        " FROM outcomes JOIN sessions USING (session) WHERE finished_at IS NOT NULL"
        f" {where} ORDER BY at, session",
        values,
    )
    return [_ended(row) for row in rows]


def _ended(row: tuple[str, str, str, float | None, int | None, int, int, int, str, str, int]) -> Ended:
    session, project, kind, score, success, duration, errors, retries, reasoning, files, at = row
    won = None if success is None else bool(success)
    touched = tuple(json.loads(files))
    kind_ = cast("OutcomeType", kind)
    return Ended(session, project, kind_, score, won, duration, errors, retries, reasoning, touched, at)


def _judge(sql: sqlite3.Connection, session: str, project: str, outcome: Outcome, at: int) -> None:
    values = (outcome.type, outcome.score, outcome.success, outcome.duration_ms, outcome.error_count)
    more = (outcome.retry_count, outcome.reasoning, json.dumps(outcome.files_touched), outcome.at or at)
    sql.execute(
        "INSERT INTO outcomes (session, project, type, score, success, duration_ms, error_count, retry_count,"
        " reasoning, files, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (session, project, *values, *more),
    )


def _candidate(sql: sqlite3.Connection, project: str, use: Use) -> Record | None:
    """The accepted candidate that a skill came from.

    It became this file, or one of this name in another worktree of the project, or the file names it.
    """
    accepted = records.records(sql, "state = 'accepted' ORDER BY settled_at DESC, project, id", ())
    same = [record for record in accepted if use.path and os.path.normpath(record.detail) == use.path]
    ours = [record for record in accepted if record.project == project]
    named = [record for record in ours if record.candidate.id in use.ids]
    called = [record for record in ours if os.path.basename(os.path.dirname(record.detail)) == use.name]
    return next(iter([*same, *named, *(called if use.known else [])]), None)
