"""Fit of the scorer's weights: ridge logistic regression in which each weight keeps its predefined sign.

The problem is convex and solved by Newton steps to convergence, so the same rows give the same weights from any start.
Means and deviations are rounded before the fit, so that the fit uses the numbers that are written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SIGNIFICANT_DIGITS = 4
"""Significant digits of every number written; further digits would only describe this sample."""
RIDGE = 160.0
"""Strength of the ridge on standardised features: four times the strength that suited 152 of the sessions (docs/detection.md)."""
MAX_STEPS, TOLERANCE = 60, 1e-8
"""Maximum number of Newton steps, and the gradient per unit of row weight below which the fit has converged."""
MIN_DEVIATION = 1e-3
"""Features with a smaller standard deviation in the given rows get weight 0."""


class Fitted(NamedTuple):
    """Weights before calibration: log odds of a row = ``intercept`` + sum of weight x (value - mean) / deviation."""

    weights: Array
    means: Array
    deviations: Array
    intercept: float

    def compute_scores(self, rows: Array) -> Array:
        """Return the log odds of ``rows`` (proposals x features)."""
        scaled: Array = self.weights / self.deviations
        return rows @ scaled + (self.intercept - float(self.means @ scaled))


def round_significant(number: float, digits: int = SIGNIFICANT_DIGITS) -> float:
    """Round ``number`` to ``digits`` significant digits."""
    return float(f"{number:.{digits}g}")


def fit(rows: Array, hits: Array, row_weights: Array, signs: Array, start_fit: Fitted | None = None) -> Fitted:
    """Fit to ``rows`` (proposals x features). ``hits`` is 1 for rows on a learning, else 0; ``row_weights`` are their weights in the fit.

    ``signs`` holds 1 or -1 for each feature, or 0 if its sign is free. Starting from ``start_fit``, a fit to almost the
    same rows, saves steps.
    """
    total = float(row_weights.sum())
    means = _round_all(row_weights @ rows / total)
    deviations = _round_all(np.sqrt(row_weights @ (rows - means) ** 2 / total))
    varies = deviations >= MIN_DEVIATION
    deviations = np.where(varies, deviations, 1.0)
    orientation = np.where(signs < 0, -1.0, 1.0) * varies
    scaled = (rows - means) / deviations * orientation
    hit_share = float(row_weights @ hits) / total
    if start_fit is None:
        start = np.append(np.zeros(rows.shape[1]), np.log(max(hit_share, 1e-6) / max(1 - hit_share, 1e-6)))
    else:
        start = np.append(start_fit.weights * orientation, start_fit.intercept)
    solution = _minimise(np.column_stack([scaled, np.ones(len(rows))]), hits, row_weights, signs != 0, start)
    return Fitted(_round_all(solution[:-1] * orientation), means, deviations, round_significant(float(solution[-1])))


def _round_all(numbers: Array) -> Array:
    return np.array([round_significant(float(number)) for number in numbers]) + 0.0  # avoids -0


def _minimise(rows: Array, hits: Array, row_weights: Array, is_bounded: NDArray[np.bool_], start: Array) -> Array:
    """Return the weights with the smallest cost, the intercept last. Weights marked in ``is_bounded`` are not negative."""
    lower = np.append(np.where(is_bounded, 0.0, -np.inf), -np.inf)
    strength = np.append(np.full(len(start) - 1, RIDGE), 0.0)
    current, cost = start, _compute_cost(rows, hits, row_weights, strength, start)
    for _ in range(MAX_STEPS):
        probability = 1 / (1 + np.exp(-(rows @ current)))
        gradient = rows.T @ (row_weights * (probability - hits)) + strength * current
        free = (current > lower) | (gradient < 0)
        if float(np.abs(gradient[free]).max(initial=0.0)) < TOLERANCE * float(row_weights.sum()):
            break
        free_rows = rows[:, free]
        hessian = free_rows.T @ (free_rows * (row_weights * probability * (1 - probability))[:, None]) + np.diag(
            strength[free] + 1e-12
        )
        step = np.zeros(len(current))
        step[free] = np.linalg.solve(hessian, -gradient[free])
        scale = 1.0
        while scale > 1e-6:
            candidate = np.maximum(current + scale * step, lower)
            candidate_cost = _compute_cost(rows, hits, row_weights, strength, candidate)
            if candidate_cost <= cost:
                break
            scale /= 2
        else:
            break
        current, cost = candidate, candidate_cost
    return current


def _compute_cost(rows: Array, hits: Array, row_weights: Array, strength: Array, weights: Array) -> float:
    odds = rows @ weights
    return float(row_weights @ (np.logaddexp(0.0, odds) - hits * odds) + 0.5 * strength @ weights**2)
