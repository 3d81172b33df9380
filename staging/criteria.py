"""Criteria: how much each detector's candidates are worth, by what became of those that were decided.

One judgement a candidate, by a person or by the skill that came of it: accepted speaks for its detector, dismissed
against it; ignored says nothing. All projects of this machine count together, since few candidates are ever decided.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from mind_skills.learning.criteria import CriterionWeight, FeedbackEvent, criterion_weight
from mind_skills.learning.scoring import DEFAULTS, FeedbackType, LearningConfig
from mind_skills.staging.model import Candidate

_DECIDED = (
    "SELECT project, id, state, settled_at, json_extract(body, '$.kind') FROM candidates"
    " WHERE state IN ('accepted', 'dismissed') AND settled_at IS NOT NULL ORDER BY settled_at, project, id"
)


def weights(sql: sqlite3.Connection, now: int, config: LearningConfig = DEFAULTS) -> dict[str, CriterionWeight]:
    """The weight of each detector that anything was decided about, by its name; ``now`` is UTC milliseconds."""
    found = events(sql)
    return {kind: replace(criterion_weight(of, config, now=now), criterion=kind) for kind, of in sorted(found.items())}


def events(sql: sqlite3.Connection) -> dict[str, list[FeedbackEvent]]:
    """What was decided, by detector, the oldest first. Each event names its candidate as ``project/id``."""
    found: dict[str, list[FeedbackEvent]] = {}
    for project, id_, state, at, kind in sql.execute(_DECIDED).fetchall():
        said: FeedbackType = "helpful" if state == "accepted" else "harmful"
        found.setdefault(kind, []).append(FeedbackEvent(f"{project}/{id_}", kind, said, at))
    return found


def weighed(candidate: Candidate, known: Mapping[str, CriterionWeight]) -> Candidate:
    """The candidate with its rank times the weight of its detector.

    What the weight takes stands in the parts as ``criterion``; what an earlier one took is given back first, since a
    checkpoint that reads on from a mark brings what it staged before.
    """
    parts = dict(candidate.parts)
    if before := parts.pop("criterion", 0.0):
        candidate = replace(candidate, score=round(candidate.score - before, 3), parts=parts)
    weight = known.get(candidate.kind)
    worth = 1.0 if weight is None else weight.weight
    if worth == 1.0:
        return candidate
    taken = round(candidate.score * (worth - 1.0), 3)
    score = round(candidate.score + taken, 3)
    return replace(candidate, score=score, parts={**candidate.parts, "criterion": taken})
