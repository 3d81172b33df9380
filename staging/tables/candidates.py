"""The tables ``candidates`` (what became of each learning) and ``sightings`` (a learning as each session saw it)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast

from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.staging.form import readable, to_body
from mind_skills.staging.merge import merge, rank
from mind_skills.staging.model import PENDING, Candidate
from mind_skills.store.project import Project

State = Literal["pending", "waiting", "accepted", "dismissed", "ignored", "shelved", "covered", "merged"]


@dataclass(frozen=True, slots=True)
class Record:
    """A candidate and what became of it. ``detail`` is the skill's path (accepted, covered), the reason of a
    dismissal, or the id of the candidate that this one is merged into.
    """

    project: str
    candidate: Candidate
    state: State
    offered_to: str = ""
    settled_at: int | None = None
    detail: str = ""


_COLUMNS = "project, body, id, state, offered_to, injected_at, settled_at, detail"
_BEST_FIRST = "rank DESC, detected_at, fingerprint"
_NOT_OFFERED = "project = ? AND state = 'pending' AND offered_to IS NULL"
_COVERABLE = "project = ? AND (state = 'covered' OR state = 'pending' AND offered_to IS NULL)"
_WAITING = (
    "project = ? AND state = 'pending' AND fingerprint IN ("  # noqa: S608
    "SELECT fingerprint FROM candidates WHERE project = ? AND state = 'pending'"
    f" ORDER BY offered_to IS NOT NULL, injected_at DESC, {_BEST_FIRST} LIMIT ?)"
    f" ORDER BY {_BEST_FIRST}"
)
_ROW = "WHERE project = ? AND fingerprint = ?"


def select_records(sql: sqlite3.Connection, where: str, *values: object) -> list[Record]:
    """The records that a condition selects, those that can be read. ``where`` is ours, never from outside."""
    rows = sql.execute(f"SELECT {_COLUMNS} FROM candidates WHERE {where}", values)  # noqa: S608
    return [
        Record(
            project,
            replace(candidate, id=id_, injected_at=injected_at),
            cast("State", state),
            offered_to or "",
            settled_at,
            detail,
        )
        for project, body, id_, state, offered_to, injected_at, settled_at, detail in rows
        for candidate in readable([body])
    ]


# -- candidates: finding them ------------------------------------------------------------------------------------------


def find_by_fingerprint(sql: sqlite3.Connection, project: str, fingerprint: str) -> Record | None:
    """The record of one learning, None if it was never seen or has been withdrawn."""
    found = select_records(sql, "project = ? AND fingerprint = ?", project, fingerprint)
    return found[0] if found else None


def reload(sql: sqlite3.Connection, record: Record) -> Record:
    """The record as it is in the database now."""
    return find_by_fingerprint(sql, record.project, record.candidate.fingerprint) or record


def find_candidate(sql: sqlite3.Connection, candidate_id: str, project: Project | None = None) -> Record:
    """The candidate with this id, or the one whose id begins so (with or without ``sc_``), whatever its state.

    Of ``project`` alone, where one is named. Raises UnknownIdError, OtherProjectError, AmbiguousIdError.
    """
    wanted = candidate_id if candidate_id.startswith("sc_") else f"sc_{candidate_id}"
    # Ids are ASCII; a command's argument may be no text at all, which SQLite does not take.
    begins = "substr(id, 1, ?) = ? ORDER BY project, id"
    found = select_records(sql, begins, len(wanted), wanted) if wanted.isascii() else []
    here = [record for record in found if project is None or record.project == project.id]
    chosen = [record for record in here if record.candidate.id == wanted] or here
    if not found or not candidate_id.removeprefix("sc_"):
        raise UnknownIdError(candidate_id)
    if not chosen:
        raise OtherProjectError(candidate_id)
    if len(chosen) > 1:
        raise AmbiguousIdError(candidate_id, [record.candidate.id for record in chosen])
    return chosen[0]


def list_project(sql: sqlite3.Connection, project: str) -> list[Record]:
    """Every candidate of a project, the oldest first."""
    return select_records(sql, "project = ? ORDER BY detected_at, fingerprint", project)


def list_waiting(sql: sqlite3.Connection, project: str) -> list[Record]:
    """The at most ten that wait in a project, best first: those that can be offered before those that were."""
    return select_records(sql, _WAITING, project, project, PENDING)


def list_undelivered(sql: sqlite3.Connection, project: str) -> list[Record]:
    """What nobody was told of: on the list, or held back until another session sees it."""
    where = "project = ? AND (state = 'waiting' OR state = 'pending' AND offered_to IS NULL) ORDER BY id"
    return select_records(sql, where, project)


def list_coverable(sql: sqlite3.Connection, project: str) -> list[Record]:
    """The candidates whose state depends on the installed skills, best first."""
    return select_records(sql, f"{_COVERABLE} ORDER BY {_BEST_FIRST}", project)


def has_coverable(sql: sqlite3.Connection, project: Project) -> bool:
    """Whether the installed skills matter here: something waits that was not offered, or is covered by one."""
    return sql.execute(f"SELECT 1 FROM candidates WHERE {_COVERABLE} LIMIT 1", (project.id,)).fetchone() is not None  # noqa: S608


def list_covered(sql: sqlite3.Connection, project: Project) -> list[Record]:
    """What an installed skill says already, best first; ``detail`` is that skill's path."""
    return select_records(sql, "project = ? AND state = 'covered' ORDER BY rank DESC, id", project.id)


def list_by_state(sql: sqlite3.Connection, project: Project, state: State) -> list[Record]:
    """The candidates of a project that came to this end, the oldest end first."""
    return select_records(sql, "project = ? AND state = ? ORDER BY settled_at, id", project.id, state)


def list_accepted(sql: sqlite3.Connection) -> list[Record]:
    """The accepted candidates of all projects, the newest acceptance first."""
    return select_records(sql, "state = 'accepted' ORDER BY settled_at DESC, project, id")


def list_acceptances(sql: sqlite3.Connection) -> list[tuple[str, str, str, int | None]]:
    """(project, id, fingerprint, settled_at) of each accepted candidate of all projects, also of one that cannot be read."""
    return sql.execute(
        "SELECT project, id, fingerprint, settled_at FROM candidates WHERE state = 'accepted'"
    ).fetchall()


def list_history(sql: sqlite3.Connection, project: Project | None = None) -> list[Record]:
    """What was accepted, dismissed, ignored, shelved or covered, the oldest end first; of one project, or of all."""
    place, values = in_project(project)
    return select_records(
        sql, f"state NOT IN ('pending', 'waiting') AND {place} ORDER BY settled_at, project, id", *values
    )


def list_offered(sql: sqlite3.Connection, session_id: str) -> list[Candidate]:
    """The candidates that a session was offered, of whatever project it was then."""
    return [each.candidate for each in select_records(sql, "offered_to = ?", session_id)]


def list_unsettled(sql: sqlite3.Connection, session: str) -> list[Record]:
    """What a session was offered and may still decide, best first, so that the order of its receipts is fixed."""
    where = f"offered_to = ? AND state IN ('pending', 'ignored') ORDER BY {_BEST_FIRST}"
    return select_records(sql, where, session)


def list_members(sql: sqlite3.Connection, record: Record) -> list[Record]:
    """Those that are merged into a record."""
    where = "project = ? AND state = 'merged' AND detail = ?"
    return select_records(sql, where, record.project, record.candidate.id)


def find_head(sql: sqlite3.Connection, record: Record) -> Record:
    """What a record is merged into, or the record itself."""
    if record.state != "merged":
        return record
    found = select_records(sql, "project = ? AND id = ?", record.project, record.detail)
    return found[0] if found else record


def list_unreadable_ids(sql: sqlite3.Connection, project: str) -> set[str]:
    """The ids of those that wait in a project and cannot be read: what is left of them stands in its pending file."""
    rows = sql.execute("SELECT id, body FROM candidates WHERE project = ? AND state = 'pending'", (project,))
    return {id_ for id_, body in rows if not readable([body])}


def list_states(sql: sqlite3.Connection, project: Project) -> dict[str, str]:
    """Where each candidate of a project stands, by its id."""
    return dict(sql.execute("SELECT id, state FROM candidates WHERE project = ?", (project.id,)).fetchall())


def find_place_in_line(sql: sqlite3.Connection, record: Record) -> tuple[int, int]:
    """(n, of): it is the n-th best of those that wait and were offered to nobody; 0 where it is none of them."""
    waiting = f"{_NOT_OFFERED} ORDER BY {_BEST_FIRST}"
    rows = sql.execute(f"SELECT fingerprint FROM candidates WHERE {waiting}", (record.project,))  # noqa: S608
    line = [row[0] for row in rows]
    mine = record.candidate.fingerprint
    return (line.index(mine) + 1 if mine in line else 0, len(line))


def has_decisions(sql: sqlite3.Connection) -> bool:
    """Whether anything was accepted or dismissed, in any project: without that no detector has a weight of its own."""
    found = sql.execute("SELECT 1 FROM candidates WHERE state IN ('accepted', 'dismissed') LIMIT 1")
    return found.fetchone() is not None


def is_id_taken(sql: sqlite3.Connection, project: str, candidate_id: str) -> bool:
    found = sql.execute("SELECT 1 FROM candidates WHERE project = ? AND id = ?", (project, candidate_id))
    return found.fetchone() is not None


def in_project(project: Project | None, column: str = "project") -> tuple[str, tuple[str, ...]]:
    """A condition for one project, or one that always holds; and its values."""
    return ("1", ()) if project is None else (f"{column} = ?", (project.id,))


# -- candidates: changing them -----------------------------------------------------------------------------------------


def undelivered_state(candidate: Candidate) -> State:
    """The state of what nobody was told of: on the list, or held back until another session sees it."""
    return "waiting" if candidate.confidence == "waiting" and not candidate.approved else "pending"


def insert_candidate(sql: sqlite3.Connection, project: str, candidate: Candidate, entry: str) -> Record:
    """Add a candidate with what an offer says of it (``entry``)."""
    state = undelivered_state(candidate)
    mine = (project, candidate.fingerprint, candidate.id, state)
    sql.execute(
        "INSERT INTO candidates (project, fingerprint, id, state, body, entry, rank, detected_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*mine, to_body(candidate), entry, rank(candidate), candidate.detected_at),
    )
    return Record(project, candidate, state)


def update_candidate(sql: sqlite3.Connection, project: str, candidate: Candidate, entry: str | None = None) -> None:
    """Set what is known of a candidate; ``entry`` None leaves what an offer says of it."""
    sql.execute(
        f"UPDATE candidates SET body = ?, entry = coalesce(?, entry), rank = ?, detected_at = ? {_ROW}",  # noqa: S608
        (to_body(candidate), entry, rank(candidate), candidate.detected_at, project, candidate.fingerprint),
    )


def delete_candidate(sql: sqlite3.Connection, project: str, fingerprint: str) -> None:
    """Delete a candidate's row; its sightings are deleted one by one."""
    sql.execute(f"DELETE FROM candidates {_ROW}", (project, fingerprint))  # noqa: S608


def set_state(
    sql: sqlite3.Connection, record: Record, state: State, settled_at: int | None = None, detail: str = ""
) -> None:
    """Give a record another state, its offer untouched."""
    sql.execute(
        f"UPDATE candidates SET state = ?, settled_at = ?, detail = ? {_ROW}",  # noqa: S608
        (state, settled_at, detail, record.project, record.candidate.fingerprint),
    )


def clear_offer(sql: sqlite3.Connection, record: Record) -> None:
    """Make a record one that nobody was offered."""
    key = (record.project, record.candidate.fingerprint)
    sql.execute(f"UPDATE candidates SET offered_to = NULL, injected_at = NULL {_ROW}", key)  # noqa: S608


# -- sightings ---------------------------------------------------------------------------------------------------------


def list_sightings(sql: sqlite3.Connection, record: Record) -> list[Candidate]:
    """A learning as each session saw it, under its own fingerprint alone; the first first."""
    rows = sql.execute(f"SELECT body FROM sightings {_ROW}", (record.project, record.candidate.fingerprint))  # noqa: S608
    return sorted(readable(row[0] for row in rows.fetchall()), key=lambda each: (each.detected_at, each.session_id))


def list_staged_by(sql: sqlite3.Connection, project: Project, session_id: str) -> list[Candidate]:
    """What a session has staged, as that session saw it, also what waits; best first."""
    rows = sql.execute("SELECT body FROM sightings WHERE project = ? AND session = ?", (project.id, session_id))
    return merge(readable(row[0] for row in rows))


def list_fingerprints(sql: sqlite3.Connection, project: str, session: str) -> set[str]:
    """The fingerprints of what a session has staged."""
    rows = sql.execute("SELECT fingerprint FROM sightings WHERE project = ? AND session = ?", (project, session))
    return {row[0] for row in rows}


def find_sighting(sql: sqlite3.Connection, project: str, fingerprint: str, session: str) -> tuple[str, ...]:
    """The body of one sighting, empty where there is none."""
    row = sql.execute(f"SELECT body FROM sightings {_ROW} AND session = ?", (project, fingerprint, session)).fetchone()  # noqa: S608
    return () if row is None else (row[0],)


def put_sighting(sql: sqlite3.Connection, project: str, session: str, candidate: Candidate) -> None:
    """Set how a session saw a learning."""
    key = (project, candidate.fingerprint, session)
    sql.execute("INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?)", (*key, to_body(candidate)))


def delete_sighting(sql: sqlite3.Connection, project: str, fingerprint: str, session: str) -> None:
    """Forget that a session saw a learning."""
    sql.execute(f"DELETE FROM sightings {_ROW} AND session = ?", (project, fingerprint, session))  # noqa: S608


def exclude_seen_by_others(
    sql: sqlite3.Connection, project: Project, session_id: str, candidates: Iterable[Candidate]
) -> list[Candidate]:
    """Those of ``candidates`` that no other session of the project has learned: of a copy of another's log, its own.

    What the copy holds may be found there with another end or another beginning, since what came afterwards counts, too:
    it is the same where most of its evidence is.
    """
    others = "SELECT fingerprint, body FROM sightings WHERE project = ? AND session <> ?"
    rows = sql.execute(others, (project.id, session_id)).fetchall()
    fingerprints = {str(row[0]) for row in rows}
    seen = [_evidence(each) for each in readable(row[1] for row in rows)]
    return [
        each
        for each in candidates
        if each.fingerprint not in fingerprints
        and not any(2 * len(_evidence(each) & other) > min(len(_evidence(each)), len(other)) for other in seen)
    ]


def _evidence(candidate: Candidate) -> set[tuple[str, str]]:
    return {(each.summary, each.content) for each in candidate.evidence}
