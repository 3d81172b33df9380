"""A skill is failing only if that is certain."""

import pytest

from mind_skills.learning.skills.standing import (
    UNSURE_MULTIPLIER,
    OutcomeTotals,
    SkillLoad,
    compute_rank_multiplier,
    compute_standing,
    explain_failing,
    sum_outcomes,
)
from mind_skills.learning.statistics import DAY_MS, compute_effective_size

NOW = 1_800_000_000_000
NO_SESSIONS = OutcomeTotals()


def build_standing(helpful, harmful, *, age=0):
    loads = [
        SkillLoad("a", str(number), NOW - age * DAY_MS, "helpful" if number < helpful else "harmful")
        for number in range(helpful + harmful)
    ]
    return compute_standing("a", loads, now=NOW)


@pytest.mark.parametrize(
    ("helpful", "harmful", "fails"),
    [(0, 2, False), (0, 3, True), (1, 2, False), (2, 3, False), (4, 6, True), (5, 5, False), (2, 1, False)],
)
def test_a_skill_is_failing_at_three_of_three_or_six_of_ten_harmful_sessions_only(helpful, harmful, fails):
    assert bool(explain_failing(build_standing(helpful, harmful), NO_SESSIONS)) == fails


def test_the_reason_states_counts_share_interval_and_the_share_of_other_sessions():
    others = OutcomeTotals(9.0, 1.0)
    assert explain_failing(build_standing(0, 3), others) == (
        "3 of 3 sessions that loaded it were harmful (100% after decay, 44% to 100%; 10% for sessions without it)"
    )


def test_a_skill_is_compared_with_the_sessions_that_did_not_load_it():
    assert [
        bool(explain_failing(build_standing(4, 6), OutcomeTotals(100 - share, share))) for share in (10, 30, 31, 35)
    ] == [True, True, True, False]


def test_a_skill_stays_failing_until_its_decayed_votes_add_up_to_less_than_one():
    assert [bool(explain_failing(build_standing(0, 3, age=age), NO_SESSIONS)) for age in (0, 90, 142, 143)] == [
        True,
        True,
        True,
        False,
    ]


def test_a_skill_that_is_deprecated_but_not_surely_harmful_ranks_like_a_candidate():
    found = [
        compute_rank_multiplier(build_standing(*votes), NO_SESSIONS)
        for votes in ((0, 0), (3, 0), (5, 0), (2, 1), (0, 3))
    ]
    assert found == [0.5, 1.0, 1.5, UNSURE_MULTIPLIER, 0.0]


def test_other_sessions_are_all_sessions_minus_those_that_loaded_the_skill():
    loads = [*(SkillLoad("", str(number), NOW, "helpful") for number in range(3)), SkillLoad("", "3", NOW, "harmful")]
    loads.append(SkillLoad("", "4", NOW, "unknown"))
    everybody = sum_outcomes(loads, now=NOW)
    assert (everybody.helpful, everybody.harmful) == (3.0, 1.0)
    rest = everybody.subtract(sum_outcomes([loads[0], loads[3]], now=NOW))
    assert (rest.helpful, rest.harmful, rest.harmful_share) == (2.0, 0.0, 0.0)


def test_no_session_remains_of_sessions_that_all_loaded_the_skill_whatever_their_rounding():
    loads = [
        SkillLoad("", str(number), NOW - number * 12_345_678, "harmful" if number else "helpful") for number in range(7)
    ]
    rest = sum_outcomes(loads, now=NOW).subtract(sum_outcomes(reversed(loads), now=NOW))
    assert (rest, rest.harmful_share) == (NO_SESSIONS, 0.0)


def test_a_load_over_a_day_in_the_future_has_no_vote_and_an_earlier_one_counts_as_now():
    loads = [SkillLoad("a", str(ahead), NOW + ahead * DAY_MS // 2, "harmful") for ahead in (0, 1, 2, 3, 9_000)]
    found = compute_standing("a", loads, now=NOW)
    assert (found.maturity.harmful_count, found.decayed_harmful, len(found.loads)) == (3, 3.0, 5)
    assert found.last_used == NOW + DAY_MS


@pytest.mark.parametrize(
    ("weights", "number"), [([], 0.0), ([1.0] * 4, 4.0), ([0.25] * 4, 4.0), ([1.0, 0.5], 1.8), ([0.0, 0.0], 0.0)]
)
def test_unequal_weights_reduce_the_effective_number_of_votes(weights, number):
    assert compute_effective_size(weights) == pytest.approx(number)
