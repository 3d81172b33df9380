"""The table ``archived``: where a skill was to be moved. Only the folder shows whether it is there."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.tables.candidates import StoredCandidate, add_receipt, build_project_condition
from mind_skills.store.project import Project


class ArchivedSkill(NamedTuple):
    """A skill moved from ``source`` to ``target``, in a project (its id), and the ``candidate`` that became it. Times
    are UTC milliseconds.
    """

    n: int
    project: str
    name: str
    source: str
    target: str
    candidate: str
    reason: str
    at: int
    restored_at: int | None = None

    @property
    def is_archived(self) -> bool:
        """Whether the skill is in the archive now."""
        return self.restored_at is None and os.path.isdir(self.target) and not os.path.islink(self.target)


def list_archive_rows(sql: sqlite3.Connection, project: Project | None = None) -> list[ArchivedSkill]:
    """List all rows of one project or of all, newest first, including skills that were moved back or never moved."""
    where, values = build_project_condition(project)
    rows = sql.execute(
        "SELECT n, project, name, source, target, candidate, reason, at, restored_at FROM archived"  # noqa: S608
        f" WHERE {where} ORDER BY n DESC",
        values,
    )
    return [
        ArchivedSkill(n, project_id, name, os.fsdecode(source), os.fsdecode(target), *rest)
        for n, project_id, name, source, target, *rest in rows
    ]


def list_archived(sql: sqlite3.Connection, project: Project | None = None) -> list[ArchivedSkill]:
    """List the skills that are in an archive now, of one project or of all projects, newest first."""
    by_target = {each.target: each for each in reversed(list_archive_rows(sql, project)) if each.is_archived}
    return sorted(by_target.values(), key=lambda each: -each.n)


def begin_archiving(
    sql: sqlite3.Connection, project: Project, name: str, source: str, target: str, candidate: str, reason: str, at: int
) -> int:
    """Record a skill folder that is about to be moved; return the row number for ``cancel_archiving``."""
    row = sql.execute(
        "INSERT INTO archived (project, name, source, target, candidate, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " RETURNING n",
        (project.id, name, os.fsencode(source), os.fsencode(target), candidate, reason, at),
    ).fetchone()
    return int(row[0])


def cancel_archiving(sql: sqlite3.Connection, number: int) -> None:
    """Delete the row of a skill that could not be moved."""
    sql.execute("DELETE FROM archived WHERE n = ?", (number,))


def record_archived(sql: sqlite3.Connection, record: StoredCandidate, folder: str, reason: str, at: int) -> None:
    """Add a receipt that the candidate's skill was moved to ``folder``."""
    add_receipt(sql, at, "archived", record, "", {"skill": folder, "reason": reason})


def record_restored(sql: sqlite3.Connection, archived: ArchivedSkill, record: StoredCandidate | None, at: int) -> None:
    """Record that a skill was restored; also add a receipt if ``record``, its candidate, is given."""
    sql.execute("UPDATE archived SET restored_at = ? WHERE n = ?", (at, archived.n))
    if record is not None:
        add_receipt(sql, at, "restored", record, "", {"skill": archived.source, "reason": archived.reason})
