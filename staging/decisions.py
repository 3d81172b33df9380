"""Record decisions on candidates: approve, accept, dismiss, ignore, undo; in the caller's transaction. The last one
that was not undone counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from mind_skills.staging.model import APPROVED, Candidate
from mind_skills.staging.offer import shelve_surplus
from mind_skills.staging.tables import candidates
from mind_skills.staging.tables.candidates import Receipt, StoredCandidate, add_receipt, select_receipts, set_state
from mind_skills.staging.tables.sessions import delete_offer, has_open_offer, settle_offer
from mind_skills.store.light_dataclasses import replace
from mind_skills.store.project import Project

Verdict = tuple[Literal["accepted", "dismissed", "ignored"], str]
"""The decision, and its detail: the skill's path if accepted, the reason if dismissed, empty if ignored."""
APPROVAL_RANK = 2.0
"""Exceeds every other rank: a score is at most 1, further sessions add .4, penalties (covered.py) subtract .55."""


def record_decision(
    sql: sqlite3.Connection, record: StoredCandidate, verdict: Verdict, at: int, session_id: str = ""
) -> bool:
    """Record a decision on a candidate; return False if that decision is already recorded. The most recent decision wins."""
    state, detail = verdict
    if record.state == state and (record.detail == detail or state == "ignored"):
        return False
    if record.state == "pending":
        shelve_surplus(sql, record.project, at)
    set_state(sql, record, state, at, detail)
    detail_key = "skill" if state == "accepted" else "reason"
    fields = {detail_key: detail, "was": _build_state_fields(record), **_build_scorer_fields(record.candidate)}
    add_receipt(sql, at, state, record, session_id, fields)
    return True


def approve(sql: sqlite3.Connection, record: StoredCandidate, at: int) -> bool:
    """Record that the user wants a pending candidate; it is offered first and not withdrawn. Return False if nothing
    changed.
    """
    if record.state != "pending" or record.candidate.approved:
        return False
    _set_approved(sql, record, is_approved=True)
    add_receipt(sql, at, "approved", record, detail={"was": _build_state_fields(record)})
    return True


def _build_state_fields(record: StoredCandidate) -> dict[str, object]:
    """Return the state of a candidate in the form that ``_build_earlier_record`` reads from a receipt."""
    return {"state": record.state, "settledAt": record.settled_at, "detail": record.detail}


def _set_approved(sql: sqlite3.Connection, record: StoredCandidate, *, is_approved: bool) -> None:
    from mind_skills.staging.entry import render_entry  # slow to import, and needed only here

    parts = {name: value for name, value in record.candidate.parts.items() if name != APPROVED}
    candidate = replace(record.candidate, parts={**parts, APPROVED: APPROVAL_RANK} if is_approved else parts)
    candidates.update_candidate(sql, record.project, candidate, render_entry(candidate))


def apply_verdicts(
    sql: sqlite3.Connection, session_id: str, verdicts: Mapping[str, Verdict], at: int
) -> list[StoredCandidate]:
    """Close an offer: each undecided candidate, also one ignored at an earlier end, gets its verdict or is ignored.
    Return the changed records.
    """
    changed = [
        candidates.reload_record(sql, record)
        for record in candidates.list_undecided(sql, session_id)
        if record_decision(sql, record, verdicts.get(record.candidate.id, ("ignored", "")), at, session_id)
    ]
    settle_offer(sql, session_id, at)
    return changed


def undo(sql: sqlite3.Connection, at: int, project: Project | None = None) -> StoredCandidate | None:
    """Undo the last acceptance, dismissal or approval; return the updated record, or None. It can be offered again,
    unless its offer is open.
    """
    found = find_last_undoable(sql, project)
    if found is None:
        return None
    receipt, record, earlier = found
    if receipt.event == "approved":
        _set_approved(sql, record, is_approved=False)
    else:
        set_state(sql, record, earlier.state, earlier.settled_at, earlier.detail)
        if not earlier.offered_to:
            candidates.clear_offer(sql, record)
    add_receipt(sql, at, "undone", record, receipt.session, {"undoes": receipt.n, "what": receipt.event})
    return candidates.reload_record(sql, record)


class Undoable(NamedTuple):
    """The decision that ``undo`` reverts, its candidate's current record, and the record with its state afterwards."""

    receipt: Receipt
    record: StoredCandidate
    earlier: StoredCandidate


def find_last_undoable(sql: sqlite3.Connection, project: Project | None = None) -> Undoable | None:
    """Return the decision that ``undo`` would revert; None if there is none."""
    condition, values = candidates.build_project_condition(project)
    undone = {receipt.detail["undoes"] for receipt in select_receipts(sql, "what = 'undone'")}
    for receipt in reversed(
        select_receipts(sql, f"what IN ('accepted', 'dismissed', 'approved') AND {condition}", *values)
    ):
        records = candidates.select_records(sql, "project = ? AND id = ?", receipt.project, receipt.candidate)
        if receipt.n not in undone and records:
            return Undoable(receipt, records[0], _build_earlier_record(sql, receipt, records[0]))
    return None


def _build_earlier_record(sql: sqlite3.Connection, receipt: Receipt, record: StoredCandidate) -> StoredCandidate:
    """Return ``record`` with the state that it has once the decision of ``receipt`` is undone."""
    if receipt.event == "approved":
        return record
    fields = cast("dict[str, Any]", receipt.detail["was"])
    earlier = replace(record, state=fields["state"], settled_at=fields["settledAt"], detail=fields["detail"])
    if earlier.state == "pending" and not has_open_offer(sql, record.offered_to):
        return replace(earlier, offered_to="")
    return earlier


def withdraw_offer(sql: sqlite3.Connection, session_id: str, at: int) -> None:
    """Withdraw an open offer that the agent never saw; its candidates can be offered again, even to the same session."""
    for record in candidates.select_records(sql, "offered_to = ? AND state = 'pending'", session_id):
        candidates.clear_offer(sql, record)
        add_receipt(sql, at, "rearmed", record, session_id)
    delete_offer(sql, session_id)


# -- decision history ----------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """An effective decision: the last on its candidate that was not undone, with the scorer's probability at that time."""

    project: str
    candidate: str
    probability: float
    is_accepted: bool


def list_decisions(sql: sqlite3.Connection, project: Project | None = None) -> tuple[list[Decision], int]:
    """List the effective decisions whose receipts have a probability, oldest first, and count the other ones."""
    condition, values = candidates.build_project_condition(project)
    receipts = select_receipts(sql, f"what IN ('accepted', 'dismissed', 'ignored', 'undone') AND {condition}", *values)
    undone = {receipt.detail.get("undoes") for receipt in receipts if receipt.event == "undone"}
    latest: dict[tuple[str, str], Receipt] = {}
    for receipt in receipts:
        if receipt.event != "undone" and receipt.n not in undone:
            latest[receipt.project, receipt.candidate] = receipt
    decisions = [
        Decision(each.project, each.candidate, probability, each.event == "accepted")
        for each in sorted(latest.values(), key=lambda each: each.n)
        if isinstance(probability := each.detail.get("probability"), float)
    ]
    return decisions, len(latest) - len(decisions)


def _build_scorer_fields(candidate: Candidate) -> dict[str, object]:
    """Return the scorer's probability in the form stored in a receipt; empty if the candidate has none."""
    return {"probability": candidate.probability} if candidate.probability else {}
