"""The tables ``skills_used``, ``outcomes`` and ``errors_met``: skills, outcome and errors of each session.

The analysis at the end of a session replaces the session's rows; a checkpoint adds to ``skills_used`` and deletes the
outcome. When the session finishes, a ``used`` receipt for a skill's candidate is written, at most one per session and
candidate.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from mind_skills.staging.tables.candidates import (
    StoredCandidate,
    build_project_condition,
    find_by_fingerprint,
    list_accepted,
)
from mind_skills.staging.tables.receipts import add_receipt
from mind_skills.staging.tables.sessions import mark_finished

if TYPE_CHECKING:  # slow to import, and needed only by callers that read logs
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.staging.candidate_json import JsonObject
    from mind_skills.staging.error_meter import SessionError
    from mind_skills.staging.skill_use import UseKind
    from mind_skills.staging.tables.sessions import ReportedSession
    from mind_skills.store.project import Project


class SkillUseRecord(NamedTuple):
    """A skill that a session used. ``path`` is absolute, empty if only the name is known; ``at`` is UTC ms.

    ``is_installed`` is False for a SKILL.md outside the skill folders of hosts, which counts only if it came from a
    candidate. ``ids`` are the candidate ids in its text; ``line`` is the line of the log where it was first used.
    """

    name: str
    path: str
    how: UseKind
    at: int | None = None
    is_installed: bool = True
    ids: tuple[str, ...] = ()
    line: int = 0


class UsedSkill(NamedTuple):
    """A row of ``skills_used``. ``project`` is an id, ``at`` UTC ms; ``candidate`` is the id of the candidate that became the skill,
    or empty.

    ``line`` is the line of the session's log where the skill was first used, 0 if unknown.
    """

    session: str
    project: str
    name: str
    path: str
    how: UseKind
    at: int
    candidate: str
    line: int = 0


class SessionOutcome(NamedTuple):
    """A row of ``outcomes``: a session's outcome (learning/outcome.py) when its log was last analysed; ``at`` is UTC ms."""

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


class EncounteredError(NamedTuple):
    """A row of ``errors_met``. Line numbers refer to the session's log; ``at`` is the time of the first occurrence (UTC ms).

    ``solved_line`` is 0 if the error was not solved; ``steps`` (tool calls) and ``duration_ms`` measure from the first occurrence
    to the solution.
    """

    session: str
    project: str
    signature: str
    times: int
    line: int
    solved_line: int
    steps: int
    duration_ms: int | None
    at: int

    @property
    def solved(self) -> bool:
        """Whether the session solved the error."""
        return self.solved_line > 0


def store_analysis(
    sql: sqlite3.Connection,
    reported_session: ReportedSession,
    uses: Iterable[SkillUseRecord],
    outcome: Outcome | None,
    at: int,
    errors: Iterable[SessionError] = (),
) -> None:
    """Store an analysis of a session's log: the skills it used, its outcome, and its ``errors``.

    An ``outcome`` of None means that the session has not ended: ``uses`` are added to the stored ones, the outcome becomes
    unknown, and ``errors`` are not stored. ``at`` (UTC ms) is the time of the analysis.
    """
    session, project = reported_session.session_id, reported_session.project.id
    sql.execute("DELETE FROM outcomes WHERE session = ?", (session,))
    if outcome is not None:
        sql.execute("DELETE FROM skills_used WHERE session = ?", (session,))
        sql.execute("DELETE FROM errors_met WHERE session = ?", (session,))
        _put_outcome(sql, session, project, outcome, at)
        sql.executemany(
            "INSERT INTO errors_met (session, signature, project, times, line, solved_line, steps, duration_ms, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (session, each.signature, project, *each.counts, at if each.at is None else min(each.at, at))
                for each in errors
            ],
        )
    for use in uses:
        found = _find_origin(sql, project, use)
        if not use.is_installed and found is None:
            continue
        origin = ("", "") if found is None else (found.project, found.candidate.fingerprint)
        key = (session, project, use.name, os.fsencode(use.path), use.how)
        sql.execute(
            "INSERT INTO skills_used (session, project, name, path, how, at, of_project, of, line)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (session, path, name) DO UPDATE SET at = max(at, excluded.at), of = excluded.of,"
            " of_project = excluded.of_project",
            # A use cannot be later than its analysis; a later time in the log is wrong.
            (*key, at if use.at is None else min(use.at, at), *origin, use.line),
        )


def _put_outcome(sql: sqlite3.Connection, session: str, project: str, outcome: Outcome, at: int) -> None:
    values = (outcome.type, outcome.score, outcome.success, outcome.duration_ms, outcome.error_count)
    more_values = (outcome.retry_count, outcome.reasoning, json.dumps(outcome.files_touched), outcome.at or at)
    sql.execute(
        "INSERT INTO outcomes (session, project, type, score, success, duration_ms, error_count, retry_count,"
        " reasoning, files, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (session, project, *values, *more_values),
    )


def _find_origin(sql: sqlite3.Connection, project: str, use: SkillUseRecord) -> StoredCandidate | None:
    """Return the accepted candidate that a skill came from; None if there is none.

    It is the candidate that became this file, else a candidate of this project whose id the file names, else, for an
    installed skill, a candidate of this project that became a skill of the same name, for example in another worktree.
    """
    accepted = list_accepted(sql)
    same_path = [record for record in accepted if use.path and os.path.normpath(record.detail) == use.path]
    of_project = [record for record in accepted if record.project == project]
    named = [record for record in of_project if record.candidate.id in use.ids]
    same_name = [record for record in of_project if os.path.basename(os.path.dirname(record.detail)) == use.name]
    return next(iter([*same_path, *named, *(same_name if use.is_installed else [])]), None)


def finish_session(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished and add a ``used`` receipt for each accepted candidate whose skill it used.

    A candidate gets one such receipt per session. Returns False, and adds no receipts, if the session was finished already or
    is not registered.
    """
    if not mark_finished(sql, session_id, at):
        return False
    rows = sql.execute(
        "SELECT of_project, of, name, path, how FROM skills_used WHERE session = ? AND of != ''", (session_id,)
    )
    for project, fingerprint, name, path, how in rows.fetchall():
        record = find_by_fingerprint(sql, project, fingerprint)
        if record is None or record.state != "accepted":
            continue
        query = "SELECT 1 FROM receipts WHERE what = 'used' AND project = ? AND candidate = ? AND session = ?"
        if sql.execute(query, (project, record.candidate.id, session_id)).fetchone() is None:
            detail: JsonObject = {"skill": os.fsdecode(path) or name, "how": how}
            add_receipt(sql, at, "used", record, session_id, detail)
    return True


def has_outcome(sql: sqlite3.Connection, session: str) -> bool:
    """Return whether the outcome of a session is stored: its last analysis was the one at its end."""
    return sql.execute("SELECT 1 FROM outcomes WHERE session = ?", (session,)).fetchone() is not None


def find_outcome(sql: sqlite3.Connection, session: str) -> OutcomeType:
    """Return a session's outcome; ``unknown`` unless its last analysis was the one at its end."""
    row = sql.execute("SELECT type FROM outcomes WHERE session = ?", (session,)).fetchone()
    return cast("OutcomeType", row[0]) if row else "unknown"


def list_uses(sql: sqlite3.Connection, project: Project | None = None) -> list[UsedSkill]:
    """List the skill uses of one project or of all, one per session and skill, oldest first."""
    where, values = build_project_condition(project, "skills_used.project")
    rows = sql.execute(
        "SELECT session, skills_used.project, name, path, how, at, coalesce(candidates.id, ''), line FROM skills_used"  # noqa: S608
        " LEFT JOIN candidates ON candidates.project = of_project AND candidates.fingerprint = of"
        f" WHERE {where} ORDER BY at, session, name, path",
        values,
    )
    return [
        UsedSkill(session, project_id, name, os.fsdecode(path), *more)
        for session, project_id, name, path, *more in rows
    ]


def list_loads(sql: sqlite3.Connection) -> list[tuple[str, str, str, int, OutcomeType]]:
    """List (project, fingerprint, session, last use, outcome) of each candidate whose skill a finished session used."""
    return sql.execute(
        "SELECT of_project, of, skills_used.session, max(skills_used.at), coalesce(outcomes.type, 'unknown')"
        " FROM skills_used JOIN sessions USING (session) LEFT JOIN outcomes USING (session)"
        " WHERE of != '' AND finished_at IS NOT NULL GROUP BY of_project, of, skills_used.session"
    ).fetchall()


def list_outcomes(sql: sqlite3.Connection, project: Project | None = None) -> list[SessionOutcome]:
    """List the outcomes of finished sessions of one project or of all, oldest first."""
    where, values = build_project_condition(project, "outcomes.project")
    rows = sql.execute(
        "SELECT session, outcomes.project, type, score, success, duration_ms, error_count, retry_count, reasoning, files, at"  # noqa: S608
        f" FROM outcomes JOIN sessions USING (session) WHERE finished_at IS NOT NULL AND {where} ORDER BY at, session",
        values,
    )
    outcomes: list[SessionOutcome] = []
    for session, project_id, kind, score, success, duration, errors, retries, reasoning, files, at in rows:
        succeeded = None if success is None else bool(success)
        outcomes.append(
            SessionOutcome(
                session,
                project_id,
                kind,
                score,
                succeeded,
                duration,
                errors,
                retries,
                reasoning,
                tuple(json.loads(files)),
                at,
            )
        )
    return outcomes


def has_harmful_use(sql: sqlite3.Connection, project: Project) -> bool:
    """Return whether a project's finished session used a skill and was harmful; otherwise no skill can be failing."""
    query = (
        "SELECT 1 FROM skills_used JOIN outcomes USING (session) JOIN sessions USING (session)"
        " WHERE skills_used.project = ? AND outcomes.type = 'harmful' AND finished_at IS NOT NULL LIMIT 1"
    )
    return sql.execute(query, (project.id,)).fetchone() is not None


def list_errors_met(sql: sqlite3.Connection, project: Project) -> list[EncounteredError]:
    """List the errors of a project's finished sessions, oldest first."""
    rows = sql.execute(
        "SELECT session, errors_met.project, signature, times, line, solved_line, steps, duration_ms, at FROM errors_met"
        " JOIN sessions USING (session) WHERE errors_met.project = ? AND finished_at IS NOT NULL"
        " ORDER BY at, session, line, signature",
        (project.id,),
    )
    return [EncounteredError(*row) for row in rows]
