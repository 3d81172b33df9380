"""Whether a score has fallen: the newest against the mean of those before it."""

from __future__ import annotations

from collections.abc import Sequence

SIGNIFICANT = 0.15
"""A drop by this share of the baseline says more than chance."""


def rolling_average(scores: Sequence[float]) -> float:
    """The mean, 0.0 of nothing."""
    return sum(scores) / len(scores) if scores else 0.0


def is_significant_drop(current: float, baseline: float, threshold: float = SIGNIFICANT) -> bool:
    """Whether a score lies below its baseline by that share of it or more. Below nothing there is no drop."""
    return baseline != 0 and (baseline - current) / baseline >= threshold
