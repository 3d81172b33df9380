"""The effect of accepted and dismissed candidates on the probabilities of later ones."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.taste import MAX_SHIFT, NO_TASTE, TasteDecision, fit_taste

GROUPS = {"a": "words", "b": "words", "c": "failures", "d": "proof"}
numbers = st.floats(allow_nan=False, allow_infinity=False)
deciding = st.lists(st.tuples(st.sampled_from([*GROUPS, "unknown"]), numbers), max_size=6).map(tuple)
decided = st.builds(TasteDecision, st.floats(0, 1), deciding, st.booleans(), st.sampled_from([0.0, 0.25, 1.0]))
many = st.lists(decided, max_size=30)


@given(many, st.randoms(use_true_random=False))
def test_the_order_of_decisions_does_not_matter(found: list[TasteDecision], dice: random.Random) -> None:
    mixed = list(found)
    dice.shuffle(mixed)
    assert fit_taste(mixed, GROUPS) == fit_taste(found, GROUPS)


@given(many, st.floats(0, 1), deciding)
def test_the_shift_is_bounded_and_an_adjusted_probability_stays_between_zero_and_one(
    found: list[TasteDecision], probability: float, of: tuple[tuple[str, float], ...]
) -> None:
    taste = fit_taste(found, GROUPS)
    assert -MAX_SHIFT <= taste.compute_shift(of) <= MAX_SHIFT
    assert 0 <= taste.adjust_probability(probability, of) <= 1


@given(st.lists(st.floats(0, 1), max_size=8), deciding)
def test_the_shift_preserves_the_order_of_probabilities_with_equal_features(
    probabilities: list[float], of: tuple[tuple[str, float], ...]
) -> None:
    taste = fit_taste([TasteDecision(0.5, of, is_accepted=True), TasteDecision(0.9, (), is_accepted=False)], GROUPS)
    shifted = [taste.adjust_probability(each, of) for each in sorted(probabilities)]
    assert shifted == sorted(shifted)


@given(many)
def test_past_candidates_are_not_raised_on_average(found: list[TasteDecision]) -> None:
    taste = fit_taste(found, GROUPS)
    raised = sum(each.weight * sum(value for _, value in taste.list_parts(each.deciding)) for each in found)
    assert raised <= 1e-6


@given(decided, st.integers(1, 20))
def test_dismissals_alone_never_raise_a_candidate_and_acceptances_alone_change_nothing(
    one: TasteDecision, times: int
) -> None:
    dismissed = fit_taste([one._replace(is_accepted=False, weight=1.0)] * times, GROUPS)
    accepted = fit_taste([one._replace(is_accepted=True, weight=1.0)] * times, GROUPS)
    assert dismissed.compute_shift(one.deciding) <= 0
    assert abs(accepted.compute_shift(one.deciding)) < 1e-6


def test_a_probability_is_unchanged_to_the_bit_without_decisions() -> None:
    assert (
        fit_taste([], GROUPS) == fit_taste([TasteDecision(0.5, (), is_accepted=True, weight=0.0)], GROUPS) == NO_TASTE
    )
    assert NO_TASTE.adjust_probability(0.1234567890123, (("a", 2.0),)) == 0.1234567890123


def test_dismissed_feature_groups_are_lowered_accepted_ones_raised_and_others_unchanged() -> None:
    words, failure = (("a", 1.5),), (("c", 1.5),)
    taste = fit_taste(
        [TasteDecision(0.5, words, is_accepted=False), TasteDecision(0.5, failure, is_accepted=True)] * 10, GROUPS
    )
    assert taste.coefficients["words"] < -0.5
    assert taste.coefficients["failures"] > 0.5
    assert abs(taste.offset) < 0.01
    assert taste.adjust_probability(0.5, words) < 0.3
    assert taste.adjust_probability(0.5, failure) > 0.7
    assert taste.adjust_probability(0.5, (("d", 1.5),)) == taste.adjust_probability(0.5, ())


def test_one_dismissal_has_a_small_effect_and_a_quarter_of_its_weight_a_smaller_one() -> None:
    dismissed = fit_taste([TasteDecision(0.5, (), is_accepted=False)], GROUPS)
    quarter = fit_taste([TasteDecision(0.5, (), is_accepted=False, weight=0.25)], GROUPS)
    assert round(dismissed.adjust_probability(0.5, ()), 3) == 0.401
    assert round(quarter.adjust_probability(0.5, ()), 3) == 0.471
