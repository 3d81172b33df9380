"""Decay of votes (``0.5 ** (age_days / half_life_days)``), and Wilson's (1927) 95 % interval, which holds for a handful
of sessions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from mind_skills.learning.profiles import DEFAULT, Profile

DAY_MS = 86_400_000
HALF_LIFE_DAYS = 90.0
MAX_CLOCK_SKEW_MS = DAY_MS
"""How far in the future a time may be (D7): the clocks of two machines are assumed to differ by less than a day."""


def compute_decay(at: int | None, now: int, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """Return the weight at ``now`` of an event at ``at`` (UTC ms), 1.0 when new or in the future; NaN if ``at`` is
    None. A half-life of 0 is a day.
    """
    if at is None:
        return math.nan
    age_days = max(0, now - at) / DAY_MS
    half_life = half_life_days if half_life_days > 0 else 1.0
    return float(0.5 ** (age_days / half_life))


def is_plausible_time(at: int | None, now: int, profile: Profile = DEFAULT) -> bool:
    """Return whether an event at ``at`` counts at ``now`` (both UTC ms); in the original profile every event counts."""
    return not profile.drops_invalid_times or (at is not None and at <= now + MAX_CLOCK_SKEW_MS)


Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution, for 95 % intervals."""


def compute_wilson_interval(hits: float, trials: float) -> tuple[float, float]:
    """Return the bounds of the interval for the share of ``hits`` in ``trials``; 0.0 and 1.0 without trials."""
    if trials <= 0:
        return 0.0, 1.0
    share = min(1.0, max(0.0, hits / trials))
    # Numerator and denominator are multiplied by ``trials``: it can be as small as 1e-163, whose square is 0.
    middle = share * trials + Z_95 * Z_95 / 2
    spread = Z_95 * math.sqrt(share * (1 - share) * trials + Z_95 * Z_95 / 4)
    scale = trials + Z_95 * Z_95
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def compute_effective_size(weights: Iterable[float]) -> float:
    """Return the effective number of votes (Kish 1965). Their sum is too small: an old vote represents a whole session."""
    values = list(weights)
    squares = sum(weight * weight for weight in values)
    return sum(values) ** 2 / squares if squares > 0 else 0.0


def compute_newcombe_interval(
    hits: float, trials: float, other_hits: float, other_trials: float
) -> tuple[float, float]:
    """Return the bounds of the first share minus the second by Newcombe's tenth method (1998); -1.0 and 1.0 without trials."""
    if trials <= 0 or other_trials <= 0:
        return -1.0, 1.0
    share, other_share = hits / trials, other_hits / other_trials
    low, high = compute_wilson_interval(hits, trials)
    other_low, other_high = compute_wilson_interval(other_hits, other_trials)
    difference = share - other_share
    down = math.hypot(share - low, other_high - other_share)
    up = math.hypot(high - share, other_share - other_low)
    return max(-1.0, difference - down), min(1.0, difference + up)
