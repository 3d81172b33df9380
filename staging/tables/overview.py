"""Read the data for a report on one project or on all, in one transaction."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.tables.archived import ArchivedSkill, list_archived
from mind_skills.staging.tables.candidates import StoredCandidate, build_project_condition, select_records
from mind_skills.staging.tables.receipts import Receipt, list_receipts
from mind_skills.staging.tables.uses import (
    EncounteredError,
    SessionOutcome,
    UsedSkill,
    list_errors_met,
    list_outcomes,
    list_uses,
)
from mind_skills.store.project import Project


class ProjectSummary(NamedTuple):
    """A project: its id, display name and folders; the folder of its latest session comes first."""

    id: str
    name: str
    roots: tuple[str, ...]


class OfferSize(NamedTuple):
    """Size of an offer in characters, and its time (UTC ms)."""

    session: str
    project: str
    characters: int
    at: int


class Overview(NamedTuple):
    """The rows of the tables, oldest first, except projects (by name) and archived skills (newest first).

    ``hosts`` maps the sessions of all projects to hosts; ``errors_met`` maps project ids to the errors that sessions encountered.
    """

    projects: tuple[ProjectSummary, ...]
    hosts: dict[str, str]
    records: list[StoredCandidate]
    receipts: list[Receipt]
    offers: list[OfferSize]
    uses: list[UsedSkill]
    outcomes: list[SessionOutcome]
    errors_met: dict[str, list[EncounteredError]]
    archived: list[ArchivedSkill]


def read_overview(sql: sqlite3.Connection, project: Project | None = None) -> Overview:
    """Read the data of ``project``, or of all projects if it is None."""
    where, values = build_project_condition(project)
    projects = _list_projects(sql, project)
    offers = f"SELECT session, project, length(text), at FROM offers WHERE {where} ORDER BY at, session"  # noqa: S608
    return Overview(
        projects=projects,
        hosts=dict(sql.execute("SELECT session, host FROM sessions").fetchall()),
        records=select_records(sql, f"{where} ORDER BY detected_at, project, id", *values),
        receipts=list_receipts(sql, project),
        offers=[OfferSize(*row) for row in sql.execute(offers, values)],
        uses=list_uses(sql, project),
        outcomes=list_outcomes(sql, project),
        errors_met={each.id: list_errors_met(sql, Project("", each.id, each.name)) for each in projects},
        archived=list_archived(sql, project),
    )


def _list_projects(sql: sqlite3.Connection, project: Project | None) -> tuple[ProjectSummary, ...]:
    """List the projects that have sessions, folders or candidates, sorted by name; only ``project`` if it is given."""
    where, values = build_project_condition(project)
    # With max(), SQLite takes the other columns from the same row: that of the latest session.
    query = f"SELECT project, root, name, max(seen_at) FROM sessions WHERE {where} GROUP BY project"  # noqa: S608
    latest = {row[0]: (os.fsdecode(row[1]), os.fsdecode(row[2])) for row in sql.execute(query, values)}
    roots: dict[str, list[str]] = {id_: [root] for id_, (root, _) in latest.items()}
    for id_, root in sql.execute(f"SELECT project, root FROM places WHERE {where} ORDER BY root", values):  # noqa: S608
        if (path := os.fsdecode(root)) not in roots.setdefault(id_, []):
            roots[id_].append(path)
    for (id_,) in sql.execute(f"SELECT DISTINCT project FROM candidates WHERE {where}", values):  # noqa: S608
        roots.setdefault(id_, [])
    projects = [
        ProjectSummary(id_, latest[id_][1] if id_ in latest else _get_base_name(paths) or id_, tuple(paths))
        for id_, paths in roots.items()
    ]
    return tuple(sorted(projects, key=lambda each: (each.name, each.id)))


def _get_base_name(paths: list[str]) -> str:
    return os.path.basename(paths[0]) if paths else ""
