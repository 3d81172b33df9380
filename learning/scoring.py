"""The documents' arithmetic: what four signals of a finished task say about it, as a number and a verdict.

score = .4 success + .2 duration + .2 errors + .2 retries; helpful from .7 up, harmful from .4 down, neutral between.
The reference outputs pin every step, the order of the additions and the wording of the reasoning included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from mind_skills.learning.statistics import HALF_LIFE_DAYS, decay

FeedbackType = Literal["helpful", "harmful", "neutral"]
OutcomeType = Literal["helpful", "neutral", "harmful", "unknown"]
"""How a session ended, as learning/outcome.py judges."""

SUCCESS_WEIGHT, DURATION_WEIGHT, ERRORS_WEIGHT, RETRIES_WEIGHT = 0.4, 0.2, 0.2, 0.2
HELPFUL_FROM, HARMFUL_UP_TO = 0.7, 0.4
GOOD, MIDDLING, BAD = 1.0, 0.6, 0.2
ONE_RETRY, MORE_RETRIES = 0.7, 0.3


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """The documents' `learning` settings and their defaults."""

    half_life_days: float = HALF_LIFE_DAYS
    min_feedback_for_adjustment: int = 3
    max_harmful_ratio: float = 0.3
    fast_completion_ms: int = 300_000
    """Five minutes: anything under it is fast."""
    slow_completion_ms: int = 1_800_000
    """Thirty minutes: anything over it is slow."""
    max_errors_neutral: int = 2
    """`maxErrorsForHelpful` in the documents, although such a count has never scored as helpful: up to so many errors
    score as middling, only none scores as good."""


@dataclass(frozen=True, slots=True)
class OutcomeSignals:
    """What was measured of one task. ``task_id`` is the documents' `bead_id`; ``at`` its `timestamp`, in UTC milliseconds."""

    task_id: str
    duration_ms: int
    error_count: int
    retry_count: int
    success: bool
    at: int | None = None
    files_touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredOutcome:
    """The verdict about one task. ``raw`` is the score on the day itself, ``decayed_value`` what is left of it."""

    type: FeedbackType
    raw: float
    decayed_value: float
    reasoning: str


DEFAULTS = LearningConfig()


def raw_score(signals: OutcomeSignals, config: LearningConfig = DEFAULTS) -> float:
    """The weighted sum of the four signals, 0.14 to 1.0. Added from left to right, so that 0.7 comes out as the documents' 0.7."""
    success = 1.0 if signals.success else 0.0
    return (
        success * SUCCESS_WEIGHT
        + duration_score(signals.duration_ms, config) * DURATION_WEIGHT
        + errors_score(signals.error_count, config) * ERRORS_WEIGHT
        + retries_score(signals.retry_count) * RETRIES_WEIGHT
    )


def duration_score(duration_ms: int, config: LearningConfig = DEFAULTS) -> float:
    """Fast 1.0, slow 0.2; exactly five and exactly thirty minutes are neither: 0.6."""
    if duration_ms < config.fast_completion_ms:
        return GOOD
    return BAD if duration_ms > config.slow_completion_ms else MIDDLING


def errors_score(count: int, config: LearningConfig = DEFAULTS) -> float:
    """None 1.0, one or two 0.6, more 0.2."""
    if count == 0:
        return GOOD
    return MIDDLING if count <= config.max_errors_neutral else BAD


def retries_score(count: int) -> float:
    """None 1.0, one 0.7, more 0.3."""
    if count == 0:
        return GOOD
    return ONE_RETRY if count == 1 else MORE_RETRIES


def type_of(raw: float) -> FeedbackType:
    """The verdict that a score stands for."""
    if raw >= HELPFUL_FROM:
        return "helpful"
    return "harmful" if raw <= HARMFUL_UP_TO else "neutral"


def score_implicit_feedback(signals: OutcomeSignals, config: LearningConfig = DEFAULTS, *, now: int) -> ScoredOutcome:
    """Judge one task at ``now`` (UTC milliseconds): the verdict rests on the raw score, only the value decays."""
    raw = raw_score(signals, config)
    kind = type_of(raw)
    return ScoredOutcome(
        type=kind,
        raw=raw,
        decayed_value=raw * decay(signals.at, now, config.half_life_days),
        reasoning=_reasoning(kind, signals),
    )


def _reasoning(kind: FeedbackType, signals: OutcomeSignals) -> str:
    """The documents' own sentence. It says Fast of whatever is helpful and Slow of whatever is harmful."""
    # Halves are rounded up, as in the reference outputs; round() would send them to the even neighbour.
    seconds = math.floor(signals.duration_ms / 1000 + 0.5)
    counts = f"{signals.error_count} errors, {signals.retry_count} retries"
    if kind == "neutral":
        return f"Mixed signals: {seconds}s, {counts}"
    pace = "Fast" if kind == "helpful" else "Slow"
    return f"{pace} completion ({seconds}s), {counts}, {'succeeded' if signals.success else 'failed'}"
