"""Read the data for a report on one project or on all, and the activity per host, in one transaction each."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.staging.model import MAX_PENDING, Candidate, parse_bodies, sort_best_first
from mind_skills.staging.tables.archived import ArchivedSkill, list_archived
from mind_skills.staging.tables.candidates import (
    Receipt,
    StoredCandidate,
    build_project_condition,
    list_receipts,
    select_records,
)
from mind_skills.staging.tables.reminders import Reminder, list_reminders
from mind_skills.staging.tables.sessions import (
    EncounteredError,
    SessionOutcome,
    UsedSkill,
    list_errors_met,
    list_outcomes,
    list_uses,
)
from mind_skills.store.light_dataclasses import dataclass, field, replace
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
    """The rows of the tables, oldest first, except projects (by name) and archived skills (newest first). ``records``
    have the states that the next offer leaves. ``hosts`` is by session, ``errors_met`` and ``reminders`` by project
    id.
    """

    projects: tuple[ProjectSummary, ...]
    hosts: dict[str, str]
    records: list[StoredCandidate]
    receipts: list[Receipt]
    offers: list[OfferSize]
    uses: list[UsedSkill]
    outcomes: list[SessionOutcome]
    errors_met: dict[str, list[EncounteredError]]
    reminders: dict[str, list[Reminder]]
    archived: list[ArchivedSkill]


def read_overview(sql: sqlite3.Connection, project: Project | None = None) -> Overview:
    """Read the data of ``project``, or of all projects if it is None."""
    where, values = build_project_condition(project)
    projects = _list_projects(sql, project)
    offers = f"SELECT session, project, length(text), at FROM offers WHERE {where} ORDER BY at, session"  # noqa: S608
    return Overview(
        projects=projects,
        hosts=dict(sql.execute("SELECT session, host FROM sessions").fetchall()),
        records=_shelve_surplus(select_records(sql, f"{where} ORDER BY detected_at, project, id", *values)),
        receipts=list_receipts(sql, project),
        offers=[OfferSize(*row) for row in sql.execute(offers, values)],
        uses=list_uses(sql, project),
        outcomes=list_outcomes(sql, project),
        errors_met={each.id: list_errors_met(sql, Project("", each.id, each.name)) for each in projects},
        reminders={each.id: list_reminders(sql, Project("", each.id, each.name)) for each in projects},
        archived=list_archived(sql, project),
    )


def _shelve_surplus(records: list[StoredCandidate]) -> list[StoredCandidate]:
    """Return the records in the same order, with the surplus of each project shelved; see staging/offer.py."""
    queues: dict[str, list[Candidate]] = {}
    for record in records:
        if record.state == "pending" and not record.offered_to:
            queues.setdefault(record.project, []).append(record.candidate)
    surplus = {
        (project, candidate.fingerprint)
        for project, queue in queues.items()
        for candidate in sort_best_first(queue)[MAX_PENDING:]
    }
    return [
        replace(record, state="shelved") if (record.project, record.candidate.fingerprint) in surplus else record
        for record in records
    ]


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


# -- activity per host -------------------------------------------------------------------------------------------------

STEP_NAMES = ("observed", "detected", "staged", "offered", "accepted", "dismissed", "used")
"""In the order in which a learning goes through them; ``accepted`` and ``dismissed`` exclude each other."""


@dataclass(slots=True)
class Step:
    """Number of occurrences, and time of the last one in UTC milliseconds; None if there is none or its time is not stored."""

    count: int = 0
    last: int | None = None

    def add(self, at: int | None, count: int = 1) -> None:
        """Add ``count`` occurrences, the last of them at ``at``."""
        self.count += count
        if at is not None:
            self.last = at if self.last is None else max(self.last, at)


@dataclass(slots=True)
class Activity:
    """The steps of one host, by name."""

    host: str
    steps: dict[str, Step] = field(default_factory=lambda: {name: Step() for name in STEP_NAMES})


def list_activity(sql: sqlite3.Connection) -> list[Activity]:
    """List the activity on each host in all projects. The first step without a time shows why nothing is learned."""
    activities: dict[str, Activity] = {}
    hosts: dict[str, str] = dict(sql.execute("SELECT session, host FROM sessions").fetchall())

    def get_step(host: str, name: str) -> Step:
        return activities.setdefault(host, Activity(host)).steps[name]

    sessions_query = "SELECT host, count(*), max(max(seen_at, coalesce(checkpoint_at, 0))) FROM sessions GROUP BY host"
    for host, count, last in sql.execute(sessions_query):
        get_step(host, "observed").add(last, count)
    for session, body in sql.execute("SELECT session, body FROM sightings"):
        for candidate in parse_bodies([body]):
            hosts.setdefault(session, candidate.host)
            get_step(candidate.host, "detected").add(candidate.detected_at)
    owners: dict[str, str] = {}
    candidates_query = "SELECT id, body, state, settled_at, offered_to FROM candidates"
    for id_, body, state, settled_at, offered_to in sql.execute(candidates_query):
        for candidate in parse_bodies([body]):
            owners[id_] = candidate.host
        if state in STEP_NAMES and id_ in owners:
            get_step(hosts.get(offered_to or "", owners[id_]), state).add(settled_at)
    receipts_query = "SELECT what, candidate, session, at FROM receipts WHERE what IN ('staged', 'offered', 'used')"
    for event, candidate, session, at in sql.execute(receipts_query):
        host = hosts.get(session) or owners.get(candidate)
        if host is not None:  # None if neither the session nor the candidate is stored any more
            get_step(host, event).add(at)
    return [activities[host] for host in sorted(activities)]
