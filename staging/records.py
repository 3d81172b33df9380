"""Rows of the database as objects, and the statements that more than one module of this package needs."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, cast

from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.staging.form import Json, readable
from mind_skills.staging.model import PENDING, Candidate
from mind_skills.staging.schema import RECEIPT
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


class Receipt(NamedTuple):
    """A line of the append-only log.

    ``what`` is waits (kept to itself), staged, lapsed (waits again), withdrawn, shelved, revived, doubted, covered,
    uncovered, merged, parted, offered, rearmed, accepted, dismissed, ignored, undone, used, archived or restored (its skill).
    """

    n: int
    at: int
    what: str
    project: str
    candidate: str
    session: str
    detail: Json


_COLUMNS = "project, body, id, state, offered_to, injected_at, settled_at, detail"
_WAITING = (
    "project = ? AND state = 'pending' AND fingerprint IN ("
    "SELECT fingerprint FROM candidates WHERE project = ? AND state = 'pending'"
    " ORDER BY offered_to IS NOT NULL, injected_at DESC, rank DESC, detected_at, fingerprint LIMIT ?)"
    " ORDER BY rank DESC, detected_at, fingerprint"
)


def records(sql: sqlite3.Connection, where: str, values: Iterable[object]) -> list[Record]:
    """The records that a condition (of ours, never from outside) selects, as far as they can be read."""
    rows = sql.execute(f"SELECT {_COLUMNS} FROM candidates WHERE {where}", tuple(values))  # noqa: S608
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


def unreadable(sql: sqlite3.Connection, project: str) -> set[str]:
    """The ids of those that wait in a project and cannot be read: what is left of them stands in its pending file."""
    rows = sql.execute("SELECT id, body FROM candidates WHERE project = ? AND state = 'pending'", (project,))
    return {id_ for id_, body in rows if not readable([body])}


def waiting(sql: sqlite3.Connection, project: str) -> list[Record]:
    """The at most ten that wait in a project, best first: those that can be offered before those that were."""
    return records(sql, _WAITING, (project, project, PENDING))


def by_fingerprint(sql: sqlite3.Connection, project: str, fingerprint: str) -> Record | None:
    """The record of one learning, None if it was never seen or has been withdrawn."""
    found = records(sql, "project = ? AND fingerprint = ?", (project, fingerprint))
    return found[0] if found else None


def named(sql: sqlite3.Connection, candidate_id: str, project: Project | None) -> Record:
    """The record with this id, or whose id begins so; see ``Ledger.find``.

    Raises UnknownIdError, OtherProjectError, AmbiguousIdError.
    """
    wanted = candidate_id if candidate_id.startswith("sc_") else f"sc_{candidate_id}"
    begins = "substr(id, 1, ?) = ? ORDER BY project, id"
    found = (
        records(sql, begins, (len(wanted), wanted)) if wanted.isascii() else []
    )  # as ids are; arguments may be no text
    here = [record for record in found if project is None or record.project == project.id]
    chosen = [record for record in here if record.candidate.id == wanted] or here
    if not found or not candidate_id.removeprefix("sc_"):
        raise UnknownIdError(candidate_id)
    if not chosen:
        raise OtherProjectError(candidate_id)
    if len(chosen) > 1:
        raise AmbiguousIdError(candidate_id, [record.candidate.id for record in chosen])
    return chosen[0]


def note(
    sql: sqlite3.Connection, at: int, what: str, record: Record, session: str = "", detail: Json | None = None
) -> None:
    """Append a receipt about a record."""
    text = json.dumps(detail, sort_keys=True) if detail else ""
    sql.execute(RECEIPT, (at, what, record.project, record.candidate.id, session, text))


def receipts(sql: sqlite3.Connection, where: str = "1", values: Iterable[object] = ()) -> list[Receipt]:
    """The receipts that a condition of ours selects, oldest first."""
    rows = sql.execute(
        f"SELECT n, at, what, project, candidate, session, detail FROM receipts WHERE {where} ORDER BY n",  # noqa: S608
        tuple(values),
    )
    return [
        Receipt(n, at, what, project, candidate, session, cast("Json", json.loads(detail)) if detail else {})
        for n, at, what, project, candidate, session, detail in rows
    ]


def set_state(
    sql: sqlite3.Connection, record: Record, state: State, settled_at: int | None = None, detail: str = ""
) -> None:
    """Give a record another state, its offer untouched."""
    sql.execute(
        "UPDATE candidates SET state = ?, settled_at = ?, detail = ? WHERE project = ? AND fingerprint = ?",
        (state, settled_at, detail, record.project, record.candidate.fingerprint),
    )


def free_offer(sql: sqlite3.Connection, record: Record) -> None:
    """Make a record one that nobody was offered."""
    sql.execute(
        "UPDATE candidates SET offered_to = NULL, injected_at = NULL WHERE project = ? AND fingerprint = ?",
        (record.project, record.candidate.fingerprint),
    )


def as_bytes(path: str) -> bytes:
    """A path as the database keeps it: a path need not be text."""
    return os.fsencode(path)
