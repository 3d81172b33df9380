"""Probability of an episode, computed from its features with the weights of weights.json.

`fit` (research/evaluation/) writes the file: {"weights": {name: [weight, mean, deviation]}, "intercept": number, "calibration":
[slope, offset], ...}. The raw log odds are the intercept plus weight x
(value - mean) / deviation of each feature; the calibration maps them to log odds that match the observed share of learnings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from mind_skills.detectors.model import Episode

Deciding = tuple[tuple[str, float], ...]
MAX_DECIDING = 6


class Scored(NamedTuple):
    """An episode with its probability, 0 to 1."""

    episode: Episode
    probability: float


class Model(NamedTuple):
    """The content of a weights file."""

    weights: dict[str, tuple[float, float, float]]
    """Weight, mean and standard deviation by feature name. Features without a weight are ignored."""
    intercept: float
    calibration: tuple[float, float]

    def compute_log_odds(self, features: Mapping[str, float]) -> float:
        """Return the log odds before calibration."""
        return self.intercept + sum(
            weight * (features[name] - mean) / deviation for name, (weight, mean, deviation) in self.weights.items()
        )

    def compute_probability(self, features: Mapping[str, float]) -> float:
        slope, offset = self.calibration
        return 1 / (1 + exp(-max(-30.0, min(30.0, slope * self.compute_log_odds(features) + offset))))

    def list_deciding_features(self, features: Mapping[str, float]) -> Deciding:
        """Return the features, at most six, that moved the log odds most in comparison with average values.

        Each is paired with its signed contribution; the largest absolute values come first.
        """
        parts = [
            (name, round(self.calibration[0] * weight * (features[name] - mean) / deviation, 3))
            for name, (weight, mean, deviation) in self.weights.items()
        ]
        return tuple(
            sorted((part for part in parts if part[1]), key=lambda part: (-abs(part[1]), part[0]))[:MAX_DECIDING]
        )


def parse_weights(text: str) -> Model:
    """Parse the text of a weights file.

    Raises:
        ValueError: the text is not a weights file.
    """
    try:
        document = json.loads(text)
        weights = {
            str(name): (float(row[0]), float(row[1]), float(row[2])) for name, row in document["weights"].items()
        }
        slope, offset = document["calibration"]
        return Model(weights, float(document["intercept"]), (float(slope), float(offset)))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"not a weights file: {error!r}") from error


@lru_cache(1)
def load_shipped_model() -> Model:
    """Load the weights shipped with the package."""
    return parse_weights((Path(__file__).parent / "weights.json").read_text("utf-8"))
