"""The table ``receipts``: what happened to each candidate. It only grows."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple, cast

from mind_skills.staging.form import Json
from mind_skills.staging.tables.candidates import Record, in_project
from mind_skills.staging.tables.schema import RECEIPT
from mind_skills.store.project import Project


class Receipt(NamedTuple):
    """A line of the append-only log.

    ``what`` is waits (kept to itself), staged, lapsed (waits again), withdrawn, shelved, revived, doubted, covered,
    uncovered, merged, parted, offered, rearmed, approved, accepted, dismissed, ignored, undone, used, archived or restored (its skill).
    """

    n: int
    at: int
    what: str
    project: str
    candidate: str
    session: str
    detail: Json


def add_receipt(
    sql: sqlite3.Connection, at: int, what: str, record: Record, session: str = "", detail: Json | None = None
) -> None:
    """Append a receipt about a record."""
    text = json.dumps(detail, sort_keys=True) if detail else ""
    sql.execute(RECEIPT, (at, what, record.project, record.candidate.id, session, text))


def select_receipts(sql: sqlite3.Connection, where: str, *values: object) -> list[Receipt]:
    """The receipts that a condition of ours selects, oldest first."""
    rows = sql.execute(
        f"SELECT n, at, what, project, candidate, session, detail FROM receipts WHERE {where} ORDER BY n",  # noqa: S608
        values,
    )
    return [
        Receipt(n, at, what, project, candidate, session, cast("Json", json.loads(detail)) if detail else {})
        for n, at, what, project, candidate, session, detail in rows
    ]


def list_receipts(sql: sqlite3.Connection, project: Project | None = None) -> list[Receipt]:
    """The append-only log, oldest first; of one project, or of all."""
    where, values = in_project(project)
    return select_receipts(sql, where, *values)


def list_story(sql: sqlite3.Connection, record: Record) -> list[Receipt]:
    """What happened to a candidate, oldest first."""
    return select_receipts(sql, "project = ? AND candidate = ?", record.project, record.candidate.id)


def count_receipts(sql: sqlite3.Connection, project: Project) -> dict[str, dict[str, int]]:
    """The receipts of a project, counted: of each kind (``Receipt.what``) how many each candidate has."""
    found: dict[str, dict[str, int]] = {}
    counted = "SELECT what, candidate, count(*) FROM receipts WHERE project = ? GROUP BY what, candidate"
    for what, candidate, times in sql.execute(counted, (project.id,)):
        found.setdefault(what, {})[candidate] = times
    return found


def count_candidate_receipts(sql: sqlite3.Connection, record: Record, what: str) -> int:
    """How many receipts of one kind a candidate has."""
    where = "candidate = ? AND what = ? AND project = ?"
    row = sql.execute(f"SELECT count(*) FROM receipts WHERE {where}", (record.candidate.id, what, record.project))  # noqa: S608
    return int(row.fetchone()[0])


def was_staged_here(sql: sqlite3.Connection, project: str, candidate_id: str) -> bool:
    """Whether this machine ever staged a candidate with this id; what was withdrawn has no row any more, but a receipt."""
    # Half a character, which a pending file may hold and SQLite does not take, is in no id of ours.
    values = {"project": project, "id": candidate_id.encode("utf-8", "replace").decode()}
    found = sql.execute(
        "SELECT 1 FROM candidates WHERE project = :project AND id = :id"
        " UNION ALL SELECT 1 FROM receipts WHERE candidate = :id AND what = 'staged' AND project = :project LIMIT 1",
        values,
    )
    return found.fetchone() is not None
