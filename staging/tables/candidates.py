"""The tables ``candidates``, ``sightings`` (one per candidate and session) and ``receipts`` (what happened, append-only)."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import Literal, NamedTuple, cast

from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.staging.model import (
    MAX_PENDING,
    Candidate,
    JsonObject,
    compute_rank,
    merge_candidates,
    parse_bodies,
    serialise_candidate,
)
from mind_skills.staging.tables.schema import INSERT_RECEIPT
from mind_skills.store.light_dataclasses import dataclass, replace
from mind_skills.store.project import Project

State = Literal["pending", "accepted", "dismissed", "ignored", "shelved", "covered"]


@dataclass(frozen=True, slots=True)
class StoredCandidate:
    """A candidate and its state. ``detail`` is the skill's path (accepted, covered) or the reason for a dismissal."""

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
_LISTED = (
    "project = ? AND state = 'pending' AND fingerprint IN ("  # noqa: S608
    "SELECT fingerprint FROM candidates WHERE project = ? AND state = 'pending'"
    f" ORDER BY offered_to IS NOT NULL, injected_at DESC, {_BEST_FIRST} LIMIT ?)"
    f" ORDER BY {_BEST_FIRST}"
)
_WHERE_KEY = "WHERE project = ? AND fingerprint = ?"


def select_records(sql: sqlite3.Connection, where: str, *values: object) -> list[StoredCandidate]:
    """Select the readable records that match ``where``, a trusted SQL fragment, never user input."""
    rows = sql.execute(f"SELECT {_COLUMNS} FROM candidates WHERE {where}", values)  # noqa: S608
    return [
        StoredCandidate(
            project, replace(candidate, id=id_, injected_at=injected_at), state, offered_to or "", settled_at, detail
        )
        for project, body, id_, state, offered_to, injected_at, settled_at, detail in rows
        for candidate in parse_bodies([body])
    ]


# -- candidates: queries ----------------------------------------------------------------------------------------------


def find_by_fingerprint(sql: sqlite3.Connection, project_id: str, fingerprint: str) -> StoredCandidate | None:
    """Return the record with a fingerprint, or None if there is none or it is unreadable."""
    found = select_records(sql, "project = ? AND fingerprint = ?", project_id, fingerprint)
    return found[0] if found else None


def reload_record(sql: sqlite3.Connection, record: StoredCandidate) -> StoredCandidate:
    """Return the current version of a record, or the given one if the candidate no longer exists."""
    return find_by_fingerprint(sql, record.project, record.candidate.fingerprint) or record


def find_candidate(sql: sqlite3.Connection, candidate_id: str, project: Project | None = None) -> StoredCandidate:
    """Return the one candidate whose id begins so (with or without ``sc_``). With ``project``, it is of this project or
    of one that was in its folder. Raises UnknownIdError, OtherProjectError, AmbiguousIdError.
    """
    full_id = candidate_id if candidate_id.startswith("sc_") else f"sc_{candidate_id}"
    # Ids are ASCII; a command-line argument may contain invalid Unicode, which SQLite rejects.
    prefix_condition = "substr(id, 1, ?) = ? ORDER BY project, id"
    matches = select_records(sql, prefix_condition, len(full_id), full_id) if full_id.isascii() else []
    in_project = [record for record in matches if project is None or record.project == project.id]
    if project is not None and matches and not in_project:  # the folder was another project before `git init`
        earlier = sql.execute("SELECT project FROM places WHERE root = ?", (os.fsencode(project.root),)).fetchall()
        in_project = [record for record in matches if (record.project,) in earlier]
    chosen = [record for record in in_project if record.candidate.id == full_id] or in_project
    if not matches or not candidate_id.removeprefix("sc_"):
        raise UnknownIdError(candidate_id)
    if not chosen:
        raise OtherProjectError(candidate_id)
    if len(chosen) > 1:
        raise AmbiguousIdError(candidate_id, [record.candidate.id for record in chosen])
    return chosen[0]


def list_candidates(sql: sqlite3.Connection, project_id: str) -> list[StoredCandidate]:
    """List all candidates of a project, oldest first."""
    return select_records(sql, "project = ? ORDER BY detected_at, fingerprint", project_id)


def list_pending(sql: sqlite3.Connection, project_id: str) -> list[StoredCandidate]:
    """List up to ten pending candidates of a project, best first; unoffered ones take precedence over offered ones."""
    return select_records(sql, _LISTED, project_id, project_id, MAX_PENDING)


def list_waiting(sql: sqlite3.Connection, project_id: str) -> list[Candidate]:
    """List all pending candidates of a project that were not offered, best first, also those beyond the ten that are listed."""
    return [each.candidate for each in select_records(sql, f"{_NOT_OFFERED} ORDER BY {_BEST_FIRST}", project_id)]


def list_coverable(sql: sqlite3.Connection, project_id: str) -> list[StoredCandidate]:
    """List the candidates whose state depends on the installed skills, best first."""
    return select_records(sql, f"{_COVERABLE} ORDER BY {_BEST_FIRST}", project_id)


def has_coverable(sql: sqlite3.Connection, project: Project) -> bool:
    """Return whether installed skills can affect any candidate: one that is covered, or pending and not offered."""
    return sql.execute(f"SELECT 1 FROM candidates WHERE {_COVERABLE} LIMIT 1", (project.id,)).fetchone() is not None  # noqa: S608


def list_covered(sql: sqlite3.Connection, project: Project) -> list[StoredCandidate]:
    """List candidates covered by an installed skill, best first; ``detail`` is the skill's path."""
    return select_records(sql, "project = ? AND state = 'covered' ORDER BY rank DESC, id", project.id)


def list_by_state(sql: sqlite3.Connection, project: Project, state: State) -> list[StoredCandidate]:
    """List a project's candidates in one state, in the order in which they were settled."""
    return select_records(sql, "project = ? AND state = ? ORDER BY settled_at, id", project.id, state)


def list_accepted(sql: sqlite3.Connection) -> list[StoredCandidate]:
    """List the accepted candidates of all projects, latest acceptance first."""
    return select_records(sql, "state = 'accepted' ORDER BY settled_at DESC, project, id")


def list_acceptances(sql: sqlite3.Connection) -> list[tuple[str, str, str, int | None]]:
    """List (project, id, fingerprint, settled_at) of the accepted candidates of all projects, including unreadable ones."""
    return sql.execute(
        "SELECT project, id, fingerprint, settled_at FROM candidates WHERE state = 'accepted'"
    ).fetchall()


def list_history(sql: sqlite3.Connection, project: Project | None = None) -> list[StoredCandidate]:
    """List the candidates that are not pending, of one project or of all projects, by ``settled_at``."""
    condition, values = build_project_condition(project)
    return select_records(sql, f"state != 'pending' AND {condition} ORDER BY settled_at, project, id", *values)


def list_offered(sql: sqlite3.Connection, session_id: str) -> list[Candidate]:
    """List the candidates offered to a session, in any project."""
    return [each.candidate for each in select_records(sql, "offered_to = ?", session_id)]


def list_undecided(sql: sqlite3.Connection, session_id: str) -> list[StoredCandidate]:
    """List the pending or ignored candidates offered to a session, best first, so that their receipts have a fixed order."""
    where = f"offered_to = ? AND state IN ('pending', 'ignored') ORDER BY {_BEST_FIRST}"
    return select_records(sql, where, session_id)


def list_unreadable_ids(sql: sqlite3.Connection, project_id: str) -> set[str]:
    """Return the ids of unreadable pending candidates, whose last readable copy is in the pending file."""
    rows = sql.execute("SELECT id, body FROM candidates WHERE project = ? AND state = 'pending'", (project_id,))
    return {id_ for id_, body in rows if not parse_bodies([body])}


def list_states(sql: sqlite3.Connection, project: Project) -> dict[str, str]:
    """Map the candidate ids of a project to their states."""
    return dict(sql.execute("SELECT id, state FROM candidates WHERE project = ?", (project.id,)).fetchall())


def find_queue_position(sql: sqlite3.Connection, record: StoredCandidate) -> tuple[int, int]:
    """Return (position, total) among the pending candidates not offered yet; position is 0 for any other record."""
    condition = f"{_NOT_OFFERED} ORDER BY {_BEST_FIRST}"
    rows = sql.execute(f"SELECT fingerprint FROM candidates WHERE {condition}", (record.project,))  # noqa: S608
    queue = [row[0] for row in rows]
    fingerprint = record.candidate.fingerprint
    return (queue.index(fingerprint) + 1 if fingerprint in queue else 0, len(queue))


def count_queued(sql: sqlite3.Connection, project: Project) -> int:
    """Return the number of pending candidates not offered yet."""
    return int(sql.execute(f"SELECT count(*) FROM candidates WHERE {_NOT_OFFERED}", (project.id,)).fetchone()[0])  # noqa: S608


def find_latest_time(sql: sqlite3.Connection, project: Project) -> int | None:
    """Return when a project's newest candidate was detected (UTC ms); None if there is none."""
    return sql.execute(  # type: ignore[no-any-return]
        "SELECT max(detected_at) FROM candidates WHERE project = ?", (project.id,)
    ).fetchone()[0]


def has_decisions(sql: sqlite3.Connection) -> bool:
    """Return whether any candidate was accepted or dismissed; otherwise all detectors have the same weight."""
    found = sql.execute("SELECT 1 FROM candidates WHERE state IN ('accepted', 'dismissed') LIMIT 1")
    return found.fetchone() is not None


def is_id_taken(sql: sqlite3.Connection, project_id: str, candidate_id: str) -> bool:
    found = sql.execute("SELECT 1 FROM candidates WHERE project = ? AND id = ?", (project_id, candidate_id))
    return found.fetchone() is not None


def build_project_condition(project: Project | None, column: str = "project") -> tuple[str, tuple[str, ...]]:
    """Return an SQL condition for one project, or one that is always true, and its parameters."""
    return ("1", ()) if project is None else (f"{column} = ?", (project.id,))


# -- candidates: updates ----------------------------------------------------------------------------------------------


def insert_candidate(sql: sqlite3.Connection, project_id: str, candidate: Candidate, entry: str) -> StoredCandidate:
    """Insert a candidate; ``entry`` is its text in an offer."""
    key_values = (project_id, candidate.fingerprint, candidate.id)
    sql.execute(
        "INSERT INTO candidates (project, fingerprint, id, state, body, entry, rank, detected_at)"
        " VALUES (?, ?, ?, 'pending', ?, ?, ?, ?)",
        (*key_values, serialise_candidate(candidate), entry, compute_rank(candidate), candidate.detected_at),
    )
    return StoredCandidate(project_id, candidate, "pending")


def update_candidate(sql: sqlite3.Connection, project_id: str, candidate: Candidate, entry: str | None = None) -> None:
    """Update a candidate, and its text in an offer unless ``entry`` is None."""
    values = (serialise_candidate(candidate), entry, compute_rank(candidate), candidate.detected_at)
    sql.execute(
        f"UPDATE candidates SET body = ?, entry = coalesce(?, entry), rank = ?, detected_at = ? {_WHERE_KEY}",  # noqa: S608
        (*values, project_id, candidate.fingerprint),
    )


def delete_candidate(sql: sqlite3.Connection, project_id: str, fingerprint: str) -> None:
    """Delete a candidate's row; its sightings are deleted separately."""
    sql.execute(f"DELETE FROM candidates {_WHERE_KEY}", (project_id, fingerprint))  # noqa: S608


def set_state(
    sql: sqlite3.Connection, record: StoredCandidate, state: State, settled_at: int | None = None, detail: str = ""
) -> None:
    """Change the state of a record without changing its offer."""
    sql.execute(
        f"UPDATE candidates SET state = ?, settled_at = ?, detail = ? {_WHERE_KEY}",  # noqa: S608
        (state, settled_at, detail, record.project, record.candidate.fingerprint),
    )


def clear_offer(sql: sqlite3.Connection, record: StoredCandidate) -> None:
    """Unlink a record from the session it was offered to."""
    key = (record.project, record.candidate.fingerprint)
    sql.execute(f"UPDATE candidates SET offered_to = NULL, injected_at = NULL {_WHERE_KEY}", key)  # noqa: S608


# -- sightings ---------------------------------------------------------------------------------------------------------


def list_sightings(sql: sqlite3.Connection, record: StoredCandidate) -> list[Candidate]:
    """List the sightings with exactly the record's fingerprint, oldest first."""
    rows = sql.execute(f"SELECT body FROM sightings {_WHERE_KEY}", (record.project, record.candidate.fingerprint))  # noqa: S608
    return sorted(parse_bodies(row[0] for row in rows.fetchall()), key=lambda each: (each.detected_at, each.session_id))


def list_staged_by(sql: sqlite3.Connection, project: Project, session_id: str) -> list[Candidate]:
    """List the candidates that a session has staged, as it saw them, best first."""
    rows = sql.execute("SELECT body FROM sightings WHERE project = ? AND session = ?", (project.id, session_id))
    return merge_candidates(parse_bodies(row[0] for row in rows))


def list_fingerprints(sql: sqlite3.Connection, project_id: str, session_id: str) -> set[str]:
    """Return the fingerprints of the candidates that a session has staged."""
    rows = sql.execute("SELECT fingerprint FROM sightings WHERE project = ? AND session = ?", (project_id, session_id))
    return {row[0] for row in rows}


def find_sighting_body(sql: sqlite3.Connection, project_id: str, fingerprint: str, session_id: str) -> tuple[str, ...]:
    """Return a tuple with the body of one sighting; empty if there is none."""
    query = f"SELECT body FROM sightings {_WHERE_KEY} AND session = ?"  # noqa: S608
    row = sql.execute(query, (project_id, fingerprint, session_id)).fetchone()
    return () if row is None else (row[0],)


def put_sighting(sql: sqlite3.Connection, project_id: str, session_id: str, candidate: Candidate) -> None:
    key = (project_id, candidate.fingerprint, session_id)
    sql.execute("INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?)", (*key, serialise_candidate(candidate)))


def delete_sighting(sql: sqlite3.Connection, project_id: str, fingerprint: str, session_id: str) -> None:
    sql.execute(f"DELETE FROM sightings {_WHERE_KEY} AND session = ?", (project_id, fingerprint, session_id))  # noqa: S608


def exclude_seen_by_others(
    sql: sqlite3.Connection, project: Project, session_id: str, candidates: Iterable[Candidate]
) -> list[Candidate]:
    """Return the ``candidates`` that no other session, such as a fork's original, has seen: neither one with the
    fingerprint, nor one that shares more than half of the smaller evidence.
    """
    rows = sql.execute("SELECT body FROM sightings WHERE project = ? AND session <> ?", (project.id, session_id))
    seen = [(each.fingerprint, _get_evidence_keys(each)) for each in parse_bodies(row[0] for row in rows)]
    return [
        each
        for each in candidates
        if not any(
            each.fingerprint == fingerprint
            or 2 * len(_get_evidence_keys(each) & keys) > min(len(_get_evidence_keys(each)), len(keys))
            for fingerprint, keys in seen
        )
    ]


def _get_evidence_keys(candidate: Candidate) -> set[tuple[str, str]]:
    return {(each.summary, each.content) for each in candidate.evidence}


# -- receipts ----------------------------------------------------------------------------------------------------------


class Receipt(NamedTuple):
    """Row ``n`` of ``receipts``; ``at`` is UTC milliseconds.

    ``event``: waits (needs confirmation), staged, withdrawn, shelved, revived (pending again), covered, uncovered, merged, offered,
    rearmed (offer withdrawn), approved, accepted, dismissed, ignored, undone, used; of the candidate's skill, archived or restored;
    of older versions, doubted, lapsed (waits again) and parted (no longer merged).
    """

    n: int
    at: int
    event: str
    project: str
    candidate: str
    session: str
    detail: JsonObject


def add_receipt(
    sql: sqlite3.Connection,
    at: int,
    event: str,
    record: StoredCandidate,
    session_id: str = "",
    detail: JsonObject | None = None,
) -> None:
    text = json.dumps(detail, sort_keys=True) if detail else ""
    sql.execute(INSERT_RECEIPT, (at, event, record.project, record.candidate.id, session_id, text))


def select_receipts(sql: sqlite3.Connection, where: str, *values: object) -> list[Receipt]:
    """Select receipts, oldest first. ``where`` must be a trusted SQL fragment, never user input."""
    rows = sql.execute(
        f"SELECT n, at, what, project, candidate, session, detail FROM receipts WHERE {where} ORDER BY n",  # noqa: S608
        values,
    )
    return [
        Receipt(n, at, event, project, candidate, session, cast("JsonObject", json.loads(detail)) if detail else {})
        for n, at, event, project, candidate, session, detail in rows
    ]


def list_receipts(sql: sqlite3.Connection, project: Project | None = None) -> list[Receipt]:
    """List the receipts of one project or of all, oldest first."""
    where, values = build_project_condition(project)
    return select_receipts(sql, where, *values)


def list_candidate_receipts(sql: sqlite3.Connection, record: StoredCandidate) -> list[Receipt]:
    """List the receipts of a candidate, oldest first."""
    return select_receipts(sql, "project = ? AND candidate = ?", record.project, record.candidate.id)


def count_receipts(sql: sqlite3.Connection, project: Project) -> dict[str, dict[str, int]]:
    """Count the receipts of a project by event and candidate id."""
    counts: dict[str, dict[str, int]] = {}
    query = "SELECT what, candidate, count(*) FROM receipts WHERE project = ? GROUP BY what, candidate"
    for event, candidate, times in sql.execute(query, (project.id,)):
        counts.setdefault(event, {})[candidate] = times
    return counts


def count_candidate_receipts(sql: sqlite3.Connection, record: StoredCandidate, event: str) -> int:
    where = "candidate = ? AND what = ? AND project = ?"
    row = sql.execute(f"SELECT count(*) FROM receipts WHERE {where}", (record.candidate.id, event, record.project))  # noqa: S608
    return int(row.fetchone()[0])


def was_staged_here(sql: sqlite3.Connection, project_id: str, candidate_id: str) -> bool:
    """Return whether this machine has staged a candidate with this id, even if only its receipts remain."""
    # A pending file may contain lone surrogates, which SQLite rejects. They do not occur in our ids.
    values = {"project": project_id, "id": candidate_id.encode("utf-8", "replace").decode()}
    found = sql.execute(
        "SELECT 1 FROM candidates WHERE project = :project AND id = :id"
        " UNION ALL SELECT 1 FROM receipts WHERE candidate = :id AND what = 'staged' AND project = :project LIMIT 1",
        values,
    )
    return found.fetchone() is not None
