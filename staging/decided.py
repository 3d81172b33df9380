"""What the user decided about candidates, as the receipts have it, and the taste that it speaks for.

Each decision is put down with what the scorer said of the candidate at that time (staging/verdicts.py), so that it counts
the same whatever is seen later. Of several about one candidate the last counts that was not taken back. What a version
before probabilities put down says nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from mind_skills.learning.taste import IGNORED, NOBODYS, Decided, Taste, learned
from mind_skills.staging import records
from mind_skills.staging.model import RULE, Candidate
from mind_skills.staging.records import Receipt

ANEW = 0.05
"""The taste is learned anew whenever the decisions before have grown by this part: after each of the first twenty, so that
a thousand cost no more than a few hundred."""
Tiers = Callable[[float], str | None]


class Decision(NamedTuple):
    """One decision that counts, with the tier in which the candidate was told."""

    project: str
    candidate: str
    tier: str
    what: Decided


def put_down(candidate: Candidate) -> dict[str, object]:
    """What a receipt says of the candidate that was decided about; nothing where no scorer saw it, or that of rules did."""
    if not candidate.probability or candidate.kind == RULE:
        return {}
    return {
        "tier": candidate.confidence,
        "probability": candidate.probability,
        "deciding": [list(pair) for pair in candidate.deciding],
    }


def decisions(sql: sqlite3.Connection, project: str | None = None) -> list[Decision]:
    """The decisions that count and say something, in the order in which they were made; of one project, or of all."""
    return [_decision(receipt) for receipt in counting(sql, project) if _says(receipt)]


def unknown(sql: sqlite3.Connection) -> int:
    """How many decisions say nothing: no scorer saw what they were about."""
    return sum(not _says(receipt) for receipt in counting(sql))


def counting(sql: sqlite3.Connection, project: str | None = None) -> list[Receipt]:
    """The receipts of the decisions that count, oldest first."""
    place, values = (" AND project = ?", (project,)) if project is not None else ("", ())
    where = f"what IN ('accepted', 'dismissed', 'ignored', 'undone'){place}"
    every = records.receipts(sql, where, values)
    undone = {receipt.detail.get("undoes") for receipt in every if receipt.what == "undone"}
    last: dict[tuple[str, str], Receipt] = {}
    for receipt in every:
        if receipt.what in ("accepted", "dismissed", "ignored") and receipt.n not in undone:
            last[receipt.project, receipt.candidate] = receipt
    return sorted(last.values(), key=lambda receipt: receipt.n)


def taste(sql: sqlite3.Connection, project: str) -> Taste:
    """What the decisions of a project say of its user."""
    made = decisions(sql, project)
    return learned((each.what for each in made), groups()) if made else NOBODYS


def groups() -> dict[str, str]:
    """The group of each feature, by its name."""
    from mind_skills.detectors.features import FEATURES

    return {feature.name: feature.group for feature in FEATURES}


def _says(receipt: Receipt) -> bool:
    return "probability" in receipt.detail


def _decision(receipt: Receipt) -> Decision:
    told = receipt.detail
    deciding = tuple((name, float(added)) for name, added in cast("list[tuple[str, float]]", told["deciding"]))
    weight = IGNORED if receipt.what == "ignored" else 1.0
    what = Decided(cast("float", told["probability"]), deciding, receipt.what == "accepted", weight)
    return Decision(receipt.project, receipt.candidate, cast("str", told["tier"]), what)


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
        if before >= seen * (1 + ANEW) and before:
            taste, seen = learned(decisions[:before], groups), before
        now = taste.probability(each.probability, each.deciding)
        found.append(Step(before, each.kept, tiers(each.probability), tiers(now)))
    return found
