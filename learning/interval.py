"""How sure a share is that was seen in few cases: the interval of Wilson (1927), 95 %.

Chosen because it stays within 0 and 1 and keeps its coverage for the handfuls of sessions that a skill has; the plain
ratio of one success in one session would be certainty.
"""

from __future__ import annotations

import math

Z = 1.959963984540054
"""The standard normal quantile of 97.5 %."""


def wilson(hits: float, tries: float, z: float = Z) -> tuple[float, float]:
    """Lower and upper bound of the share of ``hits`` in ``tries``; 0.0 and 1.0 where there were none."""
    if tries <= 0:
        return 0.0, 1.0
    share = min(1.0, max(0.0, hits / tries))
    middle = share + z * z / (2 * tries)
    spread = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
