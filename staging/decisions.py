"""What becomes of candidates: approved, accepted, dismissed, ignored, taken back; and what the user's decisions say of their taste.

Each decision's receipt holds what the scorer said of the candidate at that time, so that it counts the same whatever is
seen later. Of several about one candidate the last counts that was not taken back. What a version before probabilities put
down says nothing. Everything here runs inside a transaction of the caller's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, cast

from mind_skills.learning.taste import IGNORED, NOBODYS, Decided, Taste, learned
from mind_skills.staging.claim import shelve_surplus
from mind_skills.staging.model import APPROVED, RULE, Candidate
from mind_skills.staging.tables import candidates
from mind_skills.staging.tables.candidates import Record, State, set_state
from mind_skills.staging.tables.receipts import Receipt, add_receipt, select_receipts
from mind_skills.staging.tables.sessions import delete_offer, has_open_offer, settle_offer
from mind_skills.store.project import Project

Verdict = tuple[Literal["accepted", "dismissed", "ignored"], str]
"""What, and the skill's path or the reason."""
_IGNORED: Verdict = ("ignored", "")
FIRST = 1.0
"""What an approval adds to the rank: a probability is at most 1, so that what is approved comes first."""
_RELEARNED_AFTER = 0.05
"""The taste is learned anew whenever the decisions before have grown by this part: after each of the first twenty, so that
a thousand cost no more than a few hundred."""
Tiers = Callable[[float], str | None]
"""Gives the tier that a probability reaches."""


def decide(sql: sqlite3.Connection, record: Record, verdict: Verdict, at: int, session: str = "") -> bool:
    """Give a record its end; False if it has that one already. The last of several decisions holds."""
    state, detail = verdict
    if record.state == state and (record.detail == detail or state == "ignored"):
        return False
    if record.state == "pending":
        shelve_surplus(sql, record.project, at)
    set_state(sql, record, state, at, detail)
    was = {"state": record.state, "settledAt": record.settled_at, "detail": record.detail}
    word = "skill" if state == "accepted" else "reason"
    add_receipt(sql, at, state, record, session, {word: detail, "was": was, **_scorer_fields(record.candidate)})
    return True


def approve(sql: sqlite3.Connection, record: Record, at: int) -> bool:
    """Note that the user wants what waits as a skill; False where it does not wait, or that was noted before.

    It is told first then, as something that the user agreed to, and stays on the list until a session was told of it.
    """
    if record.state != "pending" or record.candidate.approved:
        return False
    _set_approved(sql, record, up=True)
    was = {"state": record.state, "settledAt": record.settled_at, "detail": record.detail}
    add_receipt(sql, at, "approved", record, detail={"was": was})
    return True


def _set_approved(sql: sqlite3.Connection, record: Record, *, up: bool) -> None:
    from mind_skills.staging.block import entry  # the wording of an offer, which nothing else here needs

    parts = {name: value for name, value in record.candidate.parts.items() if name != APPROVED}
    candidate = replace(record.candidate, parts={**parts, APPROVED: FIRST} if up else parts)
    candidates.update_candidate(sql, record.project, candidate, entry(candidate))


def settle(sql: sqlite3.Connection, session: str, verdicts: Mapping[str, Verdict], at: int) -> list[Record]:
    """End an offer: each of its candidates that still waits gets its verdict, or is ignored; returns those, changed.

    One that was ignored at an earlier end of the same session can still be accepted or dismissed.
    """
    changed = [
        candidates.reload(sql, record)
        for record in candidates.list_unsettled(sql, session)
        if decide(sql, record, verdicts.get(record.candidate.id, _IGNORED), at, session)
    ]
    settle_offer(sql, session, at)
    return changed


def undo(sql: sqlite3.Connection, at: int, project: Project | None = None) -> Record | None:
    """Take back the last acceptance, dismissal or approval that has not been taken back; returns the record as it is then.

    One that waits again, and whose offer has ended, can be offered again.
    """
    found = find_undoable(sql, project)
    if found is None:
        return None
    receipt, record = found
    was = state_before(receipt)
    if receipt.what == "approved":
        _set_approved(sql, record, up=False)
    else:
        set_state(sql, record, was.state, was.settled_at, was.detail)
    if receipt.what != "approved" and was.state == "pending" and not has_open_offer(sql, record.offered_to):
        candidates.clear_offer(sql, record)
    add_receipt(sql, at, "undone", record, receipt.session, {"undoes": receipt.n, "what": receipt.what})
    return candidates.reload(sql, record)


def find_undoable(sql: sqlite3.Connection, project: Project | None = None) -> tuple[Receipt, Record] | None:
    """The decision that ``undo`` would take back, and its candidate as it is now; None where there is none left."""
    place, values = candidates.in_project(project)
    undone = {receipt.detail["undoes"] for receipt in select_receipts(sql, "what = 'undone'")}
    for receipt in reversed(
        select_receipts(sql, f"what IN ('accepted', 'dismissed', 'approved') AND {place}", *values)
    ):
        found = candidates.select_records(sql, "project = ? AND id = ?", receipt.project, receipt.candidate)
        if receipt.n not in undone and found:
            return receipt, found[0]
    return None


class Before(NamedTuple):
    """What a candidate was before a decision."""

    state: State
    settled_at: int | None
    detail: str


def state_before(receipt: Receipt) -> Before:
    """What the candidate of an acceptance or a dismissal was before it."""
    was = cast("dict[str, object]", receipt.detail["was"])
    return Before(cast("State", was["state"]), cast("int | None", was["settledAt"]), cast("str", was["detail"]))


def rearm(sql: sqlite3.Connection, session: str, at: int) -> None:
    """Take an open offer back that nobody saw: its candidates can be offered again, also to the same session."""
    for record in candidates.select_records(sql, "offered_to = ? AND state = 'pending'", session):
        candidates.clear_offer(sql, record)
        add_receipt(sql, at, "rearmed", record, session)
    delete_offer(sql, session)


# -- what the decisions say ------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """One decision that counts, with the tier in which the candidate was told."""

    project: str
    candidate: str
    tier: str
    what: Decided


def list_decisions(sql: sqlite3.Connection, project: Project | None = None) -> tuple[list[Decision], int]:
    """The decisions that count about candidates with a probability, in their order, and how many others there are."""
    place, values = candidates.in_project(project)
    every = select_receipts(sql, f"what IN ('accepted', 'dismissed', 'ignored', 'undone') AND {place}", *values)
    undone = {receipt.detail.get("undoes") for receipt in every if receipt.what == "undone"}
    last: dict[tuple[str, str], Receipt] = {}
    for receipt in every:
        if receipt.what != "undone" and receipt.n not in undone:
            last[receipt.project, receipt.candidate] = receipt
    scored = [receipt for receipt in last.values() if "probability" in receipt.detail]
    return [_decision(receipt) for receipt in sorted(scored, key=lambda each: each.n)], len(last) - len(scored)


def read_taste(sql: sqlite3.Connection, project: Project) -> Taste:
    """What the decisions of a project say of its user."""
    made, _ = list_decisions(sql, project)
    return learned((each.what for each in made), group_features()) if made else NOBODYS


def group_features() -> dict[str, str]:
    """The group of each feature, by its name."""
    from mind_skills.detectors.features import FEATURES

    return {feature.name: feature.group for feature in FEATURES}


def _scorer_fields(candidate: Candidate) -> dict[str, object]:
    """What a receipt says of the candidate that was decided about; nothing where no scorer saw it, or that of rules did."""
    if not candidate.probability or candidate.kind == RULE:
        return {}
    return {
        "tier": candidate.confidence,
        "probability": candidate.probability,
        "deciding": [list(pair) for pair in candidate.deciding],
    }


def _decision(receipt: Receipt) -> Decision:
    fields = receipt.detail
    deciding = tuple((name, float(added)) for name, added in cast("list[tuple[str, float]]", fields["deciding"]))
    weight = IGNORED if receipt.what == "ignored" else 1.0
    what = Decided(cast("float", fields["probability"]), deciding, receipt.what == "accepted", weight)
    return Decision(receipt.project, receipt.candidate, cast("str", fields["tier"]), what)


class Step(NamedTuple):
    """One decision: how many of its project were made before it, and the tier by the scorer alone and after the update."""

    before: int
    kept: bool
    alone: str | None
    updated: str | None


def judge_in_order(decisions: Sequence[Decided], groups: Mapping[str, str], tiers: Tiers) -> list[Step]:
    """The decisions of one project, each judged by those before it."""
    found: list[Step] = []
    taste, seen = NOBODYS, 0
    for before, each in enumerate(decisions):
        if before >= seen * (1 + _RELEARNED_AFTER) and before:
            taste, seen = learned(decisions[:before], groups), before
        now = taste.probability(each.probability, each.deciding)
        found.append(Step(before, each.kept, tiers(each.probability), tiers(now)))
    return found
