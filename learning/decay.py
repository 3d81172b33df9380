"""How judgements fade with age: half of their value is gone after one half-life.

The formula is the documents' ``0.5 ** (age_days / half_life_days)``; the edges are those of the reference outputs.
"""

from __future__ import annotations

import math

from mind_skills.learning.profiles import DEFAULT, Profile

DAY_MS = 86_400_000
HALF_LIFE_DAYS = 90.0
AHEAD_MS = DAY_MS
"""How far ahead of the clock a time may lie (D7): the clocks of two machines differ, but by less than a day."""


def decay(at: int | None, now: int, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """What is left at ``now`` of something worth 1.0 at ``at`` (both UTC milliseconds), between 0.0 and 1.0.

    A moment in the future counts as now. A half-life of nothing or less counts as one day. Where ``at`` is None the age
    is not known, and neither is what is left: the answer is NaN, so that nobody takes it for a fresh value.
    """
    if at is None:
        return math.nan
    age_days = max(0, now - at) / DAY_MS
    half_life = half_life_days if half_life_days > 0 else 1.0
    return float(0.5 ** (age_days / half_life))


def believable(at: int | None, now: int, profile: Profile = DEFAULT) -> bool:
    """Whether an event of that time may count at ``now`` (both UTC milliseconds). The original lets everything count."""
    return not profile.drop_invalid or (at is not None and at <= now + AHEAD_MS)
