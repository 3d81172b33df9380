"""Whether a score has fallen: the newest against the mean of those before it.

The documents say nothing of it; the source of both rules and their numbers is the original code (`eval-learning.ts`).
"""

from __future__ import annotations

from collections.abc import Sequence

SIGNIFICANT = 0.15
"""A drop by this share of the baseline says more than chance."""
RECENT = 5
"""So many scores make the baseline; the original's `windowSize`."""


def rolling_average(scores: Sequence[float]) -> float:
    """The mean of the last five of ``scores`` (the oldest first), or of all where there are fewer; 0.0 of nothing."""
    recent = scores[-RECENT:]
    return sum(recent) / len(recent) if recent else 0.0


def is_significant_drop(current: float, baseline: float, threshold: float = SIGNIFICANT) -> bool:
    """Whether a score lies below its baseline by that share of it or more. Below nothing there is no drop."""
    return baseline != 0 and (baseline - current) / baseline >= threshold
