"""Activity per host: sessions observed, learnings detected, staged, offered, accepted and dismissed, and skills used.

If nothing is learned from a host's sessions, the first step without a time shows where the cause may be.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from mind_skills.staging.candidate_json import parse_bodies

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
    """List the activity on each host in all projects, sorted by host name."""
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
