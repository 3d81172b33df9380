"""Calibration: from scores to probabilities, and how reliable these are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

MAX_ITERATIONS = 50
DEFAULT_BINS = 10


class Guess(NamedTuple):
    """A score or probability of a chosen episode, and whether it was a hit."""

    value: float
    hit: bool


class Line(NamedTuple):
    """Maps a score to a probability: log odds = ``slope`` x score + ``offset``."""

    slope: float
    offset: float

    def compute_probability(self, score: float) -> float:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.slope * score + self.offset))))


def fit_platt(guesses: Sequence[Guess]) -> Line:
    """Fit Platt's line: logistic regression on the score, with targets smoothed by one hit and one miss.

    Without hits or without misses the line is undetermined, and slope 1 and offset 0 are returned.
    """
    hits = sum(guess.hit for guess in guesses)
    misses = len(guesses) - hits
    if not hits or not misses:
        return Line(1.0, 0.0)
    rows = np.array([(guess.value, 1.0) for guess in guesses])
    targets = np.where([guess.hit for guess in guesses], (hits + 1) / (hits + 2), 1 / (misses + 2))
    line = np.array([0.0, math.log((hits + 1) / (misses + 1))])
    for _ in range(MAX_ITERATIONS):
        probabilities = 1 / (1 + np.exp(-(rows @ line)))
        hessian = rows.T @ (rows * (probabilities * (1 - probabilities))[:, None])
        if np.linalg.det(hessian) <= 1e-12:
            break
        step = np.linalg.solve(hessian, rows.T @ (probabilities - targets))
        line -= step
        if float(np.abs(step).sum()) < 1e-12:
            break
    return Line(float(line[0]), float(line[1]))


class Bin(NamedTuple):
    """Episodes of similar probability: their number, mean probability and share of hits."""

    episodes: int
    predicted: float
    right: float


class Calibration(NamedTuple):
    """Reliability of probabilities. ``error`` is the mean absolute difference between mean probability and hit share over the bins.

    ``by_chance`` is the error to be expected if the probabilities were exact, in the normal approximation. ``brier`` is the mean squared
    error; ``base`` is the same if the overall share of hits is predicted for every episode.
    """

    bins: tuple[Bin, ...]
    error: float
    by_chance: float
    brier: float
    base: float


def measure_calibration(guesses: Sequence[Guess], bins: int = DEFAULT_BINS) -> Calibration:
    """Measure the reliability of probabilities in this number of ``bins``, of about equal size. All values are 0 without episodes."""
    ranked, total = sorted(guesses), max(1, len(guesses))
    edges = [len(ranked) * index // bins for index in range(bins + 1)]
    groups = [ranked[low:high] for low, high in pairwise(edges) if high > low]
    measured = tuple(
        Bin(len(group), sum(p for p, _ in group) / len(group), sum(hit for _, hit in group) / len(group))
        for group in groups
    )
    rate = sum(hit for _, hit in ranked) / total
    return Calibration(
        measured,
        sum(each.episodes * abs(each.predicted - each.right) for each in measured) / total,
        sum(math.sqrt(2 / math.pi * sum(p * (1 - p) for p, _ in group)) for group in groups) / total,
        sum((p - hit) ** 2 for p, hit in ranked) / total,
        rate * (1 - rate),
    )
