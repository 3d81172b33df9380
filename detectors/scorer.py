"""From features to a probability and a tier, by the weights of weights.json.

The file is written by `mind-skills fit` and read once: {"weights": {name: [weight, mean, deviation]}, "intercept": number,
"calibration": [slope, offset], "tiers": {"high": p, "medium": p, "waiting": p}, "fitted": {...}}. The log odds are the
intercept and each weight times how many deviations its feature lies above the mean; the calibration turns them into those
of the share of candidates with such odds that were right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Literal, NamedTuple

from mind_skills.detectors.model import Episode

Tier = Literal["high", "medium", "waiting"]
Deciding = tuple[tuple[str, float], ...]
MOST_DECIDING = 6
_TIERS: tuple[Tier, ...] = ("high", "medium", "waiting")


class Scored(NamedTuple):
    """An episode with its probability, 0 to 1."""

    episode: Episode
    probability: float


class Model(NamedTuple):
    """Weights as they stand in the file."""

    weights: dict[str, tuple[float, float, float]]
    """Weight, mean and deviation by feature; a feature that is not named counts nothing."""
    intercept: float
    calibration: tuple[float, float]
    tiers: dict[Tier, float]
    """The least probability of each."""

    def odds(self, features: Mapping[str, float]) -> float:
        """The log odds before calibration."""
        return self.intercept + sum(
            weight * (features[name] - mean) / deviation for name, (weight, mean, deviation) in self.weights.items()
        )

    def probability(self, features: Mapping[str, float]) -> float:
        """The calibrated probability."""
        slope, offset = self.calibration
        return 1 / (1 + exp(-max(-30.0, min(30.0, slope * self.odds(features) + offset))))

    def deciding(self, features: Mapping[str, float]) -> Deciding:
        """What moved the log odds most from those of an average episode: name and signed contribution, largest first."""
        parts = [
            (name, round(self.calibration[0] * weight * (features[name] - mean) / deviation, 3))
            for name, (weight, mean, deviation) in self.weights.items()
        ]
        return tuple(
            sorted((part for part in parts if part[1]), key=lambda part: (-abs(part[1]), part[0]))[:MOST_DECIDING]
        )


def parse(text: str) -> Model:
    """The model in the text of a weights file.

    Raises:
        ValueError: it is no such file.
    """
    try:
        held = json.loads(text)
        weights = {str(name): (float(row[0]), float(row[1]), float(row[2])) for name, row in held["weights"].items()}
        slope, offset = held["calibration"]
        tiers: dict[Tier, float] = {name: float(held["tiers"][name]) for name in _TIERS}
        return Model(weights, float(held["intercept"]), (float(slope), float(offset)), tiers)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"not a file of weights: {error!r}") from error


@lru_cache(1)
def shipped() -> Model:
    """The weights that the package brings."""
    return parse((Path(__file__).parent / "weights.json").read_text("utf-8"))


def tier(value: float, model: Model | None = None) -> Tier | None:
    """The tier that a probability reaches; None below all of them."""
    tiers = (model or shipped()).tiers
    return next((name for name in _TIERS if value >= tiers[name]), None)
