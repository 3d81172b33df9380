"""Credit by use: one vote per session, from its outcome, and its effect on patterns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.anti_patterns import format_anti_patterns
from mind_skills.learning.credit import Credit, UnknownPatternError, build_strategy_id
from mind_skills.learning.maturity import deprecate
from mind_skills.learning.statistics import DAY_MS

NOW = 1_800_000_000_000
FEATURE, LAYER = "Split by feature", "Split by layer (UI/logic/data)"
Vote = Callable[..., list[tuple[int, int, str]]]


@pytest.fixture
def credit() -> Credit:
    return Credit()


def voted(credit: Credit, session: str, outcome: str, *strategies: str, at: int = NOW) -> list[tuple[int, int, str]]:
    found = credit.vote("shop", session, strategies or (FEATURE,), outcome, at=at, now=NOW)  # type: ignore[arg-type]
    return [(each.pattern.success_count, each.pattern.failure_count, each.maturity.state) for each in found]


def test_three_failing_sessions_make_a_warning_and_no_more_than_one(credit: Credit) -> None:
    assert [voted(credit, name, "harmful") for name in "abcd"] == [
        [(0, 1, "candidate")],
        [(0, 2, "candidate")],
        [(0, 3, "deprecated")],
        [(0, 4, "deprecated")],
    ]
    assert format_anti_patterns(credit.list_warnings("shop")).split("\n")[4:] == [
        "- AVOID: Split by feature. Failed 3/3 times (100% failure rate)",
        "",
    ]
    assert credit.list_warnings("another project") == []


def test_six_helpful_sessions_lead_to_proven(credit: Credit) -> None:
    assert [voted(credit, name, "helpful")[0][2] for name in "abcdef"] == [
        *["candidate"] * 2,
        *["established"] * 2,
        *["proven"] * 2,
    ]
    assert [each.pattern.content for each in credit.list_proven("shop")] == [FEATURE]


@pytest.mark.parametrize("outcome", ["neutral", "unknown"])
def test_a_session_of_which_nothing_can_be_said_has_no_vote(credit: Credit, outcome: str) -> None:
    assert voted(credit, "a", outcome) == [(0, 0, "candidate")]


def test_a_session_votes_once_however_often_it_is_looked_at(credit: Credit) -> None:
    assert [voted(credit, "a", "helpful") for _ in range(3)] == [[(1, 0, "candidate")]] * 3


def test_a_session_that_comes_out_otherwise_in_the_end_changes_its_vote(credit: Credit) -> None:
    outcomes = ("helpful", "harmful", "unknown")
    assert [voted(credit, "a", outcome)[0][:2] for outcome in outcomes] == [(1, 0), (0, 1), (0, 0)]


def test_what_only_a_vote_that_was_taken_back_made_of_a_strategy_is_taken_back(credit: Credit) -> None:
    """A continuing session votes each time it is analysed, and may still succeed."""
    for name, outcome in (("a", "helpful"), ("b", "harmful"), ("c", "helpful"), ("d", "harmful"), ("e", "harmful")):
        voted(credit, name, outcome)
    assert [each.content for each in credit.list_warnings("shop")] == [
        "AVOID: Split by feature. Failed 3/5 times (60% failure rate)"
    ]
    voted(credit, "d", "unknown")
    voted(credit, "e", "helpful")
    assert voted(credit, "f", "helpful") == [(4, 1, "established")]
    assert credit.list_warnings("shop") == []


def test_a_vote_that_is_taken_back_leaves_a_warning_that_the_others_bear_out(credit: Credit) -> None:
    for name in "abcd":
        voted(credit, name, "harmful")
    assert voted(credit, "d", "helpful") == [(1, 3, "deprecated")]
    assert [each.content for each in credit.list_warnings("shop")] == [
        "AVOID: Split by feature. Failed 3/4 times (75% failure rate)"
    ]


def test_a_strategy_that_was_given_up_by_hand_stays_so(credit: Credit) -> None:
    voted(credit, "a", "harmful")
    (stands,) = credit.list_standings("shop")
    credit._maturities.store(deprecate(stands.maturity, "we are one team", now=NOW))
    assert voted(credit, "a", "helpful") == [(1, 0, "deprecated")]


def test_a_strategy_named_twice_in_one_session_is_one_vote(credit: Credit) -> None:
    assert voted(credit, "a", "helpful", FEATURE, LAYER, FEATURE) == [(1, 0, "candidate")] * 2


def test_a_clock_that_is_ahead_does_not_make_a_vote_last_longer(credit: Credit) -> None:
    for name in "abc":
        voted(credit, name, "helpful", at=NOW + 400 * DAY_MS)
    assert [vote.at for vote in credit._maturities.list_votes(build_strategy_id("shop", FEATURE))] == [NOW] * 3


def test_a_reset_takes_the_warning_and_every_vote_away(credit: Credit) -> None:
    for name in "abc":
        voted(credit, name, "harmful")
    (warning,) = credit.list_warnings("shop")
    blank = credit.reset(warning.id, now=NOW)
    assert (blank.success_count, blank.failure_count, blank.inverted_to, credit.list_warnings("shop")) == (0, 0, "", [])
    assert voted(credit, "d", "helpful") == [(1, 0, "candidate")]
    with pytest.raises(UnknownPatternError):
        credit.reset("none", now=NOW)


SESSIONS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["helpful", "harmful", "neutral", "unknown"])), max_size=30
)


@given(SESSIONS)
def test_only_the_last_word_of_each_session_counts(sessions: list[tuple[str, str]]) -> None:
    one, other = (Credit() for _ in range(2))
    for name, outcome in sessions:
        seen = voted(one, name, outcome)[0][:2]
    last = dict(sessions)
    for name, outcome in last.items():
        once = voted(other, name, outcome)[0][:2]
    if sessions:
        assert seen == once == (list(last.values()).count("helpful"), list(last.values()).count("harmful"))
