"""How many sessions overcame a known error with the skill, and how many without."""

import pytest

from mind_skills.learning.skills.proof import Arm, Case, compare_arms, summarise_arm
from mind_skills.learning.statistics import compute_newcombe_interval


def build_cases(solved, of, *, loaded, signature="E", name="s"):
    return [
        Case(f"{name}{loaded}{number}", signature, number < solved, loaded, steps=number, duration_ms=1_000 * number)
        for number in range(of)
    ]


@pytest.mark.parametrize(
    ("counts", "bounds"),
    [  # the first four are Newcombe's own examples (1998, table II, method 10)
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
        ((3, 3, 0, 3), (0.2059, 1.0)),
        ((0, 0, 5, 9), (-1.0, 1.0)),
    ],
)
def test_the_interval_of_a_difference_matches_newcombes_method(counts, bounds):
    assert compute_newcombe_interval(*counts) == pytest.approx(bounds, abs=5e-5)


def test_swapping_the_two_arms_negates_the_interval():
    low, high = compute_newcombe_interval(9, 12, 3, 8)
    assert compute_newcombe_interval(3, 8, 9, 12) == pytest.approx((-high, -low))


def test_a_skill_is_better_if_most_sessions_with_it_and_few_without_it_overcame_the_error():
    found = compare_arms([*build_cases(9, 10, loaded=True), *build_cases(3, 10, loaded=False)])
    assert (found.verdict, found.repairs, found.regressions, found.net) == ("better", 1, 0, 1)
    assert found.difference == pytest.approx(0.6)
    assert (found.low, found.high) == pytest.approx((0.1705, 0.8090), abs=5e-5)


def test_a_skill_is_worse_if_few_sessions_with_it_and_most_without_it_overcame_the_error():
    found = compare_arms([*build_cases(1, 10, loaded=True), *build_cases(9, 10, loaded=False)])
    assert (found.verdict, found.repairs, found.regressions, found.net) == ("worse", 0, 1, -1)


def test_a_difference_that_chance_explains_counts_as_no_difference():
    found = compare_arms([*build_cases(7, 10, loaded=True), *build_cases(6, 10, loaded=False)])
    assert (found.verdict, found.repairs, found.regressions) == ("no_difference", 0, 0)


@pytest.mark.parametrize(("one", "other"), [(4, 50), (50, 4), (0, 9), (9, 0), (0, 0)])
def test_fewer_than_five_sessions_on_a_side_are_not_enough_data(one, other):
    found = compare_arms([*build_cases(one, one, loaded=True), *build_cases(0, other, loaded=False)])
    assert found.verdict == "not_enough_data"
    assert (found.difference is None) == (not one or not other)


def test_a_session_counts_once_and_is_solved_only_if_it_overcame_each_of_its_errors():
    both = [Case("a", "E", True, True, 3, 1_000), Case("a", "F", True, True, 9, 5_000)]
    one_of_two = [Case("b", "E", True, True, 1, 10), Case("b", "F", False, True)]
    found = summarise_arm([*both, *one_of_two])
    assert (found.n, found.solved, found.median_steps, found.median_ms) == (2, 1, 9, 5_000)


def test_the_medians_cover_solved_cases_only_and_leave_out_unknown_times():
    timed = [Case(str(number), "E", True, True, number, number * 10) for number in (1, 2, 9)]
    found = summarise_arm([*timed, Case("x", "E", True, True, 4, None), Case("y", "E", False, True, 700, 700)])
    assert (found.n, found.solved, found.median_steps, found.median_ms) == (5, 4, 3.0, 20)
    assert summarise_arm([]) == Arm(0, 0, 0.0, 1.0, None, None)


def test_an_error_counts_as_repaired_or_regressed_only_if_both_sides_met_it():
    found = compare_arms(
        [*build_cases(5, 5, loaded=True, signature="E"), *build_cases(0, 5, loaded=False, signature="F")]
    )
    assert (found.verdict, found.repairs, found.regressions) == ("better", 0, 0)
