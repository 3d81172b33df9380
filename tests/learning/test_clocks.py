"""Wrong clocks: votes, decisions and criteria come out as with a correct clock, or are ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.criteria import FeedbackEvent, compute_criterion_weight
from mind_skills.learning.maturity import MaturityFeedback, compute_state
from mind_skills.learning.statistics import DAY_MS

NOW = 1_800_000_000_000
FEATURE = "Split by feature"
ID = build_strategy_id("shop", FEATURE)
LONGEST = 2**63 - 1
"""The largest integer in the state database."""


def vote(votes: Credit, session: str, outcome: str, *, at: int = NOW, now: int = NOW) -> None:
    votes.vote("shop", session, [FEATURE], outcome, at=at, now=now)  # type: ignore[arg-type]


def read_state(votes: Credit) -> object:
    return (
        votes.list_standings("shop", now=NOW),
        votes._maturities.list_votes(ID),
        votes.get_last_decision("shop") is None,
    )


@given(st.lists(st.tuples(st.sampled_from(["helpful", "harmful"]), st.integers(-LONGEST, LONGEST)), max_size=8))
def test_a_session_with_an_end_time_in_the_future_or_before_1970_counts_as_ended_now(
    sessions: list[tuple[str, int]],
) -> None:
    one, other = Credit(), Credit()
    for number, (outcome, at) in enumerate(sessions):
        vote(one, str(number), outcome, at=at)
        vote(other, str(number), outcome, at=at if 0 < at <= NOW else NOW)
    assert read_state(one) == read_state(other)


@pytest.mark.parametrize("wrong", [-400 * DAY_MS, -DAY_MS, DAY_MS, 400 * DAY_MS])
def test_repeating_a_vote_under_a_wrong_clock_changes_nothing(wrong: int) -> None:
    votes = Credit()
    for name in "abcde":
        vote(votes, name, "helpful")
    before = read_state(votes)
    for name in "abcde":
        vote(votes, name, "helpful", now=NOW + wrong)
    assert read_state(votes) == before


@pytest.mark.parametrize("behind", [0, DAY_MS // 2, DAY_MS])
def test_a_clock_up_to_a_day_behind_shows_the_same_maturity_states(behind: int) -> None:
    votes = Credit()
    for name, outcome in zip("abcdefg", ["helpful"] * 6 + ["harmful"], strict=True):
        vote(votes, name, outcome)
    (then,), (now,) = votes.list_standings("shop", now=NOW - behind), votes.list_standings("shop", now=NOW)
    assert then == now
    assert (now.maturity.state, now.maturity.helpful_count) == ("proven", 6)


def test_a_warning_survives_any_wrong_clock() -> None:
    votes = Credit()
    for name in "abc":
        vote(votes, name, "harmful")
    warned = votes.list_warnings("shop")
    for days in (-4_000, -2, 2, 4_000):
        vote(votes, "a", "harmful", now=NOW + days * DAY_MS)
        states = [each.maturity.state for each in votes.list_standings("shop", now=NOW + days * DAY_MS)]
        assert (votes.list_warnings("shop"), states[0]) == (warned, "deprecated")


def test_votes_from_far_in_the_future_do_not_lead_to_a_warning() -> None:
    votes = Credit()
    for name in "ab":
        vote(votes, name, "harmful", at=NOW + 9 * DAY_MS, now=NOW + 9 * DAY_MS)
    vote(votes, "c", "harmful")
    (standing,) = votes.list_standings("shop", now=NOW)
    assert (standing.pattern.failure_count, standing.maturity.state) == (1, "candidate")


def test_undo_follows_the_order_of_decisions_and_not_their_times() -> None:
    votes = Credit()
    vote(votes, "a", "helpful", at=NOW, now=NOW + 9 * DAY_MS)
    vote(votes, "b", "harmful")
    undone = [votes.undo("shop"), votes.undo("shop")]
    assert [each and each.source for each in undone] == ["b", "a"]
    assert votes.list_standings("shop") == []


TIMES = st.one_of(st.none(), st.integers(-LONGEST, LONGEST), st.integers(NOW - 400 * DAY_MS, NOW + 3 * DAY_MS))
FEEDBACK = st.lists(st.tuples(st.sampled_from(["helpful", "harmful", "neutral"]), TIMES), max_size=12)


def drop_and_clamp_times(feedback: list[tuple[Any, int | None]]) -> list[tuple[Any, int]]:
    """Omit times that are unreadable or more than a day ahead; replace other future times with now."""
    return [(kind, min(at, NOW)) for kind, at in feedback if at is not None and at <= NOW + DAY_MS]


@given(FEEDBACK)
def test_feedback_without_a_time_or_over_a_day_in_the_future_does_not_change_the_state(
    feedback: list[tuple[Any, int | None]],
) -> None:
    def state(each: list[Any]) -> str:
        return compute_state([MaturityFeedback("p", kind, at) for kind, at in each], now=NOW)

    assert state(feedback) == state(drop_and_clamp_times(feedback))


@given(FEEDBACK)
def test_feedback_without_a_time_or_over_a_day_in_the_future_does_not_change_a_weight(
    feedback: list[tuple[Any, int | None]],
) -> None:
    def weight(each: list[Any]) -> object:
        events = [FeedbackEvent(str(number), "error_fix", kind, at) for number, (kind, at) in enumerate(each)]
        found = compute_criterion_weight(events, now=NOW)
        last = None if found.last_validated is None else min(found.last_validated, NOW)
        return replace(found, last_validated=last)

    assert weight(feedback) == weight(drop_and_clamp_times(feedback))


@pytest.mark.parametrize("days", [0, 1])
def test_a_criterion_has_the_same_weight_under_a_clock_up_to_a_day_behind(days: int) -> None:
    events = [FeedbackEvent(str(n), "error_fix", "harmful" if n else "helpful", NOW) for n in range(4)]
    assert compute_criterion_weight(events, now=NOW - days * DAY_MS).weight == 0.25
