"""The tables ``sessions``, ``offers`` (see also offer.py), ``places`` (folders of a project, with git's verdict on the
pending file), and what the analysis found: ``skills_used``, ``outcomes``, ``errors_met``. The analysis at the end
replaces what earlier ones found; a checkpoint adds skills and deletes the outcome.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from mind_skills.staging.tables.candidates import (
    StoredCandidate,
    add_receipt,
    build_project_condition,
    find_by_fingerprint,
    list_accepted,
)
from mind_skills.store.git import Verdict
from mind_skills.store.project import Project

if TYPE_CHECKING:  # slow to import, and needed only by callers that read logs
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.staging.analyse import UseKind
    from mind_skills.staging.error_meter import SessionError
    from mind_skills.staging.model import JsonObject

MAX_ATTEMPTS = 3
"""Maximum number of consecutive failed attempts to read a log. A log that crashes its reader would do so every time."""


class ReportedSession(NamedTuple):
    """A session that a host reported; ``size`` (bytes) and ``mtime`` (ns) of the log at the last checkpoint are -1
    before it. Times are UTC ms.
    """

    session_id: str
    host: str
    project: Project
    log: str
    seen_at: int
    finished_at: int | None
    size: int
    mtime: int
    checkpoint_at: int | None
    has_open_offer: bool
    attempts: int = 0

    def get_response_start(self, offered_at: int) -> int:
        """Return the time (UTC ms) from which responses count as given after an offer made then; 0 if no checkpoint
        precedes it.
        """
        return offered_at if self.checkpoint_at is not None and self.checkpoint_at < offered_at else 0


def register_session(
    sql: sqlite3.Connection,
    session_id: str,
    host: str,
    project: Project,
    log: str,
    at: int,
    *,
    is_from_host: bool | None = None,
) -> None:
    """Register a session and its folder, or update it and mark it as unfinished. An empty ``log`` preserves the stored path."""
    sql.execute(
        "INSERT INTO sessions (session, host, project, root, name, git, log, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session) DO UPDATE SET host = excluded.host, project = excluded.project, root = excluded.root,"
        " name = excluded.name, git = excluded.git, seen_at = max(seen_at, excluded.seen_at), finished_at = NULL,"
        " attempts = CASE WHEN finished_at IS NULL THEN attempts ELSE 0 END,"
        " log = CASE WHEN length(excluded.log) THEN excluded.log ELSE log END",
        (session_id, host, project.id, *map(os.fsencode, (project.root, project.name, project.git_folder, log)), at),
    )
    register_place(sql, project, is_from_host=is_from_host)


def find_session(sql: sqlite3.Connection, session_id: str) -> ReportedSession | None:
    """Return a session; None if it is not registered."""
    found = _select(sql, "session = ?", session_id)
    return found[0] if found else None


def list_unfinished(sql: sqlite3.Connection) -> list[ReportedSession]:
    """List unfinished sessions: fewest attempts first, so that a log that crashes its reader blocks no other, then
    newest first.
    """
    return _select(sql, "finished_at IS NULL ORDER BY attempts, seen_at DESC, session")


def count_unfinished(sql: sqlite3.Connection, project: Project) -> int:
    unfinished = "SELECT count(*) FROM sessions WHERE finished_at IS NULL AND project = ?"
    return int(sql.execute(unfinished, (project.id,)).fetchone()[0])


def list_finished_since(sql: sqlite3.Connection, since: int) -> list[ReportedSession]:
    """List the sessions with a log that were finished after ``since`` (UTC ms), sorted by that time."""
    return _select(sql, "finished_at > ? AND length(log) ORDER BY finished_at, session", since)


def mark_finished(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished. Return False if it was finished already or is not registered."""
    done = sql.execute(
        "UPDATE sessions SET finished_at = ? WHERE session = ? AND finished_at IS NULL", (at, session_id)
    )
    return done.rowcount == 1


def set_checkpoint(sql: sqlite3.Connection, session_id: str, size: int, mtime: int, at: int) -> None:
    """Record how far the log was analysed: its size in bytes and mtime in ns; ``at`` is UTC milliseconds."""
    sql.execute(
        "UPDATE sessions SET size = ?, mtime = ?, checkpoint_at = ? WHERE session = ?", (size, mtime, at, session_id)
    )


def set_attempts(sql: sqlite3.Connection, session_id: str, attempts: int) -> None:
    """Set the number of attempts to read the log: increased before each attempt, 0 after a successful checkpoint."""
    sql.execute("UPDATE sessions SET attempts = ? WHERE session = ?", (attempts, session_id))


_CORRECTABLE_TIMES = (
    ("sessions", "seen_at", "seen_at > ? AND finished_at IS NULL"),
    ("offers", "at", "at > ? AND settled_at IS NULL"),
)


def has_future_times(sql: sqlite3.Connection, latest: int) -> bool:
    """Return whether an unfinished session or an open offer has a time later than ``latest`` (UTC ms)."""
    return any(
        sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {where})", (latest,)).fetchone()[0]  # noqa: S608
        for table, _, where in _CORRECTABLE_TIMES
    )


def correct_future_times(sql: sqlite3.Connection, now: int, latest: int) -> None:
    """Set the times that ``has_future_times`` finds to ``now``, because the clock was ahead by an unknown amount."""
    for table, column, where in _CORRECTABLE_TIMES:
        sql.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (now, latest))  # noqa: S608


def _select(sql: sqlite3.Connection, where: str, *values: object) -> list[ReportedSession]:
    rows = sql.execute(
        "SELECT session, host, project, root, name, git, log, seen_at, finished_at, size, mtime, checkpoint_at,"  # noqa: S608
        " EXISTS (SELECT 1 FROM offers WHERE offers.session = sessions.session AND offers.settled_at IS NULL), attempts"
        f" FROM sessions WHERE {where}",
        values,
    )
    sessions: list[ReportedSession] = []
    for id_, host, project_id, root, name, git, log, seen_at, *progress, offered, attempts in rows:
        project = Project(os.fsdecode(root), project_id, os.fsdecode(name), os.fsdecode(git))
        finished_at, size, mtime, checkpoint_at = progress
        times = (seen_at, finished_at, size, mtime, checkpoint_at)
        sessions.append(ReportedSession(id_, host, project, os.fsdecode(log), *times, bool(offered), attempts))
    return sessions


# -- offers ------------------------------------------------------------------------------------------------------------


def list_orphaned_offers(sql: sqlite3.Connection, before: int) -> list[tuple[str, bool]]:
    """List (session, whether its agent responded) of open offers older than ``before`` (UTC ms) without an unfinished
    session: their process died.
    """
    rows = sql.execute(
        "SELECT session, answered_at IS NOT NULL FROM offers WHERE settled_at IS NULL AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM sessions WHERE sessions.session = offers.session AND finished_at IS NULL)"
        " ORDER BY at, session",
        (before,),
    )
    return [(id_, bool(answered)) for id_, answered in rows]


def mark_answered(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Record that the agent of a session has responded to its offer; ``at`` (UTC ms) is stored only the first time."""
    sql.execute("UPDATE offers SET answered_at = ? WHERE session = ? AND answered_at IS NULL", (at, session_id))


def settle_offer(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    sql.execute("UPDATE offers SET settled_at = ? WHERE session = ? AND settled_at IS NULL", (at, session_id))


def delete_offer(sql: sqlite3.Connection, session_id: str) -> None:
    sql.execute("DELETE FROM offers WHERE session = ?", (session_id,))


def has_open_offer(sql: sqlite3.Connection, session_id: str) -> bool:
    row = sql.execute("SELECT settled_at FROM offers WHERE session = ?", (session_id,)).fetchone()
    return row is not None and row[0] is None


def find_offer_projects(sql: sqlite3.Connection, session_id: str) -> list[str]:
    """Return a list with the project id of a session's offer; empty if there is no offer."""
    return [row[0] for row in sql.execute("SELECT project FROM offers WHERE session = ?", (session_id,))]


# -- places ------------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A folder of a project, with its ``git_folder``, the ``token`` of its last pending file and git's ``verdict`` on that file."""

    root: str
    git_folder: str
    token: str
    verdict: Verdict


def register_place(sql: sqlite3.Connection, project: Project, *, is_from_host: bool | None = None) -> None:
    """Register a folder of a project: one that a host reported, that only a log names (False), or (None) as it is known."""
    place = (project.id, os.fsencode(project.root))
    sql.execute(
        "INSERT INTO places (project, root, git, kind) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (project, root) DO UPDATE SET git = excluded.git WHERE git != excluded.git",
        (*place, os.fsencode(project.git_folder), "named_by_log" if is_from_host is False else ""),
    )
    if is_from_host:
        sql.execute("UPDATE places SET kind = '' WHERE project = ? AND root = ? AND kind = 'named_by_log'", place)


def list_places(sql: sqlite3.Connection, project_id: str) -> list[Place]:
    """List the places of a project, sorted by path."""
    columns = "root, git, token, kind, detail, asked"
    rows = sql.execute(f"SELECT {columns} FROM places WHERE project = ? ORDER BY root", (project_id,))  # noqa: S608
    return [
        Place(os.fsdecode(root), os.fsdecode(git), token, Verdict(kind, detail, asked))
        for root, git, token, kind, detail, asked in rows.fetchall()
    ]


def list_roots(sql: sqlite3.Connection, project: Project) -> list[str]:
    """List the registered folders of a project, including its worktrees, sorted."""
    return [place.root for place in list_places(sql, project.id)]


def list_project_ids(sql: sqlite3.Connection) -> list[str]:
    return [row[0] for row in sql.execute("SELECT DISTINCT project FROM places ORDER BY project")]


def find_git_verdict(sql: sqlite3.Connection, project: Project) -> Verdict:
    """Return git's last verdict on the pending file in ``project.root``; an empty kind means that it may be written."""
    row = sql.execute(
        "SELECT kind, detail, asked FROM places WHERE project = ? AND root = ?", (project.id, os.fsencode(project.root))
    ).fetchone()
    return Verdict(*row) if row else Verdict()


def set_verdict(sql: sqlite3.Connection, project_id: str, place: Place) -> None:
    """Store the git verdict of a place if it differs from the stored one."""
    sql.execute(
        "UPDATE places SET kind = ?, detail = ?, asked = ? WHERE project = ? AND root = ? AND (kind, detail, asked) != (?, ?, ?)",
        (*place.verdict, project_id, os.fsencode(place.root), *place.verdict),
    )


def set_token(sql: sqlite3.Connection, project_id: str, root: str, token: str) -> None:
    """Set the token of the pending file that was just written at ``root``."""
    sql.execute("UPDATE places SET token = ? WHERE project = ? AND root = ?", (token, project_id, os.fsencode(root)))


def delete_place(sql: sqlite3.Connection, project_id: str, root: str) -> None:
    """Delete the place of a folder that no longer exists."""
    sql.execute("DELETE FROM places WHERE project = ? AND root = ?", (project_id, os.fsencode(root)))


# -- what the analysis found -------------------------------------------------------------------------------------------


class SkillUseRecord(NamedTuple):
    """A skill that a session used at ``at`` (UTC ms), first in ``line``; ``path`` is absolute, or "". One that is not
    ``is_installed`` counts only if it came from one of the candidates (``ids``) that its text names.
    """

    name: str
    path: str
    how: UseKind
    at: int | None = None
    is_installed: bool = True
    ids: tuple[str, ...] = ()
    line: int = 0


class UsedSkill(NamedTuple):
    """A row of ``skills_used``; ``at`` is UTC ms, ``candidate`` the id of the one that became the skill or "", ``line``
    0 if unknown.
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
    """A row of ``errors_met``; the fields are those of ``SessionError`` in staging/error_meter.py."""

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
        return self.solved_line > 0


def store_analysis(
    sql: sqlite3.Connection,
    reported_session: ReportedSession,
    uses: Iterable[SkillUseRecord],
    outcome: Outcome | None,
    at: int,
    errors: Iterable[SessionError] = (),
) -> None:
    """Store the skills, outcome and ``errors`` that an analysis at ``at`` (UTC ms) found. Without an ``outcome`` the
    session goes on: skills are added, errors not stored.
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


def _put_outcome(sql: sqlite3.Connection, session_id: str, project_id: str, outcome: Outcome, at: int) -> None:
    values = (outcome.type, outcome.score, outcome.success, outcome.duration_ms, outcome.error_count)
    # A session cannot end later than its analysis; a later time in the log is wrong.
    ended_at = min(outcome.at or at, at)
    more_values = (outcome.retry_count, outcome.reasoning, json.dumps(outcome.files_touched), ended_at)
    sql.execute(
        "INSERT INTO outcomes (session, project, type, score, success, duration_ms, error_count, retry_count,"
        " reasoning, files, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (session_id, project_id, *values, *more_values),
    )


def _find_origin(sql: sqlite3.Connection, project_id: str, use: SkillUseRecord) -> StoredCandidate | None:
    """Return the accepted candidate that became this file, else one of this project that the file names, else one that
    became an installed skill of the same name; or None.
    """
    accepted = list_accepted(sql)
    same_path = [record for record in accepted if use.path and os.path.normpath(record.detail) == use.path]
    of_project = [record for record in accepted if record.project == project_id]
    named = [record for record in of_project if record.candidate.id in use.ids]
    same_name = [record for record in of_project if os.path.basename(os.path.dirname(record.detail)) == use.name]
    return next(iter([*same_path, *named, *(same_name if use.is_installed else [])]), None)


def finish_session(sql: sqlite3.Connection, session_id: str, at: int) -> bool:
    """Mark a session as finished, and add a ``used`` receipt, once, for each accepted candidate whose skill it used.
    Return False if it was finished already.
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


def has_outcome(sql: sqlite3.Connection, session_id: str) -> bool:
    """Return whether the outcome of a session is stored: its last analysis was the one at its end."""
    return sql.execute("SELECT 1 FROM outcomes WHERE session = ?", (session_id,)).fetchone() is not None


def find_outcome(sql: sqlite3.Connection, session_id: str) -> OutcomeType:
    """Return a session's outcome; ``unknown`` unless its last analysis was the one at its end."""
    row = sql.execute("SELECT type FROM outcomes WHERE session = ?", (session_id,)).fetchone()
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
        more_values = (duration, errors, retries, reasoning, tuple(json.loads(files)), at)
        outcomes.append(SessionOutcome(session, project_id, kind, score, succeeded, *more_values))
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
