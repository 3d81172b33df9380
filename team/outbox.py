"""The local tables for the team: ``team_member`` (one row), ``team_events`` (the newest event of each contribution,
``sent`` once confirmed), ``team_sums`` (what the server published, with bodies of families), ``team_projects``
(digests under which projects were shared), ``team_forgotten`` (server times up to which this person's events were
deleted).
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from mind_skills.store.database import Database, Schema
from mind_skills.team.contributions import DIGEST_BYTES, Contribution, ContributionKey, TeamKey

SCHEMA = Schema(
    "team",
    (
        (
            """CREATE TABLE team_member (
            n INTEGER PRIMARY KEY CHECK (n = 1), url TEXT NOT NULL, team TEXT NOT NULL, secret BLOB NOT NULL,
            device TEXT NOT NULL, last INTEGER NOT NULL DEFAULT 0, ahead INTEGER NOT NULL DEFAULT 0,
            epoch TEXT NOT NULL DEFAULT '', cursor TEXT NOT NULL DEFAULT '', quorum INTEGER NOT NULL DEFAULT 0,
            synced_at INTEGER NOT NULL DEFAULT 0, problem TEXT NOT NULL DEFAULT '')""",
            """CREATE TABLE team_events (
            seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, project BLOB NOT NULL, subject BLOB NOT NULL,
            source BLOB NOT NULL, at INTEGER NOT NULL, value INTEGER NOT NULL, body TEXT NOT NULL,
            sent INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, project, subject, source))""",
            """CREATE TABLE team_sums (
            kind TEXT NOT NULL, project BLOB NOT NULL, subject BLOB NOT NULL, people INTEGER NOT NULL, up REAL NOT NULL,
            down REAL NOT NULL, body TEXT NOT NULL DEFAULT '', PRIMARY KEY (kind, project, subject)) WITHOUT ROWID""",
        ),
        (
            """CREATE TABLE team_projects (
            id TEXT NOT NULL, project BLOB NOT NULL, PRIMARY KEY (id, project)) WITHOUT ROWID""",
            "CREATE TABLE team_forgotten (project BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID",
        ),
    ),
)
TABLES = ("team_member", "team_events", "team_sums", "team_projects", "team_forgotten")
_NO_EVENT = (0, "", -1)
MAX_BATCH_EVENTS = 500
"""Maximum number of events sent in one transaction."""


@dataclass(frozen=True, slots=True)
class Member:
    """This machine's membership: newest sequence number ``last``, milliseconds ``ahead`` of the server, ``epoch`` and
    ``cursor`` of the sums.
    """

    url: str
    key: TeamKey
    device: str
    last: int
    ahead: int
    epoch: str
    cursor: str
    quorum: int
    synced_at: int
    problem: str


class Sum(NamedTuple):
    """The team's number of people and weights for (``up``) and against a subject; ``body`` is a family's JSON, or ""."""

    people: int
    up: float
    down: float
    body: str = ""


def open_outbox(home: str) -> Database:
    """Open the database with these tables in the state folder ``home``. Raises StoreError."""
    return Database.open(home, SCHEMA)


def find_member(sql: sqlite3.Connection) -> Member | None:
    """Return the membership, or None. Raises sqlite3.Error."""
    columns = "url, team, secret, device, last, ahead, epoch, cursor, quorum, synced_at, problem"
    row = sql.execute(f"SELECT {columns} FROM team_member").fetchone()  # noqa: S608
    return Member(row[0], TeamKey(row[1], row[2]), *row[3:]) if row else None


def add_member(sql: sqlite3.Connection, url: str, key: TeamKey) -> None:
    """Make this machine a member, with a new device id and no events."""
    remove_member(sql)
    sql.execute(
        "INSERT INTO team_member (n, url, team, secret, device) VALUES (1, ?, ?, ?, ?)",
        (url, key.team, key.secret, str(uuid.uuid4())),
    )


def remove_member(sql: sqlite3.Connection) -> None:
    """Delete the membership and all that belongs to it."""
    for table in TABLES:
        sql.execute(f"DELETE FROM {table}")  # noqa: S608


def renew_device(sql: sqlite3.Connection) -> None:
    """Set a new device id and mark all events as not sent, because a copy of this state folder has used the same numbers."""
    sql.execute("UPDATE team_member SET device = ?", (str(uuid.uuid4()),))
    sql.execute("UPDATE team_events SET sent = 0")


def update_member(sql: sqlite3.Connection, **columns: str | int) -> None:
    """Set columns of the membership. Their names are not escaped, so they must be constants."""
    sql.execute(f"UPDATE team_member SET {', '.join(f'{name} = ?' for name in columns)}", tuple(columns.values()))  # noqa: S608


def store_contributions(
    sql: sqlite3.Connection,
    contributions: Mapping[ContributionKey, Contribution],
    withdrawn: Iterable[ContributionKey],
    now: int,
) -> None:
    """Store an event for each contribution that changed or was withdrawn, at ``now`` (UTC ms) by the server's clock.
    Idempotent. Sequence numbers continue from the newest in this transaction.
    """
    last, ahead = sql.execute("SELECT last, ahead FROM team_member").fetchone()
    stored = {
        ContributionKey(kind, project, subject, source): (value, body, at)
        for kind, project, subject, source, value, body, at in sql.execute(
            "SELECT kind, project, subject, source, value, body, at FROM team_events"
        )
    }
    changes = {
        key: contribution
        for key, contribution in contributions.items()
        if stored.get(key, _NO_EVENT)[:2] != (contribution.value, contribution.body)
    }
    for key in withdrawn:
        if key not in contributions and stored.get(key, _NO_EVENT)[0] != 0:
            changes[key] = Contribution(0, now)
    for key, contribution in changes.items():
        last += 1
        # A newer event must have a later time.
        at = max(min(contribution.at, now) - ahead, stored.get(key, _NO_EVENT)[2] + 1)
        sql.execute(
            "INSERT OR REPLACE INTO team_events (seq, kind, project, subject, source, at, value, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (last, *key, at, contribution.value, contribution.body),
        )
    update_member(sql, last=last)


class Batch(NamedTuple):
    """Events to send in one transaction, as JSON, and their sequence numbers. All are of one project, since the server may refuse it."""

    project: bytes
    text: str
    numbers: list[int]


def list_batches(sql: sqlite3.Connection, may_send: Callable[[ContributionKey, int], bool]) -> Iterator[Batch]:
    """Yield unconfirmed events for which ``may_send`` (key, UTC ms of the server) allows it, in batches of at most 500."""
    rows_by_project: dict[bytes, list[Any]] = defaultdict(list)
    for row in sql.execute(
        "SELECT seq, kind, project, subject, source, at, value, body FROM team_events WHERE sent = 0 ORDER BY seq"
    ):
        if may_send(ContributionKey(*row[1:5]), row[5]):
            rows_by_project[row[2]].append(row)
    for project, rows in rows_by_project.items():
        for start in range(0, len(rows), MAX_BATCH_EVENTS):
            batch = rows[start : start + MAX_BATCH_EVENTS]
            text = json.dumps([_build_event(*row) for row in batch], separators=(",", ":"))
            yield Batch(project, text, [row[0] for row in batch])


def _build_event(
    seq: int, kind: str, project: bytes, subject: bytes, source: bytes, at: int, value: int, body: str
) -> dict[str, object]:
    event: dict[str, object] = {"seq": seq, "kind": kind, "project": project.hex(), "subject": subject.hex()}
    event |= {"source": source.hex(), "at": at, "value": value}
    if body:
        event["body"] = json.loads(body)
    canonical = json.dumps(event, sort_keys=True).encode()
    return event | {"digest": blake2b(canonical, digest_size=DIGEST_BYTES).hexdigest()}


def correct_clock(sql: sqlite3.Connection, ahead: int, server_time: int) -> None:
    """Store how many ms this clock is ahead, and correct unsent events: later if it was behind, at most
    ``server_time``, never earlier, as an event must be later than what it replaced.
    """
    before = sql.execute("SELECT ahead FROM team_member").fetchone()[0]
    sql.execute("UPDATE team_events SET at = min(max(at, at - ?), ?) WHERE sent = 0", (ahead - before, server_time))
    update_member(sql, ahead=ahead)


def mark_sent(sql: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Record that the server has the events with these sequence numbers."""
    sql.executemany("UPDATE team_events SET sent = 1 WHERE seq = ?", ((number,) for number in numbers))


def mark_lost(sql: sqlite3.Connection, last: int) -> None:
    """Mark the events numbered after ``last``, the server's newest, as not sent: a restore may have lost them."""
    sql.execute("UPDATE team_events SET sent = 0 WHERE seq > ?", (last,))


def store_forgotten(sql: sqlite3.Connection, forgotten: Mapping[bytes, int]) -> None:
    """Store up to which times the server has forgotten events; a time never decreases, even if a backup of the server is older."""
    for project, at in forgotten.items():
        sql.execute(
            "INSERT INTO team_forgotten VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
            (project, at),
        )


def list_forgotten(sql: sqlite3.Connection) -> dict[bytes, int]:
    """Return up to which times (UTC ms of the server) the server has forgotten events, by project; ``b""`` stands for all."""
    return dict(sql.execute("SELECT project, at FROM team_forgotten").fetchall())


def list_former_projects(sql: sqlite3.Connection, projects: Mapping[str, bytes]) -> set[bytes]:
    """Record the digests under which the ``projects`` are shared; return those that they had before, under another remote."""
    sql.executemany("INSERT OR IGNORE INTO team_projects VALUES (?, ?)", projects.items())
    known = sql.execute("SELECT id, project FROM team_projects").fetchall()
    return {project for local_id, project in known if local_id in projects} - {*projects.values()}


def list_digests(sql: sqlite3.Connection, local_id: str) -> set[bytes]:
    """Return the digests under which a project was shared."""
    return {row[0] for row in sql.execute("SELECT project FROM team_projects WHERE id = ?", (local_id,))}


def list_keys(sql: sqlite3.Connection, projects: Iterable[bytes]) -> list[ContributionKey]:
    """Return the keys of the stored events about these projects."""
    query = "SELECT kind, project, subject, source FROM team_events WHERE project = ?"
    return [ContributionKey(*row) for project in projects for row in sql.execute(query, (project,))]


def forget_project(sql: sqlite3.Connection, project: bytes, remaining: Collection[ContributionKey]) -> None:
    """Delete the events about a project, and those about families that are not ``remaining``, which have to be sent again."""
    for key in list_keys(sql, (project, b"")):
        if key not in remaining:
            sql.execute("DELETE FROM team_events WHERE (kind, project, subject, source) = (?, ?, ?, ?)", key)
    sql.execute("UPDATE team_events SET sent = 0 WHERE project = x''")


def store_sums(
    sql: sqlite3.Connection,
    sums: Iterable[tuple[ContributionKey, Sum]],
    bodies: Mapping[bytes, str],
    *,
    replace_all: bool,
) -> None:
    """Store published sums; if ``replace_all``, delete all others. The keys' ``source`` is not used. ``bodies`` maps subjects to JSON."""
    if replace_all:
        sql.execute("DELETE FROM team_sums")
    for key, each in sums:
        sql.execute(
            "INSERT INTO team_sums (kind, project, subject, people, up, down) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET people = excluded.people, up = excluded.up, down = excluded.down",
            (*key[:3], each.people, each.up, each.down),
        )
    for subject, body in bodies.items():
        sql.execute("UPDATE team_sums SET body = ? WHERE kind = 'seen' AND subject = ?", (body, subject))


def count_sums(sql: sqlite3.Connection) -> int:
    """Return the number of sums."""
    return int(sql.execute("SELECT count(*) FROM team_sums").fetchone()[0])


def list_quorate_families(sql: sqlite3.Connection) -> frozenset[bytes]:
    """Return the subjects of the families that a quorum of people has encountered; their bodies may be sent."""
    return frozenset(
        row[0] for row in sql.execute("SELECT subject FROM team_sums WHERE kind = 'seen' AND project = x''")
    )


def find_sum(sql: sqlite3.Connection, kind: str, project: bytes, subject: bytes) -> Sum | None:
    """Return the team's sum for a subject; None if the server has published none, as is always the case below the quorum."""
    query = "SELECT people, up, down, body FROM team_sums WHERE kind = ? AND project = ? AND subject = ?"
    row = sql.execute(query, (kind, project, subject)).fetchone()
    return Sum(*row) if row else None
