"""From features to a probability and a tier, by the weights of weights.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Tier = Literal["high", "medium", "waiting"]


def probability(features: Mapping[str, float]) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The calibrated probability, and the features that decided: name and contribution, largest first, at most six."""
    return 0.0, ()


def tier(probability: float) -> Tier | None:
    """The tier that a probability reaches; None below all of them."""
    return None
