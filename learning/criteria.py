"""Weights of criteria from feedback. Implements `FeedbackEvent` and `CriterionWeight`: helpful / (helpful + harmful),
decayed, at least .1; from three events, more than 30 % harmful ones deprecate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.learning.scoring import DEFAULTS, FeedbackType, LearningConfig, OutcomeSignals, ScoredOutcome
from mind_skills.learning.statistics import HALF_LIFE_DAYS, compute_decay, is_plausible_time
from mind_skills.store.light_dataclasses import dataclass

MIN_WEIGHT = 0.1
"""Minimum weight: less would hide a criterion's candidates forever, even if the criterion became useful again."""
DEFAULT_WEIGHT = 1.0
"""Weight of a criterion without enough feedback."""


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """One feedback event. ``at`` is UTC milliseconds, or None if unreadable; ``raw_value`` is 0.0 to 1.0."""

    id: str
    criterion: str
    type: FeedbackType
    at: int | None
    raw_value: float = 1.0
    context: str = ""
    task_id: str = ""
    """`bead_id` in the specification."""
    timestamp: str = ""
    """The timestamp as it was written, if known: the original implementation compares timestamps as text."""


@dataclass(frozen=True, slots=True)
class CriterionWeight:
    """The weight of one criterion. ``last_validated`` is the time of the last helpful event (UTC ms)."""

    criterion: str
    weight: float = DEFAULT_WEIGHT
    helpful_count: int = 0
    harmful_count: int = 0
    last_validated: int | None = None
    half_life_days: float = HALF_LIFE_DAYS
    last_validated_text: str = ""
    """The timestamp of the last helpful event as it was written, if known."""
    decayed_helpful: float = 0.0
    decayed_harmful: float = 0.0
    """Decayed sums of the values of helpful events, and of harmful events."""


@dataclass(frozen=True, slots=True)
class WeightedValue:
    """A criterion's value before and after weighting."""

    raw: float
    weighted: float
    weight: float


def compute_criterion_weight(
    events: Sequence[FeedbackEvent], config: LearningConfig = DEFAULTS, *, now: int, profile: Profile = DEFAULT
) -> CriterionWeight:
    """Return the weight at ``now`` (UTC ms) from ``events`` about one criterion ("unknown" if none remains). Neutral
    events do not count, in the default profile nor those at implausible times. It is 1.0 without votes, in the
    default profile with fewer than ``min_feedback_for_adjustment``.
    """
    events = [event for event in events if is_plausible_time(event.at, now, profile)]
    if not events:
        return CriterionWeight("unknown", half_life_days=config.half_life_days)
    helpful = [event for event in events if event.type == "helpful"]
    harmful = [event for event in events if event.type == "harmful"]
    helpful_sum, harmful_sum = _sum_decayed(helpful, now, config), _sum_decayed(harmful, now, config)
    total = helpful_sum + harmful_sum
    weight = max(MIN_WEIGHT, helpful_sum / total) if total > 0 else DEFAULT_WEIGHT
    if profile.few_events_are_neutral and len(helpful) + len(harmful) < config.min_feedback_for_adjustment:
        weight = DEFAULT_WEIGHT
    last = max(helpful, key=lambda event: event.at or 0, default=None)
    if not profile.drops_invalid_times:  # the original implementation compares timestamps as text
        last = max(helpful, key=lambda event: event.timestamp, default=None)
    return CriterionWeight(
        events[0].criterion,
        weight,
        len(helpful),
        len(harmful),
        last.at if last else None,
        config.half_life_days,
        last.timestamp if last else "",
        helpful_sum,
        harmful_sum,
    )


def should_deprecate(weight: CriterionWeight, config: LearningConfig = DEFAULTS) -> bool:
    """Return whether more than ``max_harmful_ratio`` of at least ``min_feedback_for_adjustment`` events were harmful."""
    total = weight.helpful_count + weight.harmful_count
    if total < config.min_feedback_for_adjustment:
        return False
    return total > 0 and weight.harmful_count / total > config.max_harmful_ratio


def apply_weights(criteria: Mapping[str, float], weights: Mapping[str, CriterionWeight]) -> dict[str, WeightedValue]:
    """Multiply each value by its criterion's weight, or by 1.0 if the criterion has none."""
    factors = {name: weights[name].weight if name in weights else DEFAULT_WEIGHT for name in criteria}
    return {name: WeightedValue(raw, raw * factors[name], factors[name]) for name, raw in criteria.items()}


def _sum_decayed(events: Sequence[FeedbackEvent], now: int, config: LearningConfig) -> float:
    return sum((event.raw_value * compute_decay(event.at, now, config.half_life_days) for event in events), 0.0)


def convert_outcome_to_feedback(
    signals: OutcomeSignals, outcome: ScoredOutcome, criterion: str, *, event_id: str, profile: Profile = DEFAULT
) -> FeedbackEvent:
    """Convert a scored outcome to feedback. Undecayed in the default profile, and 1 minus the score if harmful; the
    original decays, so that the worst failure weighs least.
    """
    value = outcome.decayed_value
    if profile.weighs_failures_fairly:
        value = 1.0 - outcome.raw if outcome.type == "harmful" else outcome.raw
    return FeedbackEvent(event_id, criterion, outcome.type, signals.at, value, outcome.reasoning, signals.task_id)
