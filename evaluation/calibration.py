"""Calibration: from scores to probabilities, from probabilities to tiers, and how reliable the probabilities are.

Standard library only, so that `score` works without numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

MAX_ITERATIONS = 50
DEFAULT_BINS = 10


class Guess(NamedTuple):
    """A score or probability of a chosen candidate, and whether it was a hit."""

    value: float
    hit: bool


class Line(NamedTuple):
    """Maps a score to a probability: log odds = ``slope`` x score + ``offset``."""

    slope: float
    offset: float

    def compute_probability(self, score: float) -> float:
        return logistic(self.slope * score + self.offset)


def logistic(log_odds: float) -> float:
    """Convert log odds to a probability, without overflow."""
    if log_odds >= 0:
        return 1 / (1 + math.exp(-log_odds))
    return math.exp(log_odds) / (1 + math.exp(log_odds))


def fit_platt(guesses: Sequence[Guess]) -> Line:
    """Fit Platt's line: logistic regression on the score, with targets smoothed by one hit and one miss.

    Without hits or without misses the line is undetermined, and slope 1 and offset 0 are returned.
    """
    hits = sum(guess.hit for guess in guesses)
    misses = len(guesses) - hits
    if not hits or not misses:
        return Line(1.0, 0.0)
    hit_target, miss_target = (hits + 1) / (hits + 2), 1 / (misses + 2)
    slope, offset = 0.0, math.log((hits + 1) / (misses + 1))
    for _ in range(MAX_ITERATIONS):
        slope_gradient = offset_gradient = h00 = h01 = h11 = 0.0
        for value, hit in guesses:
            probability = logistic(slope * value + offset)
            error, variance = probability - (hit_target if hit else miss_target), probability * (1 - probability)
            slope_gradient, offset_gradient = slope_gradient + error * value, offset_gradient + error
            h00, h01, h11 = h00 + variance * value * value, h01 + variance * value, h11 + variance
        determinant = h00 * h11 - h01 * h01
        if determinant <= 1e-12:
            break
        slope_step, offset_step = (
            (h11 * slope_gradient - h01 * offset_gradient) / determinant,
            (h00 * offset_gradient - h01 * slope_gradient) / determinant,
        )
        slope, offset = slope - slope_step, offset - offset_step
        if abs(slope_step) + abs(offset_step) < 1e-12:
            break
    return Line(slope, offset)


def find_threshold(guesses: Sequence[Guess], precision: float, min_candidates: int) -> float:
    """Return the smallest probability p such that at least ``precision`` of all candidates at or above p are hits.

    Only sets of at least ``min_candidates`` count, since the first few may be lucky. If no probability qualifies,
    return the one with the largest share of hits, or 1 if there are too few candidates.
    """
    hits, best_share, best_share_value, threshold = 0, -1.0, 1.0, None
    ranked = sorted(guesses, key=lambda guess: -guess.value)
    for count, (value, hit) in enumerate(ranked, 1):
        hits += hit
        if count < min_candidates or (count < len(ranked) and ranked[count].value == value):
            continue
        share = hits / count
        if share >= precision:
            threshold = value
        if share > best_share:
            best_share, best_share_value = share, value
    return best_share_value if threshold is None else threshold


class Bin(NamedTuple):
    """Candidates of similar probability: their number, mean probability and share of hits."""

    candidates: int
    mean_probability: float
    hit_share: float


class Calibration(NamedTuple):
    """Reliability of probabilities. ``error`` is the mean absolute difference between mean probability and hit share over the bins.

    ``brier`` is the mean squared error; ``base`` is the same error if the overall share of hits is predicted for every candidate.
    """

    bins: tuple[Bin, ...]
    error: float
    by_chance: float
    """The error to be expected if the probabilities were exact, with the same number of candidates."""
    brier: float
    base: float


def _compute_expected_error(guesses: Sequence[Guess]) -> float:
    """Return the expected absolute difference between the number of hits and the sum of probabilities, in the normal approximation."""
    return math.sqrt(2 / math.pi * sum(value * (1 - value) for value, _ in guesses))


def measure_calibration(guesses: Sequence[Guess], bins: int = DEFAULT_BINS) -> Calibration:
    """Measure the reliability of probabilities in this number of ``bins``, of about equal size. All values are 0 without candidates."""
    ranked = sorted(guesses)
    if not ranked:
        return Calibration((), 0.0, 0.0, 0.0, 0.0)
    edges = [len(ranked) * index // bins for index in range(bins + 1)]
    groups = [ranked[low:high] for low, high in pairwise(edges) if high > low]
    measured_bins = tuple(
        Bin(
            len(group), sum(guess.value for guess in group) / len(group), sum(guess.hit for guess in group) / len(group)
        )
        for group in groups
    )
    base_rate = sum(guess.hit for guess in ranked) / len(ranked)
    return Calibration(
        measured_bins,
        sum(each.candidates * abs(each.mean_probability - each.hit_share) for each in measured_bins) / len(ranked),
        sum(map(_compute_expected_error, groups)) / len(ranked),
        sum((value - hit) ** 2 for value, hit in ranked) / len(ranked),
        base_rate * (1 - base_rate),
    )
