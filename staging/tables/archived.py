"""The table ``archived``: which skills were put aside, and where they stand now. The folders themselves are the truth.

A row is written before its folder is moved and says only where to look: what does not stand at its ``target`` was never
moved, or has been moved back, by whatever hand and whoever was killed between two steps.
"""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.tables.candidates import Record, in_project
from mind_skills.staging.tables.receipts import add_receipt
from mind_skills.store.project import Project


class Archived(NamedTuple):
    """A skill that was put aside: from the folder ``source`` to the folder ``target``, ``at`` UTC milliseconds.

    ``project`` is the id of the one in which that was said, ``candidate`` the id of what the skill came from.
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
    def stands(self) -> bool:
        """Whether it is in the archive now."""
        return self.restored_at is None and os.path.isdir(self.target) and not os.path.islink(self.target)


def list_archive_rows(sql: sqlite3.Connection, project: Project | None = None) -> list[Archived]:
    """Every row, also of what has been moved back or was never moved, the newest first; of one project, or of all."""
    where, values = in_project(project)
    found = sql.execute(
        "SELECT n, project, name, source, target, candidate, reason, at, restored_at FROM archived"  # noqa: S608
        f" WHERE {where} ORDER BY n DESC",
        values,
    )
    return [
        Archived(n, of, name, os.fsdecode(source), os.fsdecode(target), *rest)
        for n, of, name, source, target, *rest in found
    ]


def list_archived(sql: sqlite3.Connection, project: Project | None = None) -> list[Archived]:
    """The skills that stand in an archive now, the newest first; put there from one project, or from any."""
    by_place = {each.target: each for each in reversed(list_archive_rows(sql, project)) if each.stands}
    return sorted(by_place.values(), key=lambda each: -each.n)


def begin_archiving(
    sql: sqlite3.Connection, project: Project, name: str, source: str, target: str, candidate: str, reason: str, at: int
) -> int:
    """Note what is about to be moved, before it is; returns the row's number for ``cancel_archiving``."""
    row = sql.execute(
        "INSERT INTO archived (project, name, source, target, candidate, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " RETURNING n",
        (project.id, name, os.fsencode(source), os.fsencode(target), candidate, reason, at),
    ).fetchone()
    return int(row[0])


def cancel_archiving(sql: sqlite3.Connection, number: int) -> None:
    """Forget what could not be moved."""
    sql.execute("DELETE FROM archived WHERE n = ?", (number,))


def record_archived(sql: sqlite3.Connection, record: Record, folder: str, reason: str, at: int) -> None:
    """Put it down in the candidate's story that its skill now stands at ``folder``."""
    add_receipt(sql, at, "archived", record, "", {"skill": folder, "reason": reason})


def record_restored(sql: sqlite3.Connection, what: Archived, record: Record | None, at: int) -> None:
    """Put down that a skill stands in its place again; in the story of ``record``, too, where there is one."""
    sql.execute("UPDATE archived SET restored_at = ? WHERE n = ?", (at, what.n))
    if record is not None:
        add_receipt(sql, at, "restored", record, "", {"skill": what.source, "reason": what.reason})
