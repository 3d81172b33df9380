"""Which skills were put aside, and where they stand now: ``archived``. The folders themselves are the truth.

A row is written before its folder is moved and says only where to look: what does not stand at its ``target`` was never
moved, or has been moved back, by whatever hand and whoever was killed between two steps.
"""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging import records
from mind_skills.staging.records import Record


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


def begin(
    sql: sqlite3.Connection, project: str, name: str, source: str, target: str, candidate: str, reason: str, at: int
) -> int:
    """Note what is about to be moved; returns the row's number."""
    row = sql.execute(
        "INSERT INTO archived (project, name, source, target, candidate, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " RETURNING n",
        (project, name, os.fsencode(source), os.fsencode(target), candidate, reason, at),
    ).fetchone()
    return int(row[0])


def drop(sql: sqlite3.Connection, number: int) -> None:
    """Forget what could not be moved."""
    sql.execute("DELETE FROM archived WHERE n = ?", (number,))


def restored(sql: sqlite3.Connection, number: int, at: int) -> None:
    """Note that it stands in its place again."""
    sql.execute("UPDATE archived SET restored_at = ? WHERE n = ?", (at, number))


def rows(sql: sqlite3.Connection, project: str | None = None) -> list[Archived]:
    """Every row, the newest first; of one project, or of all."""
    where, values = ("WHERE project = ?", (project,)) if project is not None else ("", ())
    found = sql.execute(
        "SELECT n, project, name, source, target, candidate, reason, at, restored_at FROM archived"  # noqa: S608
        f" {where} ORDER BY n DESC",
        values,
    )
    return [
        Archived(n, of, name, os.fsdecode(source), os.fsdecode(target), *rest)
        for n, of, name, source, target, *rest in found
    ]


def note(sql: sqlite3.Connection, record: Record, what: str, folder: str, reason: str, at: int) -> None:
    """Put it down in the story of the candidate that the skill came from; ``what`` is archived or restored."""
    records.note(sql, at, what, record, "", {"skill": folder, "reason": reason})
