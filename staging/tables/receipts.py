"""The table ``receipts``: an append-only log of what happened to each candidate."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple, cast

from mind_skills.staging.candidate_json import JsonObject
from mind_skills.staging.tables.candidates import StoredCandidate, build_project_condition
from mind_skills.staging.tables.schema import INSERT_RECEIPT
from mind_skills.store.project import Project


class Receipt(NamedTuple):
    """A row of ``receipts``, with the number ``n``; ``at`` is UTC milliseconds.

    ``event`` is one of: waits (needs confirmation), staged, lapsed (waits again), withdrawn, shelved, revived (pending again),
    doubted (older versions), covered, uncovered, merged, parted (no longer merged), offered, rearmed (offer withdrawn),
    approved, accepted, dismissed, ignored, undone, used; and, of the candidate's skill, archived or restored.
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
    session: str = "",
    detail: JsonObject | None = None,
) -> None:
    """Append a receipt about a record."""
    text = json.dumps(detail, sort_keys=True) if detail else ""
    sql.execute(INSERT_RECEIPT, (at, event, record.project, record.candidate.id, session, text))


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
    """Count the receipts of a candidate for one kind of event."""
    where = "candidate = ? AND what = ? AND project = ?"
    row = sql.execute(f"SELECT count(*) FROM receipts WHERE {where}", (record.candidate.id, event, record.project))  # noqa: S608
    return int(row.fetchone()[0])


def was_staged_here(sql: sqlite3.Connection, project: str, candidate_id: str) -> bool:
    """Return whether this machine has staged a candidate with this id, even if only its receipts remain."""
    # A pending file may contain lone surrogates, which SQLite rejects. They do not occur in our ids.
    values = {"project": project, "id": candidate_id.encode("utf-8", "replace").decode()}
    found = sql.execute(
        "SELECT 1 FROM candidates WHERE project = :project AND id = :id"
        " UNION ALL SELECT 1 FROM receipts WHERE candidate = :id AND what = 'staged' AND project = :project LIMIT 1",
        values,
    )
    return found.fetchone() is not None
