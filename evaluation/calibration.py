"""From scores to probabilities, from probabilities to tiers, and how far the probabilities can be believed.

Standard library only: `eval` says how well calibrated a detector is without any extra.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

ROUNDS = 50
BINS = 10


class Guess(NamedTuple):
    """What was said of a chosen candidate: a score or a probability, and whether it was a hit."""

    value: float
    hit: bool


class Line(NamedTuple):
    """The probability of a score is that of the log odds ``slope`` x score + ``offset``."""

    slope: float
    offset: float

    def probability(self, score: float) -> float:
        """Between 0 and 1."""
        return logistic(self.slope * score + self.offset)


def logistic(odds: float) -> float:
    """The probability of log odds, without overflow."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds))


def platt(guesses: Sequence[Guess]) -> Line:
    """Platt's line through scores: a logistic regression on the score alone, its targets drawn in by one hit and one miss.

    Without hits or without misses there is nothing to lay a line through: slope 1, offset 0.
    """
    hits = sum(guess.hit for guess in guesses)
    misses = len(guesses) - hits
    if not hits or not misses:
        return Line(1.0, 0.0)
    yes, no = (hits + 1) / (hits + 2), 1 / (misses + 2)
    slope, offset = 0.0, math.log((hits + 1) / (misses + 1))
    for _ in range(ROUNDS):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for value, hit in guesses:
            odds = logistic(slope * value + offset)
            wrong, width = odds - (yes if hit else no), odds * (1 - odds)
            g0, g1 = g0 + wrong * value, g1 + wrong
            h00, h01, h11 = h00 + width * value * value, h01 + width * value, h11 + width
        area = h00 * h11 - h01 * h01
        if area <= 1e-12:
            break
        by_slope, by_offset = (h11 * g0 - h01 * g1) / area, (h00 * g1 - h01 * g0) / area
        slope, offset = slope - by_slope, offset - by_offset
        if abs(by_slope) + abs(by_offset) < 1e-12:
            break
    return Line(slope, offset)


def least(guesses: Sequence[Guess], precision: float, few: int) -> float:
    """The smallest probability p such that of all candidates at p and above at least ``precision`` are hits.

    Of at least ``few`` candidates: the first ones may be lucky. Where no probability does, the one from which the largest
    share are hits; 1 where there are fewer candidates.
    """
    hits, highest, at_highest, best = 0, -1.0, 1.0, None
    ranked = sorted(guesses, key=lambda guess: -guess.value)
    for number, (value, hit) in enumerate(ranked, 1):
        hits += hit
        if number < few or (number < len(ranked) and ranked[number].value == value):
            continue
        share = hits / number
        if share >= precision:
            best = value
        if share > highest:
            highest, at_highest = share, value
    return at_highest if best is None else best


class Bin(NamedTuple):
    """Candidates of neighbouring probabilities: how many, what was said of them on average, and what share were hits."""

    candidates: int
    said: float
    seen: float


class Belief(NamedTuple):
    """``error`` is the mean distance of said and seen over the bins; ``brier`` the mean square of each miss, ``base`` that of
    saying the share of hits of all of them.
    """

    bins: tuple[Bin, ...]
    error: float
    by_chance: float
    """The error that exact probabilities would be expected to have in so few candidates."""
    brier: float
    base: float


def _deviation(part: Sequence[Guess]) -> float:
    """The mean distance of the hits among these from what their probabilities come to, as of a normal distribution."""
    return math.sqrt(2 / math.pi * sum(value * (1 - value) for value, _ in part))


def belief(guesses: Sequence[Guess], bins: int = BINS) -> Belief:
    """How well probabilities hold, in ``bins`` of as equal a count as there can be; all 0 without candidates."""
    ranked = sorted(guesses)
    if not ranked:
        return Belief((), 0.0, 0.0, 0.0, 0.0)
    edges = [len(ranked) * at // bins for at in range(bins + 1)]
    parts = [ranked[low:high] for low, high in pairwise(edges) if high > low]
    made = tuple(
        Bin(len(part), sum(each.value for each in part) / len(part), sum(each.hit for each in part) / len(part))
        for part in parts
    )
    share = sum(guess.hit for guess in ranked) / len(ranked)
    return Belief(
        made,
        sum(each.candidates * abs(each.said - each.seen) for each in made) / len(ranked),
        sum(map(_deviation, parts)) / len(ranked),
        sum((value - hit) ** 2 for value, hit in ranked) / len(ranked),
        share * (1 - share),
    )
