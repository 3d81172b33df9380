"""From scores to probabilities: what they promise of the guesses that they were read off."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.evaluation.calibration import Guess, Line, fit_platt, measure_calibration

GUESSES = st.lists(st.builds(Guess, st.floats(-4, 4).map(lambda value: round(value, 3)), st.booleans()), max_size=60)


def test_the_fitted_line_recovers_the_odds_of_the_drawn_scores() -> None:
    guesses = [
        Guess(score / 10, number < 1000 * Line(0.5, -1.0).compute_probability(score / 10))
        for score in range(-30, 31)
        for number in range(1000)
    ]
    line = fit_platt(guesses)
    assert list(line) == pytest.approx([0.5, -1], abs=0.01)


@given(GUESSES)
def test_informative_scores_give_probabilities_that_sum_to_about_the_number_of_hits(
    guesses: list[Guess],
) -> None:
    line = fit_platt(guesses)
    said = [line.compute_probability(guess.value) for guess in guesses]
    assert all(0 <= each <= 1 for each in said)
    hits = sum(guess.hit for guess in guesses)
    if 0 < hits < len(guesses) and len({guess.value for guess in guesses}) > 1:
        misses = len(guesses) - hits
        assert math.isclose(sum(said), hits * (hits + 1) / (hits + 2) + misses / (misses + 2), abs_tol=1e-3)


def test_calibration_compares_predicted_and_observed_shares_in_equal_bins() -> None:
    found = measure_calibration([Guess(0.2, False), Guess(0.8, True), Guess(0.4, False), Guess(0.6, False)], bins=2)
    assert [value for each in found.bins for value in each] == pytest.approx([2, 0.3, 0.0, 2, 0.7, 0.5])
    assert found.error == pytest.approx(0.25)
    assert found.by_chance == pytest.approx(2 * math.sqrt(2 / math.pi * (0.16 + 0.24)) / 4)
    assert found.brier == pytest.approx((0.04 + 0.04 + 0.16 + 0.36) / 4)
    assert found.base == pytest.approx(0.25 * 0.75)
    assert measure_calibration([]) == ((), 0.0, 0.0, 0.0, 0.0)


def test_without_hits_or_misses_the_line_is_the_default_one() -> None:
    assert fit_platt([Guess(1.0, True)]) == fit_platt([]) == Line(1.0, 0.0)
