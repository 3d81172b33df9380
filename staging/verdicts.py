"""What becomes of candidates: accepted, dismissed, ignored, taken back. Inside a transaction of the caller's."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

from mind_skills.staging import records
from mind_skills.staging.decided import put_down
from mind_skills.staging.model import PENDING
from mind_skills.staging.records import Receipt, Record, State

Verdict = tuple[Literal["accepted", "dismissed", "ignored"], str]
"""What, and the skill's path or the reason."""
_IGNORED: Verdict = ("ignored", "")


def decide(sql: sqlite3.Connection, record: Record, verdict: Verdict, at: int, session: str = "") -> bool:
    """Give a record its end; False if it has that one already. The last of several decisions holds."""
    state, detail = verdict
    if record.state == state and (record.detail == detail or state == "ignored"):
        return False
    if record.state == "pending":
        shelve(sql, record.project, at)
    records.set_state(sql, record, state, at, detail)
    was = {"state": record.state, "settledAt": record.settled_at, "detail": record.detail}
    word = "skill" if state == "accepted" else "reason"
    records.note(sql, at, state, record, session, {word: detail, "was": was, **put_down(record.candidate)})
    return True


def shelve(sql: sqlite3.Connection, project: str, at: int) -> None:
    """Let go of what fell out of a full list, before a place in it becomes free.

    Until then it stays in reserve, because a session may still withdraw what displaced it; afterwards only a new
    sighting brings it back, so that a list that was worked through does not fill up with what was not good enough.
    """
    kept = {record.candidate.fingerprint for record in records.waiting(sql, project)}
    for record in records.records(sql, "project = ? AND state = 'pending' AND offered_to IS NULL", (project,)):
        if len(kept) == PENDING and record.candidate.fingerprint not in kept:
            records.set_state(sql, record, "shelved", at)
            records.note(sql, at, "shelved", record)


def settle(sql: sqlite3.Connection, session: str, verdicts: Mapping[str, Verdict], at: int) -> list[Record]:
    """End an offer: each of its candidates that still waits gets its verdict, or is ignored; returns those, changed.

    One that was ignored at an earlier end of the same session can still be accepted or dismissed.
    """
    changed: list[Record] = []
    # Best first, so that what an undo takes back does not depend on how the rows happen to lie.
    where = "offered_to = ? AND state IN ('pending', 'ignored') ORDER BY rank DESC, detected_at, fingerprint"
    for record in records.records(sql, where, (session,)):
        if decide(sql, record, verdicts.get(record.candidate.id, _IGNORED), at, session):
            now = records.by_fingerprint(sql, record.project, record.candidate.fingerprint)
            changed += [now] if now is not None else []
    sql.execute("UPDATE offers SET settled_at = ? WHERE session = ? AND settled_at IS NULL", (at, session))
    return changed


def undo(sql: sqlite3.Connection, at: int, project: str | None = None) -> Record | None:
    """Take back the last acceptance or dismissal that has not been taken back; returns the record as it is then.

    One that waits again, and whose offer has ended, can be offered again.
    """
    found = undoable(sql, project)
    if found is None:
        return None
    receipt, record = found
    was = before(receipt)
    records.set_state(sql, record, was.state, was.settled_at, was.detail)
    if was.state == "pending" and not _offer_runs(sql, record.offered_to):
        records.free_offer(sql, record)
    records.note(sql, at, "undone", record, receipt.session, {"undoes": receipt.n, "what": receipt.what})
    return records.by_fingerprint(sql, record.project, record.candidate.fingerprint)


def undoable(sql: sqlite3.Connection, project: str | None = None) -> tuple[Receipt, Record] | None:
    """The decision that ``undo`` would take back, and its candidate as it is now; None where there is none left."""
    place, values = ("AND project = ?", (project,)) if project is not None else ("", ())
    undone = {r.detail["undoes"] for r in records.receipts(sql, "what = 'undone'")}
    for receipt in reversed(records.receipts(sql, f"what IN ('accepted', 'dismissed') {place}", values)):
        found = records.records(sql, "project = ? AND id = ?", (receipt.project, receipt.candidate))
        if receipt.n not in undone and found:
            return receipt, found[0]
    return None


class Before(NamedTuple):
    """What a candidate was before a decision."""

    state: State
    settled_at: int | None
    detail: str


def before(receipt: Receipt) -> Before:
    """What the candidate of an acceptance or a dismissal was before it."""
    was = cast("dict[str, object]", receipt.detail["was"])
    return Before(cast("State", was["state"]), cast("int | None", was["settledAt"]), cast("str", was["detail"]))


def rearm(sql: sqlite3.Connection, session: str, at: int) -> list[Record]:
    """Take an offer back that nobody saw: its candidates can be offered again, also to the same session."""
    if not _offer_runs(sql, session):
        return []
    freed = records.records(sql, "offered_to = ? AND state = 'pending'", (session,))
    for record in freed:
        records.free_offer(sql, record)
        records.note(sql, at, "rearmed", record, session)
    sql.execute("DELETE FROM offers WHERE session = ?", (session,))
    return freed


def _offer_runs(sql: sqlite3.Connection, session: str) -> bool:
    row = sql.execute("SELECT settled_at FROM offers WHERE session = ?", (session,)).fetchone()
    return row is not None and row[0] is None
