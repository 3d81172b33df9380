"""Decay, outcomes and the weights of criteria."""

from __future__ import annotations

from mind_skills.learning import criteria
from mind_skills.learning.profiles import Profile
from mind_skills.learning.scoring import LearningConfig, OutcomeSignals, ScoredOutcome, score_implicit_feedback
from mind_skills.learning.statistics import HALF_LIFE_DAYS, compute_decay
from tests.learning.vectors.shape import Function, Given, iso, now_of, stamp, without_nothing


def learning_config(given: Given) -> LearningConfig:
    """Convert the vector's settings, with defaults."""
    config: Given | None = given.get("config")
    if config is None:
        return LearningConfig()
    return LearningConfig(
        half_life_days=config["halfLifeDays"],
        min_feedback_for_adjustment=config["minFeedbackForAdjustment"],
        max_harmful_ratio=config["maxHarmfulRatio"],
        fast_completion_ms=config["fastCompletionThresholdMs"],
        slow_completion_ms=config["slowCompletionThresholdMs"],
        max_errors_neutral=config["maxErrorsForHelpful"],
    )


def signals_of(given: Given) -> OutcomeSignals:
    return OutcomeSignals(
        task_id=given["bead_id"],
        duration_ms=given["duration_ms"],
        error_count=given["error_count"],
        retry_count=given["retry_count"],
        success=given["success"],
        at=stamp(given["timestamp"]),
        files_touched=tuple(given["files_touched"]),
    )


def scored(given: Given) -> ScoredOutcome:
    return score_implicit_feedback(signals_of(given["signals"]), learning_config(given), now=now_of(given))


def decayed_value(given: Given, profile: Profile) -> object:
    return compute_decay(stamp(given["timestamp"]), now_of(given), given.get("halfLifeDays", HALF_LIFE_DAYS))


def implicit_feedback(given: Given, profile: Profile) -> object:
    outcome = scored(given)
    return {"type": outcome.type, "decayed_value": outcome.decayed_value, "reasoning": outcome.reasoning}


def score_outcome(given: Given, profile: Profile) -> object:
    outcome = scored(given)
    return {"type": outcome.type, "score": outcome.decayed_value, "reasoning": outcome.reasoning}


def outcome_to_feedback(given: Given, profile: Profile) -> object:
    original: Given = given["outcome"]
    now = now_of(given)
    signals = signals_of(original["signals"])
    raw = score_implicit_feedback(signals, now=now).raw
    outcome = ScoredOutcome(original["type"], raw, original["decayed_value"], original["reasoning"])
    event_id = f"{signals.task_id}-{given['criterion']}-{now}"
    event = criteria.convert_outcome_to_feedback(
        signals, outcome, given["criterion"], event_id=event_id, profile=profile
    )
    return {
        "id": event.id,
        "criterion": event.criterion,
        "type": event.type,
        "timestamp": iso(event.at) if event.at is not None else None,
        "context": event.context,
        "bead_id": event.task_id,
        "raw_value": event.raw_value,
    }


def criterion_weight(given: Given, profile: Profile) -> object:
    events = [
        criteria.FeedbackEvent(
            id=each["id"],
            criterion=each["criterion"],
            type=each["type"],
            at=stamp(each["timestamp"]),
            raw_value=each["raw_value"],
            timestamp=each["timestamp"],
        )
        for each in given["events"]
    ]
    return weight_out(
        criteria.compute_criterion_weight(events, learning_config(given), now=now_of(given), profile=profile)
    )


def weight_out(weight: criteria.CriterionWeight) -> Given:
    return without_nothing(
        {
            "criterion": weight.criterion,
            "weight": weight.weight,
            "helpful_count": weight.helpful_count,
            "harmful_count": weight.harmful_count,
            "last_validated": weight.last_validated_text or None,
            "half_life_days": weight.half_life_days,
        }
    )


def weight_in(given: Given) -> criteria.CriterionWeight:
    return criteria.CriterionWeight(given["criterion"], given["weight"], given["helpful_count"], given["harmful_count"])


def should_deprecate(given: Given, profile: Profile) -> object:
    return criteria.should_deprecate(weight_in(given["weight"]), learning_config(given))


def apply_weights(given: Given, profile: Profile) -> object:
    found = criteria.apply_weights(
        given["criteria"], {name: weight_in(weight) for name, weight in given["weights"].items()}
    )
    return {name: {"raw": w.raw, "weighted": w.weighted, "weight": w.weight} for name, w in found.items()}


FUNCTIONS: dict[str, Function] = {
    "applyWeights": apply_weights,
    "calculateCriterionWeight": criterion_weight,
    "calculateDecayedValue": decayed_value,
    "outcomeToFeedback": outcome_to_feedback,
    "scoreImplicitFeedback": implicit_feedback,
    "scoreOutcome": score_outcome,
    "shouldDeprecateCriterion": should_deprecate,
}
