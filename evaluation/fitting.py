"""Fit the scorer's weights: a logistic regression with a ridge, in which each weight keeps the sign stated beforehand.

The solution of a convex problem, sought by Newton steps until nothing moves: the same rows give the same weights, whatever
they were sought from. Means and deviations are rounded before the fit, so that what is written is what was fitted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DIGITS = 4
"""Significant digits of every number that is written: more of them would say something of this sample alone."""
RIDGE = 160.0
"""Strength of the ridge on standardised features: four times that of the study of designs that preceded this (docs/detection.md)."""
STEPS, STILL = 60, 1e-8
"""Newton steps at most; and the slope, in parts of what all rows count, below which nothing moves any more."""
LEAST_DEVIATION = 1e-3
"""A feature that varies less in the rows at hand is left at weight 0."""


class Fitted(NamedTuple):
    """The log odds of a row are ``intercept`` + sum of weight x (value - mean) / deviation, before calibration."""

    weights: Array
    means: Array
    deviations: Array
    intercept: float

    def scores(self, rows: Array) -> Array:
        """The log odds of ``rows`` (proposals x features)."""
        scaled: Array = self.weights / self.deviations
        return rows @ scaled + (self.intercept - float(self.means @ scaled))


def significant(number: float, digits: int = DIGITS) -> float:
    """``number`` to so many significant digits."""
    return float(f"{number:.{digits}g}")


def fit(rows: Array, hits: Array, counts: Array, signs: Array, near: Fitted | None = None) -> Fitted:
    """Fit to ``rows`` (proposals x features), of which ``hits`` (0 or 1) lie on a learning; each row counts ``counts`` times.

    ``signs`` holds 1 or -1 for each feature, or 0 where the sign is free. ``near`` is a fit to nearly the same rows, from which
    it takes fewer steps.
    """
    total = float(counts.sum())
    means = _rounded(counts @ rows / total)
    deviations = _rounded(np.sqrt(counts @ (rows - means) ** 2 / total))
    varies = deviations >= LEAST_DEVIATION
    deviations = np.where(varies, deviations, 1.0)
    turned = np.where(signs < 0, -1.0, 1.0) * varies
    scaled = (rows - means) / deviations * turned
    share = float(counts @ hits) / total
    if near is None:
        start = np.append(np.zeros(rows.shape[1]), np.log(max(share, 1e-6) / max(1 - share, 1e-6)))
    else:
        start = np.append(near.weights * turned, near.intercept)
    solved = _solve(np.column_stack([scaled, np.ones(len(rows))]), hits, counts, signs != 0, start)
    return Fitted(_rounded(solved[:-1] * turned), means, deviations, significant(float(solved[-1])))


def _rounded(numbers: Array) -> Array:
    return np.array([significant(float(number)) for number in numbers]) + 0.0  # -0 is written as 0


def _solve(rows: Array, hits: Array, counts: Array, bounded: NDArray[np.bool_], start: Array) -> Array:
    """The minimum over weights of which the ``bounded`` ones are not below 0; the last one is the intercept."""
    lower = np.append(np.where(bounded, 0.0, -np.inf), -np.inf)
    strength = np.append(np.full(len(start) - 1, RIDGE), 0.0)
    at, value = start, _cost(rows, hits, counts, strength, start)
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-(rows @ at)))
        slope = rows.T @ (counts * (odds - hits)) + strength * at
        free = (at > lower) | (slope < 0)
        if float(np.abs(slope[free]).max(initial=0.0)) < STILL * float(counts.sum()):
            break
        used = rows[:, free]
        curve = used.T @ (used * (counts * odds * (1 - odds))[:, None]) + np.diag(strength[free] + 1e-12)
        step = np.zeros(len(at))
        step[free] = np.linalg.solve(curve, -slope[free])
        size = 1.0
        while size > 1e-6:
            ahead = np.maximum(at + size * step, lower)
            reached = _cost(rows, hits, counts, strength, ahead)
            if reached <= value:
                break
            size /= 2
        else:
            break
        at, value = ahead, reached
    return at


def _cost(rows: Array, hits: Array, counts: Array, strength: Array, at: Array) -> float:
    odds = rows @ at
    return float(counts @ (np.logaddexp(0.0, odds) - hits * odds) + 0.5 * strength @ at**2)
