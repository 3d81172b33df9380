"""The arithmetic of votes: how they fade with age, and how sure a share is that was seen in few cases.

Half of a vote is gone after one half-life, by the documents' ``0.5 ** (age_days / half_life_days)``; the edges are those of
the reference outputs. A share has the interval of Wilson (1927), 95 %: it stays within 0 and 1 and keeps its coverage for
the handfuls of sessions that a skill has; the plain ratio of one success in one session would be certainty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

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


Z = 1.959963984540054
"""The standard normal quantile of 97.5 %."""


def wilson(hits: float, tries: float, z: float = Z) -> tuple[float, float]:
    """Lower and upper bound of the share of ``hits`` in ``tries``; 0.0 and 1.0 where there were none."""
    if tries <= 0:
        return 0.0, 1.0
    share = min(1.0, max(0.0, hits / tries))
    # The formula times ``tries``: votes fade without end, and the square of 1e-163 is 0.
    middle = share * tries + z * z / 2
    spread = z * math.sqrt(share * (1 - share) * tries + z * z / 4)
    scale = tries + z * z
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def effective(weights: Iterable[float]) -> float:
    """How many equal votes weigh as surely as these (Kish 1965): so many as there are where all weigh the same.

    Their sum would be too few: a vote that has faded to a half is still one session that was seen.
    """
    found = list(weights)
    squares = sum(weight * weight for weight in found)
    return sum(found) ** 2 / squares if squares > 0 else 0.0


def newcombe(hits: float, tries: float, other_hits: float, other_tries: float, z: float = Z) -> tuple[float, float]:
    """Lower and upper bound of the first share less the second; -1.0 and 1.0 where either has no tries.

    Newcombe's tenth method (1998), which joins the two intervals of Wilson: it stays within its bounds and keeps its
    coverage for handfuls, where the usual one (Wald's) says of 3 of 3 against 0 of 3 that the difference is certain.
    """
    if tries <= 0 or other_tries <= 0:
        return -1.0, 1.0
    one, other = hits / tries, other_hits / other_tries
    (low, high), (other_low, other_high) = wilson(hits, tries, z), wilson(other_hits, other_tries, z)
    down, up = math.hypot(one - low, other_high - other), math.hypot(high - one, other - other_low)
    return max(-1.0, one - other - down), min(1.0, one - other + up)
