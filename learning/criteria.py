"""Criteria: what a criterion is worth by the feedback about it. The documents' `FeedbackEvent` and `CriterionWeight`.

weight = helpful / (helpful + harmful), each a sum of decayed values, never below a tenth; deprecated from three events on
where more than 30 % of them are harmful.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.learning.scoring import DEFAULTS, FeedbackType, LearningConfig, OutcomeSignals, ScoredOutcome
from mind_skills.learning.statistics import HALF_LIFE_DAYS, believable, decay

FLOOR = 0.1
"""A weight below it would hide for ever what may come back."""
NEUTRAL = 1.0
"""The weight of what nothing is known of."""


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """One judgement. ``at`` is UTC milliseconds, None where its time could not be read; ``raw_value`` is 0.0 to 1.0."""

    id: str
    criterion: str
    type: FeedbackType
    at: int | None
    raw_value: float = 1.0
    context: str = ""
    task_id: str = ""
    """The documents' `bead_id`."""
    timestamp: str = ""
    """The time as it was given, where it came as text: the original compares those texts."""


@dataclass(frozen=True, slots=True)
class CriterionWeight:
    """What feedback makes of one criterion. ``last_validated`` is UTC milliseconds, of the last helpful event."""

    criterion: str
    weight: float = NEUTRAL
    helpful_count: int = 0
    harmful_count: int = 0
    last_validated: int | None = None
    half_life_days: float = HALF_LIFE_DAYS
    last_validated_text: str = ""
    """The same as it was given, where it came as text."""
    helpful_left: float = 0.0
    harmful_left: float = 0.0
    """What is left of the values of its events."""


@dataclass(frozen=True, slots=True)
class Weighted:
    """A value of a criterion before and after its weight."""

    raw: float
    weighted: float
    weight: float


def criterion_weight(
    events: Sequence[FeedbackEvent], config: LearningConfig = DEFAULTS, *, now: int, profile: Profile = DEFAULT
) -> CriterionWeight:
    """The weight of the criterion that ``events`` are about (the caller filters) at ``now`` (UTC milliseconds).

    Neutral events count nowhere. 1.0 where nothing speaks for or against it, and by default also below
    ``min_feedback_for_adjustment`` events.
    """
    events = [event for event in events if believable(event.at, now, profile)]
    if not events:
        return CriterionWeight("unknown", half_life_days=config.half_life_days)
    helpful = [event for event in events if event.type == "helpful"]
    harmful = [event for event in events if event.type == "harmful"]
    good, bad = _sum(helpful, now, config), _sum(harmful, now, config)
    weight = max(FLOOR, good / (good + bad)) if good + bad > 0 else NEUTRAL
    if profile.few_are_neutral and len(helpful) + len(harmful) < config.min_feedback_for_adjustment:
        weight = NEUTRAL
    last = max(helpful, key=lambda event: event.at or 0, default=None)
    if not profile.drop_invalid:  # the original compares the texts of times
        last = max(helpful, key=lambda event: event.timestamp, default=None)
    return CriterionWeight(
        events[0].criterion,
        weight,
        len(helpful),
        len(harmful),
        last.at if last else None,
        config.half_life_days,
        last.timestamp if last else "",
        good,
        bad,
    )


def should_deprecate(weight: CriterionWeight, config: LearningConfig = DEFAULTS) -> bool:
    """Whether more than ``max_harmful_ratio`` of at least ``min_feedback_for_adjustment`` events were harmful.

    Never without any event, even where the minimum is 0. Source: the documents' "When Criteria Get Deprecated", whose code
    divides by the number of events; 0/0 is NaN there, which is above no ratio.
    """
    total = weight.helpful_count + weight.harmful_count
    if total < config.min_feedback_for_adjustment:
        return False
    return total > 0 and weight.harmful_count / total > config.max_harmful_ratio


def apply_weights(criteria: Mapping[str, float], weights: Mapping[str, CriterionWeight]) -> dict[str, Weighted]:
    """Each value times the weight of its criterion, 1.0 where that is not known."""
    known = {name: weights[name].weight if name in weights else NEUTRAL for name in criteria}
    return {name: Weighted(raw, raw * known[name], known[name]) for name, raw in criteria.items()}


def _sum(events: Sequence[FeedbackEvent], now: int, config: LearningConfig) -> float:
    return sum((event.raw_value * decay(event.at, now, config.half_life_days) for event in events), 0.0)


def outcome_to_feedback(
    signals: OutcomeSignals, outcome: ScoredOutcome, criterion: str, *, event_id: str, profile: Profile = DEFAULT
) -> FeedbackEvent:
    """A scored outcome as feedback about one criterion.

    By default its value is how much the verdict is worth on the day itself: a success by its score, a failure by what
    its score lacks. The original takes the decayed score for both, so that the worst failure weighs least.
    """
    value = outcome.decayed_value
    if profile.fair_failures:
        value = 1.0 - outcome.raw if outcome.type == "harmful" else outcome.raw
    return FeedbackEvent(event_id, criterion, outcome.type, signals.at, value, outcome.reasoning, signals.task_id)
