"""Feedback: one judgement about one criterion, at one time. The documents' `FeedbackEvent`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mind_skills.learning.decay import DAY_MS
from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.learning.scoring import FeedbackType, OutcomeSignals, ScoredOutcome

AHEAD_MS = DAY_MS
"""How far ahead of the clock a time may lie (D7): clocks of two machines differ, but never decaying is no difference."""


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


def believable(at: int | None, now: int, profile: Profile = DEFAULT) -> bool:
    """Whether an event of that time may count at ``now`` (both UTC milliseconds). The original lets everything count."""
    return not profile.drop_invalid or (at is not None and at <= now + AHEAD_MS)


def counted(events: Iterable[FeedbackEvent], now: int, profile: Profile = DEFAULT) -> list[FeedbackEvent]:
    """The events that may count at ``now``."""
    return [event for event in events if believable(event.at, now, profile)]
