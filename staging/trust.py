"""Weigh recalled learnings by the use of their skills, and detectors by the decisions on their candidates. A learning's
weight is the maturity of its skill (1.5, 1.0, .5 or 0: learning/skills/standing.py) times a decay, at least .1,
since its acceptance or last helpful load. A detector's is from decisions in all projects; an agent's dismissal
counts only in its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mind_skills.learning.criteria import MIN_WEIGHT, CriterionWeight, FeedbackEvent, compute_criterion_weight
from mind_skills.learning.statistics import compute_decay, is_plausible_time
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.archived import list_archive_rows
from mind_skills.staging.tables.candidates import list_acceptances
from mind_skills.staging.tables.sessions import list_loads, list_outcomes
from mind_skills.store.light_dataclasses import replace

if TYPE_CHECKING:
    from mind_skills.learning.maturity import MaturityConfig
    from mind_skills.learning.scoring import FeedbackType, LearningConfig
    from mind_skills.learning.skills.standing import SkillStanding

Trust = Callable[[str, str], float]
"""Maps (project id, candidate id) to the weight of its learning, 0.0 to 1.5; 1.0 if the candidate was not accepted."""
UNKNOWN_WEIGHT = 1.0


def read_trust(sql: sqlite3.Connection, now: int, config: MaturityConfig) -> Trust:
    """Return a function that looks up the weights of all accepted learnings, as computed for ``now`` (UTC milliseconds)."""
    # Imported here: the weights of detectors do not need it.
    from mind_skills.learning.skills.standing import (
        OutcomeTotals,
        SkillLoad,
        compute_rank_multiplier,
        compute_standing,
        sum_outcomes,
    )

    archived = {(each.project, each.candidate) for each in list_archive_rows(sql) if each.is_archived}
    loads: dict[tuple[str, str], list[SkillLoad]] = {}
    for project, fingerprint, session, at, outcome in list_loads(sql):
        loads.setdefault((project, fingerprint), []).append(SkillLoad(fingerprint, session, at, outcome))
    outcomes: dict[str, dict[str, SkillLoad]] = {}
    for each in list_outcomes(sql):
        outcomes.setdefault(each.project, {})[each.session] = SkillLoad("", each.session, each.at, each.type)
    totals = {project: sum_outcomes(sessions.values(), config, now=now) for project, sessions in outcomes.items()}
    weights: dict[tuple[str, str], float] = {}
    for project, id_, fingerprint, accepted in list_acceptances(sql):
        standing = compute_standing(fingerprint, loads.get((project, fingerprint), []), config=config, now=now)
        sessions = outcomes.get(project, {})
        ended_loads = (sessions[load.session] for load in standing.loads if load.session in sessions)
        others = totals.get(project, OutcomeTotals()).subtract(sum_outcomes(ended_loads, config, now=now))
        multiplier = compute_rank_multiplier(standing, others, config)
        remaining = compute_decay(_find_last_confirmation(standing, accepted, now), now, config.half_life_days)
        weights[project, id_] = 0.0 if (project, id_) in archived else multiplier * max(MIN_WEIGHT, remaining)
    return lambda project, id_: weights.get((project, id_), UNKNOWN_WEIGHT)


def _find_last_confirmation(standing: SkillStanding, accepted: int | None, now: int) -> int:
    times = [accepted or 0, *(vote.at for vote in standing.votes if vote.type == "helpful" and vote.at is not None)]
    return max((at for at in times if is_plausible_time(at, now)), default=0)


_DECISIONS_QUERY = (
    "SELECT project, id, state, settled_at, json_extract(body, '$.kind') FROM candidates"
    " LEFT JOIN (SELECT project AS place, candidate, session, max(n) FROM receipts WHERE what = 'dismissed' GROUP BY 1, 2)"
    " ON place = project AND candidate = id"
    " WHERE state IN ('accepted', 'dismissed') AND settled_at IS NOT NULL"
    " AND (state = 'accepted' OR project = ? OR session = '') ORDER BY settled_at, project, id"
)
"""Decisions that count in a project. The receipt of a person's dismissal names no session."""


def weigh_detectors(
    sql: sqlite3.Connection, now: int, config: LearningConfig, project_id: str
) -> dict[str, CriterionWeight]:
    """Return the weight in a project of each detector whose candidates have decisions, by kind; ``now`` is UTC milliseconds."""
    events = list_events(sql, project_id)
    return {
        kind: replace(compute_criterion_weight(detector_events, config, now=now), criterion=kind)
        for kind, detector_events in sorted(events.items())
    }


def list_events(sql: sqlite3.Connection, project_id: str) -> dict[str, list[FeedbackEvent]]:
    """List the decisions that count in a project by detector, oldest first; an event names its candidate as ``project/id``."""
    events: dict[str, list[FeedbackEvent]] = {}
    for project, id_, state, at, kind in sql.execute(_DECISIONS_QUERY, (project_id,)).fetchall():
        feedback: FeedbackType = "helpful" if state == "accepted" else "harmful"
        events.setdefault(kind, []).append(FeedbackEvent(f"{project}/{id_}", kind, feedback, at))
    return events


def weigh_candidate(candidate: Candidate, weights: Mapping[str, CriterionWeight]) -> Candidate:
    """Return the candidate with its score multiplied by its detector's weight, stored as ``criterion``; an earlier
    change is reverted.
    """
    parts = dict(candidate.parts)
    if previous := parts.pop("criterion", 0.0):
        candidate = replace(candidate, score=round(candidate.score - previous, 3), parts=parts)
    weight = weights.get(candidate.kind)
    factor = 1.0 if weight is None else weight.weight
    if factor == 1.0:
        return candidate
    change = round(candidate.score * (factor - 1.0), 3)
    score = round(candidate.score + change, 3)
    return replace(candidate, score=score, parts={**candidate.parts, "criterion": change})
