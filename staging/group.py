"""Candidates of one project that are one learning in slightly other words wait as one: the others are ``merged`` into it.

Which ones is a function of what was seen (staging/similar.py), not of the order in which it was staged: of those that
wait, the one that was seen first stands for the rest, and what is alike with it belongs to it. A decision comes before
that: what is like something that was offered, accepted or refused belongs to that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from mind_skills.staging import records
from mind_skills.staging.form import readable, to_body
from mind_skills.staging.merge import KNOWN, rank, unite
from mind_skills.staging.model import Candidate
from mind_skills.staging.records import Record, State


def reunite(sql: sqlite3.Connection, record: Record) -> bool:
    """Make the record what its own sightings and those of its members say together; False if it has none of its own."""
    own = sightings(sql, record)
    if not own:
        return False
    # What an offer says is written where something is staged, and this module is wanted wherever candidates are read.
    from mind_skills.staging.block import entry

    seen = [*own, *(each for member in members(sql, record) for each in sightings(sql, member))]
    now = records.by_fingerprint(sql, record.project, record.candidate.fingerprint) or record
    united = unite(seen)
    parts = {name: value for name, value in united.parts.items() if name not in KNOWN}
    parts |= {name: now.candidate.parts[name] for name in KNOWN if name in now.candidate.parts}
    united = replace(united, id=record.candidate.id, fingerprint=record.candidate.fingerprint, parts=parts)
    sql.execute(
        "UPDATE candidates SET body = ?, entry = ?, rank = ?, detected_at = ? WHERE project = ? AND fingerprint = ?",
        (to_body(united), entry(united), rank(united), united.detected_at, record.project, united.fingerprint),
    )
    return True


def sightings(sql: sqlite3.Connection, record: Record) -> list[Candidate]:
    """A learning as each session saw it, under its own fingerprint alone."""
    rows = sql.execute(
        "SELECT body FROM sightings WHERE project = ? AND fingerprint = ?",
        (record.project, record.candidate.fingerprint),
    )
    return readable(row[0] for row in rows.fetchall())


def members(sql: sqlite3.Connection, record: Record) -> list[Record]:
    """Those that are merged into a record."""
    where = "project = ? AND state = 'merged' AND detail = ?"
    return records.records(sql, where, (record.project, record.candidate.id))


def head(sql: sqlite3.Connection, record: Record) -> Record:
    """What a record is merged into, or the record itself."""
    if record.state != "merged":
        return record
    found = records.records(sql, "project = ? AND id = ?", (record.project, record.detail))
    return found[0] if found else record


def revive(sql: sqlite3.Connection, record: Record, session: str, at: int) -> None:
    """What was passed over waits again, because a session that is new to it has seen it."""
    records.set_state(sql, record, "pending")
    records.free_offer(sql, record)
    records.note(sql, at, "revived", record, session, {"was": record.state})


def regroup(sql: sqlite3.Connection, project: str, session: str, at: int) -> None:
    """Merge what is alike among those that wait, and part what is so no more. ``session`` has just staged.

    Repeated, it changes nothing.
    """
    from mind_skills.staging.similar import alike, form

    every = records.records(sql, "project = ? ORDER BY detected_at, fingerprint", (project,))
    free = [record for record in every if _waits(record)]
    told = {record.candidate.id: unite(sightings(sql, record) or [record.candidate]) for record in free}
    heads = [(form(record.candidate), record) for record in every if not _waits(record)]
    for record in sorted(free, key=lambda each: (told[each.candidate.id].detected_at, each.candidate.fingerprint)):
        mine = form(told[record.candidate.id])
        found = next((one for other, one in heads if alike(other, mine)), None)
        if found is None:
            heads.append((mine, record))
            _part(sql, record, at)
        else:
            _join(sql, record, found, at)
            if found.state in ("ignored", "shelved") and _news(sql, record, found, session):
                revive(sql, found, session, at)
    for record in free:
        reunite(sql, record)  # one that was the head of others may be a member itself now
    _hear(sql, [one for _, one in heads if one not in free])
    _sort(sql, project, session, at)


def told_or_waiting(candidate: Candidate) -> State:
    """The state of what nobody was told of: on the list, or kept to itself until another session sees it."""
    return "waiting" if candidate.confidence == "waiting" else "pending"


def _sort(sql: sqlite3.Connection, project: str, session: str, at: int) -> None:
    """Put on the list what came back in another session, and take off it what does so no more."""
    open_ = "project = ? AND (state = 'waiting' OR state = 'pending' AND offered_to IS NULL) ORDER BY id"
    for record in records.records(sql, open_, (project,)):
        state = told_or_waiting(record.candidate)
        if state != record.state:
            records.set_state(sql, record, state)
            came_back = state == "pending"
            records.note(
                sql, at, "staged" if came_back else "lapsed", record, session, {"back": True} if came_back else None
            )


def _waits(record: Record) -> bool:
    return record.state in ("merged", "covered", "waiting") or (record.state == "pending" and not record.offered_to)


def _join(sql: sqlite3.Connection, record: Record, into: Record, at: int) -> None:
    if record.state == "merged" and record.detail == into.candidate.id:
        return
    records.set_state(sql, record, "merged", at, into.candidate.id)
    records.note(sql, at, "merged", record, detail={"into": into.candidate.id})


def _part(sql: sqlite3.Connection, record: Record, at: int) -> None:
    if record.state == "merged":
        records.set_state(sql, record, "pending")
        records.note(sql, at, "parted", record, detail={"from": record.detail})


def _news(sql: sqlite3.Connection, record: Record, found: Record, session: str) -> bool:
    """Whether ``session`` is new to what was passed over, in these words or those."""
    others = {each.session_id for each in sightings(sql, found)} | {found.offered_to}
    mine = {each.session_id for each in sightings(sql, record)}
    return session in mine - others and record.state != "merged"


def _hear(sql: sqlite3.Connection, heads: Sequence[Record]) -> None:
    """What was offered and still waits hears of the sessions of its members."""
    for record in heads:
        if record.state == "pending" and members(sql, record):
            reunite(sql, record)
