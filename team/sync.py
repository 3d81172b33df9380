"""Exchange with the team's server: sends the contributions of this device (team/contributions.py), and receives the sums."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast, get_args

from mind_skills.errors import MindSkillsError
from mind_skills.output.text import format_count
from mind_skills.settings.lenient import should_share_with_team
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.candidates import list_candidates
from mind_skills.staging.tables.sessions import list_places, list_project_ids
from mind_skills.store.database import Database
from mind_skills.store.git import find_remote
from mind_skills.team import outbox, server
from mind_skills.team.contributions import (
    BODY_FIELDS,
    DIGEST_BYTES,
    Contribution,
    ContributionKey,
    ContributionKind,
    TeamKey,
    collect_contributions,
    digest_body,
    digest_project,
    is_typed,
    list_subjects,
    list_withdrawn,
)
from mind_skills.team.outbox import Batch, Member, Sum

CLOCK_TOLERANCE_MS = 60_000
"""The difference between this clock and the server's is corrected only if it has changed by at least this much."""
MAX_RENEWALS = 3
"""Maximum number of times that one sync starts over as another device; a copied state folder needs one."""
SMALLEST_QUORUM = 3
"""The same minimum as in server.sql, which publishes no sum over fewer people."""


def require_member(database: Database) -> Member:
    """Return the membership. Raises MindSkillsError if there is none."""
    with database.reading() as sql:
        member = outbox.find_member(sql)
    if member is None:
        hint = "Run `mind-skills team join URL` with the code that your team gave you."
        raise MindSkillsError("no_team", "this machine is in no team", hint)
    return member


def list_shared_projects(database: Database, member: Member) -> dict[str, bytes]:
    """Return the digests of the projects that are shared and have a git remote, by local id. Raises StoreError."""
    with database.reading() as sql:
        if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'places'").fetchone() is None:
            return {}  # no session has been reported on this machine
        folders_by_id = {
            local_id: [place.root for place in list_places(sql, local_id)] for local_id in list_project_ids(sql)
        }
    shared: dict[str, bytes] = {}
    for local_id, folders in folders_by_id.items():
        root = next((folder for folder in folders if os.path.isdir(folder) and should_share_with_team(folder)), "")
        if root and (remote := find_remote(root)):
            shared[local_id] = digest_project(member.key, remote)
    return shared


def prepare_batches(database: Database, now: int, *, store: bool = True) -> list[Batch]:
    """Return what a sync would send now; stores changed contributions unless ``store`` is false. Raises StoreError,
    MindSkillsError.
    """
    member = require_member(database)
    projects = list_shared_projects(database, member)
    with database.writing() as sql:
        sql.execute("SAVEPOINT prepared")
        contributions = _collect(sql, member, projects)
        former = outbox.list_keys(sql, outbox.list_former_projects(sql, projects))
        withdrawn = {*list_withdrawn(sql, member.key, projects), *former}
        outbox.store_contributions(sql, contributions, withdrawn, now)
        forgotten = outbox.list_forgotten(sql)

        def may_send(key: ContributionKey, at: int) -> bool:
            # The data from which an event of a project was made may have expired since.
            past = max(forgotten.get(key.project, -1), forgotten.get(b"", -1))
            return key in contributions or key in withdrawn or (key.project in projects.values() and at > past)

        batches = list(outbox.list_batches(sql, may_send))
        if not store:
            sql.execute("ROLLBACK TO prepared")
        sql.execute("RELEASE prepared")
    return batches


def _collect(
    sql: sqlite3.Connection, member: Member, projects: Mapping[str, bytes]
) -> dict[ContributionKey, Contribution]:
    forgotten = {project: at + member.ahead for project, at in outbox.list_forgotten(sql).items()}
    return collect_contributions(sql, member.key, projects, outbox.list_quorate_families(sql), forgotten)


class Refusal(NamedTuple):
    """Events that the server refused: the folder of their project (empty for families), their number and why."""

    folder: str
    events: int
    reason: str


class Exchange(NamedTuple):
    """The number of events sent and of sums received, and what was refused."""

    sent: int
    received: int
    refused: tuple[Refusal, ...] = ()


def sync(database: Database, now: int, deadline: float = server.DEADLINE_SECONDS) -> Exchange:
    """Send events and receive sums; ``now`` is UTC ms, ``deadline`` in seconds. Safe to repeat, interrupt and run
    concurrently. Raises MindSkillsError, StoreError.
    """
    member = require_member(database)
    try:
        with server.connect(member.url, deadline) as connection:
            sent, failures = _send(database, connection, member, now)
            received = _receive(database, connection)
        if broken := [failure for _, failure in failures if failure.code != "team_refused"]:
            raise broken[0]
    except MindSkillsError as failure:
        with database.writing() as sql:
            outbox.update_member(sql, problem=failure.message)
        raise
    folders = {
        digest: find_folder(database, local_id) for local_id, digest in list_shared_projects(database, member).items()
    }
    refused = tuple(
        Refusal(folders.get(batch.project, ""), len(batch.numbers), failure.message) for batch, failure in failures
    )
    problem = "; ".join(
        f"{format_count(each.events, 'event')} of {each.folder or 'families'} refused: {each.reason}"
        for each in refused
    )
    with database.writing() as sql:
        outbox.update_member(sql, problem=problem, synced_at=now)
    return Exchange(sent, received, refused)


def _send(
    database: Database, connection: Any, member: Member, now: int, renewals: int = 0
) -> tuple[int, list[tuple[Batch, MindSkillsError]]]:
    """Return the number of events that were sent, and the batches that were not, each with the reason."""
    greeting = server.register_device(connection, member.key.team, member.device)
    ahead = now - greeting.clock
    with database.writing() as sql:
        if abs(ahead - member.ahead) >= CLOCK_TOLERANCE_MS:
            outbox.correct_clock(sql, ahead, greeting.clock)
        outbox.update_member(sql, quorum=greeting.quorum)
        outbox.mark_lost(sql, greeting.last)
        outbox.store_forgotten(sql, greeting.forgotten)
    sent, failures = 0, list[tuple[Batch, MindSkillsError]]()
    for batch in prepare_batches(database, now):
        try:
            conflicts = server.push_events(connection, member.key.team, member.device, batch.text)
        except MindSkillsError as failure:
            if connection.closed:
                raise
            failures.append((batch, failure))
            continue
        with database.writing() as sql:
            if conflicts:
                outbox.renew_device(sql)
                break
            outbox.mark_sent(sql, batch.numbers)
        sent += len(batch.numbers)
    else:
        return sent, failures
    if renewals == MAX_RENEWALS:
        raise server.make_answer_error()
    return _send(database, connection, require_member(database), now, renewals + 1)


def find_folder(database: Database, local_id: str) -> str:
    """Return a folder of a shared project. Raises StoreError."""
    with database.reading() as sql:
        return list_places(sql, local_id)[0].root


def forget_project(database: Database, local_id: str, folders: Sequence[str]) -> int:
    """Delete from the server what this person shared of a project; return the number of events. Raises MindSkillsError,
    StoreError.
    """
    member = require_member(database)
    with database.reading() as sql:
        digests = outbox.list_digests(sql, local_id)
    digests |= {digest_project(member.key, remote) for each in folders if (remote := find_remote(each))}
    if not digests:
        hint = "Name the project's folder with --project."
        raise MindSkillsError("not_shared", "this folder has no git remote, so nothing of it was shared", hint)
    with server.connect(member.url) as connection:
        greeting = server.register_device(connection, member.key.team, member.device)
        forgotten = sum(server.delete_events(connection, member.key.team, digest) for digest in sorted(digests))
    projects = list_shared_projects(database, member)
    with database.writing() as sql:
        remaining = _collect(sql, member, projects)
        for digest in digests:
            outbox.forget_project(sql, digest, remaining)
        outbox.store_forgotten(sql, dict.fromkeys(digests, greeting.clock))
    return forgotten


def _receive(database: Database, connection: Any) -> int:
    member = require_member(database)
    answer = server.pull_sums(connection, member.key.team, member.epoch, member.cursor)
    try:
        sums = [_read_sum(*row) for row in answer["sums"]]
        bodies: dict[bytes, str] = {}
        for subject, body in answer["bodies"]:
            # A body is accepted only if its digest is the subject, so nobody can attach another body to a subject.
            if {*body} == {*BODY_FIELDS} and is_typed(body) and digest_body(member.key, body) == bytes.fromhex(subject):
                bodies[bytes.fromhex(subject)] = json.dumps(body)
        epoch, cursor, whole = str(answer["epoch"]), str(answer["upto"]), bool(answer["whole"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise server.make_answer_error() from error
    with database.writing() as sql:
        outbox.store_sums(sql, sums, bodies, replace_all=whole)
        outbox.update_member(sql, epoch=epoch, cursor=cursor)
    return len(sums)


def _read_sum(
    kind: object, project: str, subject: str, people: object, up: float, down: float
) -> tuple[ContributionKey, Sum]:
    """Return a sum that the server published. Raises ValueError, TypeError or OverflowError if it cannot be one."""
    key = ContributionKey(cast("ContributionKind", kind), bytes.fromhex(project), bytes.fromhex(subject), b"")
    if (
        kind not in get_args(ContributionKind)
        or len(key.project) not in (0, DIGEST_BYTES)
        or len(key.subject) != DIGEST_BYTES
    ):
        raise ValueError(kind)
    if type(people) is not int or not SMALLEST_QUORUM <= people < server.INTEGER_LIMIT:
        raise ValueError(people)
    weights = float(up), float(down)
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ValueError(weights)
    return key, Sum(people, *weights)


def confirm_recurrences(database: Database, ledger: Ledger, now: int) -> None:
    """Record which learnings the team has met, so that waiting ones are offered; else clear that. Raises StoreError."""
    with database.reading() as sql:
        member = outbox.find_member(sql)
    shared = list_shared_projects(database, member) if member else {}
    with ledger.database.reading() as sql:
        met = {
            local_id: {
                record.candidate.fingerprint
                for record in list_candidates(sql, local_id)
                if member
                and local_id in shared
                and find_standing(sql, member.key, shared[local_id], record.candidate).met
            }
            for local_id in list_project_ids(sql)
        }
    for local_id, fingerprints in met.items():
        ledger.set_team_sightings(local_id, fingerprints, now)


class Standing(NamedTuple):
    """How many people of the team encountered a learning, accepted it and dismissed it; 0 below the quorum."""

    met: int
    accepted: int
    dismissed: int


def find_standing(sql: sqlite3.Connection, key: TeamKey, project: bytes, candidate: Candidate) -> Standing:
    """Return the team's numbers for a learning, in its project or for its family, whichever more people reported."""
    subjects = list_subjects(key, project, candidate)
    seen_sums = [outbox.find_sum(sql, "seen", *subject) for subject in subjects]
    decided_sums = [outbox.find_sum(sql, "decided", *subject) for subject in subjects]
    no_sum = Sum(0, 0.0, 0.0)
    met = max((each.people for each in seen_sums if each), default=0)
    decision = max((each for each in decided_sums if each), key=lambda each: each.people, default=no_sum)
    return Standing(met, round(decision.up), round(decision.down))


def find_local_standing(database: Database, local_id: str, candidate: Candidate) -> Standing | None:
    """Return the team's numbers for a learning; None outside a team, or if the project is not shared. Raises StoreError."""
    with database.reading() as sql:
        member = outbox.find_member(sql)
    project = list_shared_projects(database, member).get(local_id) if member else None
    if member is None or project is None:
        return None
    with database.reading() as sql:
        return find_standing(sql, member.key, project, candidate)
