"""Deprecation by votes: permanent or temporary."""

import pytest

from mind_skills.learning.credit import Credit
from mind_skills.learning.maturity import (
    DEFAULTS,
    MaturityFeedback,
    PatternMaturity,
    deprecate,
    evaluate,
    format_maturity,
    is_permanent,
    is_surely_harmful,
    is_vote_based,
)
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.statistics import DAY_MS

NOW = 1_800_000_000_000
FRESH = PatternMaturity("p")


def votes(helpful, harmful, *, age=0):
    return [
        MaturityFeedback("p", "helpful" if n < helpful else "harmful", NOW - age * DAY_MS, 1.0, str(n))
        for n in range(helpful + harmful)
    ]


@pytest.mark.parametrize(
    ("helpful", "harmful", "sure"), [(0, 0, False), (1, 2, False), (0, 3, True), (5, 5, False), (4, 6, True)]
)
def test_three_of_three_and_six_of_ten_harmful_votes_are_surely_harmful_at_any_age(helpful, harmful, sure):
    assert is_surely_harmful(votes(helpful, harmful), DEFAULTS, now=NOW) == sure
    assert is_surely_harmful(votes(helpful, harmful, age=300), DEFAULTS, now=NOW) == sure


def test_an_unsure_deprecation_ends_when_enough_helpful_votes_follow():
    first = evaluate(FRESH, votes(2, 1), DEFAULTS, now=NOW)
    assert (first.state, first.deprecated_at, first.reason, is_vote_based(first), is_permanent(first)) == (
        "deprecated",
        NOW,
        "",
        True,
        False,
    )
    still = evaluate(first, votes(4, 2), DEFAULTS, now=NOW + 5)
    assert (still.state, still.deprecated_at) == ("deprecated", NOW)
    back = evaluate(still, votes(7, 1), DEFAULTS, now=NOW + 9)
    assert (back.state, back.deprecated_at, back.promoted_at) == ("proven", None, NOW + 9)


def test_a_sure_deprecation_outlasts_any_later_votes():
    gone = evaluate(FRESH, votes(0, 3), DEFAULTS, now=NOW)
    assert (gone.state, gone.reason) == ("deprecated", "Failed 3/3 times (100% failure rate)")
    assert evaluate(gone, votes(50, 3), DEFAULTS, now=NOW).state == "deprecated"


def test_a_deprecation_or_pin_by_hand_outlasts_any_votes():
    by_hand = deprecate(FRESH, "we are one team", now=NOW)
    assert (evaluate(by_hand, votes(9, 0), DEFAULTS, now=NOW).state, is_vote_based(by_hand)) == ("deprecated", False)
    pinned = PatternMaturity("p", "proven", pinned=True)
    assert evaluate(pinned, votes(0, 9), DEFAULTS, now=NOW).state == "proven"


@pytest.mark.parametrize(
    ("maturity", "text"),
    [
        (PatternMaturity("p", "deprecated"), "[LIMITED DATA - 0 observations]"),
        (PatternMaturity("p", "deprecated", reason="we are one team"), "[DEPRECATED - avoid using]"),
        (PatternMaturity("p", "deprecated", 1, 1, pinned=True), "[DEPRECATED - avoid using]"),
        (
            PatternMaturity("p", "deprecated", 0, 3, reason="we are one team"),
            "[DEPRECATED - 100% harmful, avoid using]",
        ),
        (PatternMaturity("p", "proven", 2, pinned=True), "[LIMITED DATA - 2 observations]"),
    ],
)
def test_a_permanent_or_pinned_deprecation_is_shown_however_few_the_votes(maturity, text):
    assert format_maturity(maturity) == text


def test_a_strategy_that_failed_first_becomes_proven_after_later_successes():
    credit = Credit()
    states = []
    for number in range(10):
        outcome: OutcomeType = "helpful" if number else "harmful"
        (standing,) = credit.vote("p", f"s{number}", ["Split by feature"], outcome, at=NOW, now=NOW)
        states.append(standing.maturity.state)
    assert states == [*["candidate"] * 2, "deprecated", *["established"] * 3, *["proven"] * 4]
