"""The specification's formula: .4 success + .2 duration + .2 errors + .2 retries; .7 or more is helpful, .4 or less harmful."""

from __future__ import annotations

import math
from typing import Literal

from mind_skills.learning.statistics import HALF_LIFE_DAYS, compute_decay
from mind_skills.store.light_dataclasses import dataclass

FeedbackType = Literal["helpful", "harmful", "neutral"]
OutcomeType = Literal["helpful", "neutral", "harmful", "unknown"]
"""The outcome of a session, as judged by learning/outcome.py."""

SUCCESS_WEIGHT, DURATION_WEIGHT, ERRORS_WEIGHT, RETRIES_WEIGHT = 0.4, 0.2, 0.2, 0.2
MIN_HELPFUL_SCORE, MAX_HARMFUL_SCORE = 0.7, 0.4
BEST_SCORE, MIDDLE_SCORE, WORST_SCORE = 1.0, 0.6, 0.2
ONE_RETRY_SCORE, MORE_RETRIES_SCORE = 0.7, 0.3


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """The `learning` settings of the specification, with its defaults."""

    half_life_days: float = HALF_LIFE_DAYS
    min_feedback_for_adjustment: int = 3
    max_harmful_ratio: float = 0.3
    fast_completion_ms: int = 300_000
    """Five minutes: a shorter task is fast."""
    slow_completion_ms: int = 1_800_000
    """Thirty minutes: a longer task is slow."""
    max_errors_neutral: int = 2
    """Up to this many errors score 0.6, none 1.0. The specification calls it `maxErrorsForHelpful`."""


@dataclass(frozen=True, slots=True)
class OutcomeSignals:
    """Measurements of one task. ``task_id`` and ``at`` (UTC ms) are `bead_id` and `timestamp` in the specification."""

    task_id: str
    duration_ms: int
    error_count: int
    retry_count: int
    success: bool
    at: int | None = None
    files_touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredOutcome:
    """The verdict on one task. ``raw`` is the score, 0.14 to 1.0; ``decayed_value`` is the score after decay."""

    type: FeedbackType
    raw: float
    decayed_value: float
    reasoning: str


DEFAULTS = LearningConfig()


def compute_raw_score(signals: OutcomeSignals, config: LearningConfig = DEFAULTS) -> float:
    """Return the weighted sum of the signals, 0.14 to 1.0. The order of the additions makes rounding match the original."""
    success = 1.0 if signals.success else 0.0
    return (
        success * SUCCESS_WEIGHT
        + score_duration(signals.duration_ms, config) * DURATION_WEIGHT
        + score_errors(signals.error_count, config) * ERRORS_WEIGHT
        + score_retries(signals.retry_count) * RETRIES_WEIGHT
    )


def score_duration(duration_ms: int, config: LearningConfig = DEFAULTS) -> float:
    """Score a duration: 1.0 if fast, 0.2 if slow, otherwise 0.6. Exactly a threshold is neither fast nor slow."""
    if duration_ms < config.fast_completion_ms:
        return BEST_SCORE
    return WORST_SCORE if duration_ms > config.slow_completion_ms else MIDDLE_SCORE


def score_errors(count: int, config: LearningConfig = DEFAULTS) -> float:
    """Score the number of errors: 1.0 for none, 0.6 for up to ``max_errors_neutral``, 0.2 for more."""
    if count == 0:
        return BEST_SCORE
    return MIDDLE_SCORE if count <= config.max_errors_neutral else WORST_SCORE


def score_retries(count: int) -> float:
    """Score the number of retries: 1.0 for none, 0.7 for one, 0.3 for more."""
    if count == 0:
        return BEST_SCORE
    return ONE_RETRY_SCORE if count == 1 else MORE_RETRIES_SCORE


def classify_score(raw: float) -> FeedbackType:
    if raw >= MIN_HELPFUL_SCORE:
        return "helpful"
    return "harmful" if raw <= MAX_HARMFUL_SCORE else "neutral"


def score_implicit_feedback(
    signals: OutcomeSignals, config: LearningConfig = DEFAULTS, *, now: int, has_duration: bool = True
) -> ScoredOutcome:
    """Judge one task at ``now`` (UTC ms). The verdict follows from the score before decay. Without ``has_duration``, the
    duration is unknown, and the reasoning does not mention it.
    """
    raw = compute_raw_score(signals, config)
    verdict = classify_score(raw)
    return ScoredOutcome(
        type=verdict,
        raw=raw,
        decayed_value=raw * compute_decay(signals.at, now, config.half_life_days),
        reasoning=_describe_score(verdict, signals, has_duration=has_duration),
    )


def _describe_score(verdict: FeedbackType, signals: OutcomeSignals, *, has_duration: bool) -> str:
    """Return the specification's sentence; it calls every helpful task "Fast" and every harmful one "Slow"."""
    # Halves are rounded up, as in the reference outputs; round() would round them to the nearest even number.
    seconds = math.floor(signals.duration_ms / 1000 + 0.5)
    counts = f"{signals.error_count} errors, {signals.retry_count} retries"
    if verdict == "neutral":
        return f"Mixed signals: {f'{seconds}s, ' if has_duration else ''}{counts}"
    pace = f"{'Fast' if verdict == 'helpful' else 'Slow'} completion ({seconds}s), " if has_duration else ""
    return f"{pace}{counts}, {'succeeded' if signals.success else 'failed'}"
