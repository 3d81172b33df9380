"""The fit: the optimum it claims, signs that it keeps, and the same bytes twice."""

from __future__ import annotations

import numpy as np
import pytest

from research.evaluation.fitting import RIDGE, Array, fit


def drawn(seed: int, count: int = 2000) -> tuple[Array, Array, Array]:
    dice = np.random.default_rng(seed)
    rows = dice.normal(size=(count, 6))
    rows[:, 3] = 0.9 * rows[:, 2] + 0.1 * rows[:, 3]
    rows[:, 4] = rows[:, 4] > 1
    odds = rows @ np.array([1.0, -0.8, 0.6, 0.0, 1.5, -1.0]) - 1
    return rows, (dice.random(count) < 1 / (1 + np.exp(-odds))).astype(np.float64), dice.random(count)


@pytest.mark.parametrize("signs", [(1, -1, 1, -1, 1, 1), (0, 0, 0, 0, 0, 0), (-1, 1, 1, 1, -1, -1)])
def test_no_allowed_change_of_a_weight_improves_the_fit(signs: tuple[int, ...]) -> None:
    rows, hits, counts = drawn(1)
    fitted = fit(rows, hits, counts, np.array(signs, dtype=np.float64))
    scaled = (rows - fitted.means) / fitted.deviations
    odds = 1 / (1 + np.exp(-fitted.compute_scores(rows)))
    slope = scaled.T @ (counts * (odds - hits)) + RIDGE * fitted.weights
    rounding = 0.001 * counts.sum()  # weights are rounded to four digits
    for weight, sign, pull in zip(fitted.weights, signs, slope, strict=True):
        assert weight * sign >= 0
        assert abs(pull) < rounding or (weight == 0 and pull * sign > 0)


def test_the_order_and_the_repetition_of_rows_change_nothing() -> None:
    rows, hits, counts = drawn(2)
    signs = np.array([1.0, -1.0, 1.0, 1.0, 1.0, -1.0])
    once = fit(rows, hits, counts, signs)
    back = fit(rows[::-1], hits[::-1], counts[::-1], signs)
    twice = fit(np.tile(rows, (2, 1)), np.tile(hits, 2), np.tile(counts / 2, 2), signs)
    for other in (back, twice):
        assert [list(part) for part in other[:3]] == [list(part) for part in once[:3]]
        assert other.intercept == once.intercept


def test_a_feature_that_never_varies_gets_no_weight() -> None:
    rows, hits, counts = drawn(3)
    rows[:, 0] = 7.0
    fitted = fit(rows, hits, counts, np.ones(6))
    assert (fitted.weights[0], fitted.means[0], fitted.deviations[0]) == (0.0, 7.0, 1.0)
