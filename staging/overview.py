"""Everything that the ledger holds, of one project or of all, read in one transaction: what a report is made from."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging import archive, errors_met, records, usage
from mind_skills.staging.archive import Archived
from mind_skills.staging.errors_met import ErrorMet
from mind_skills.staging.records import Receipt, Record
from mind_skills.staging.usage import Ended, UsedSkill


class Place(NamedTuple):
    """A project: its id, its name for people, and its folders, the main one first."""

    project: str
    name: str
    roots: tuple[str, ...]


class HandedOver(NamedTuple):
    """A text that a session was given: how many characters it has, and when that was (UTC ms)."""

    session: str
    project: str
    characters: int
    at: int


class Overview(NamedTuple):
    """All rows, the oldest first. ``hosts`` maps a session to its host, ``met`` a project to the errors of its sessions."""

    places: tuple[Place, ...]
    hosts: dict[str, str]
    records: list[Record]
    receipts: list[Receipt]
    handed_over: list[HandedOver]
    uses: list[UsedSkill]
    outcomes: list[Ended]
    met: dict[str, list[ErrorMet]]
    archived: list[Archived]


def read_overview(sql: sqlite3.Connection, project: str | None = None) -> Overview:
    """What there is of a project (its id), or of all."""
    where, values = ("project = ?", (project,)) if project is not None else ("1", ())
    places = _places(sql, where, values)
    offers = f"SELECT session, project, length(text), at FROM offers WHERE {where} ORDER BY at, session"  # noqa: S608
    return Overview(
        places=places,
        hosts=dict(sql.execute("SELECT session, host FROM sessions").fetchall()),
        records=records.records(sql, f"{where} ORDER BY detected_at, project, id", values),
        receipts=records.receipts(sql, where, values),
        handed_over=[HandedOver(*row) for row in sql.execute(offers, values)],
        uses=usage.used(sql, project),
        outcomes=usage.ended(sql, project),
        met={place.project: errors_met.met(sql, place.project) for place in places},
        archived=[each for each in archive.rows(sql, project) if each.stands],
    )


def _places(sql: sqlite3.Connection, where: str, values: tuple[str, ...]) -> tuple[Place, ...]:
    """Every project that a session ran in or a learning was found in, by name."""
    # SQLite takes the other columns from the row that has the maximum: the name that was used last.
    newest = f"SELECT project, root, name, max(seen_at) FROM sessions WHERE {where} GROUP BY project"  # noqa: S608
    names = {row[0]: (os.fsdecode(row[1]), os.fsdecode(row[2])) for row in sql.execute(newest, values)}
    roots: dict[str, list[str]] = {project: [root] for project, (root, _) in names.items()}
    for project, root in sql.execute(f"SELECT project, root FROM places WHERE {where} ORDER BY root", values):  # noqa: S608
        if (path := os.fsdecode(root)) not in roots.setdefault(project, []):
            roots[project].append(path)
    for (project,) in sql.execute(f"SELECT DISTINCT project FROM candidates WHERE {where}", values):  # noqa: S608
        roots.setdefault(project, [])
    found = [
        Place(project, names[project][1] if project in names else _base(paths) or project, tuple(paths))
        for project, paths in roots.items()
    ]
    return tuple(sorted(found, key=lambda place: (place.name, place.project)))


def _base(paths: list[str]) -> str:
    return os.path.basename(paths[0]) if paths else ""
