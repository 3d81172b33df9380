"""Credit by use: one vote per session, from its outcome, and its effect on patterns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.anti_patterns import format_anti_patterns
from mind_skills.learning.credit import Credit, UnknownPatternError, build_strategy_id
from mind_skills.learning.maturity import deprecate
from mind_skills.learning.statistics import DAY_MS

NOW = 1_800_000_000_000
FEATURE, LAYER = "Split by feature", "Split by layer (UI/logic/data)"
ID = build_strategy_id("shop", FEATURE)


@pytest.fixture
def credit() -> Credit:
    return Credit()


def vote_and_count(
    credit: Credit, session: str, outcome: str, *strategies: str, at: int = NOW
) -> list[tuple[int, int, str]]:
    found = credit.vote("shop", session, strategies or (FEATURE,), outcome, at=at, now=NOW)  # type: ignore[arg-type]
    return [(each.pattern.success_count, each.pattern.failure_count, each.maturity.state) for each in found]


def test_three_harmful_sessions_create_one_warning_and_a_fourth_does_not_change_it(credit: Credit) -> None:
    assert [vote_and_count(credit, name, "harmful") for name in "abcd"] == [
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
    assert credit.list_standings("shop")[0].pattern.example_tasks == ("a", "b", "c", "d")


def test_a_warning_disappears_when_the_votes_that_justified_it_change(credit: Credit) -> None:
    """A continuing session votes each time it is analysed, and may still succeed."""
    for name, outcome in (("a", "helpful"), ("b", "harmful"), ("c", "helpful"), ("d", "harmful"), ("e", "harmful")):
        vote_and_count(credit, name, outcome)
    assert [each.content for each in credit.list_warnings("shop")] == [
        "AVOID: Split by feature. Failed 3/5 times (60% failure rate)"
    ]
    vote_and_count(credit, "d", "unknown")
    vote_and_count(credit, "e", "helpful")
    assert vote_and_count(credit, "f", "helpful") == [(4, 1, "established")]
    assert credit.list_warnings("shop") == []


def test_a_warning_survives_a_changed_vote_if_the_remaining_votes_justify_it(credit: Credit) -> None:
    for name in "abcd":
        vote_and_count(credit, name, "harmful")
    assert vote_and_count(credit, "d", "helpful") == [(1, 3, "deprecated")]
    assert [each.content for each in credit.list_warnings("shop")] == [
        "AVOID: Split by feature. Failed 3/4 times (75% failure rate)"
    ]


def test_a_strategy_deprecated_by_hand_stays_deprecated_after_a_helpful_session(credit: Credit) -> None:
    vote_and_count(credit, "a", "harmful")
    (standing,) = credit.list_standings("shop")
    credit._maturities.store(deprecate(standing.maturity, "we are one team", now=NOW))
    assert vote_and_count(credit, "a", "helpful") == [(1, 0, "deprecated")]


def test_a_pinned_strategy_is_not_inverted_until_it_is_unpinned(credit: Credit) -> None:
    vote_and_count(credit, "a", "helpful")
    credit.pin(ID, now=NOW)
    assert [vote_and_count(credit, name, "harmful")[0][2] for name in "bcde"] == ["candidate"] * 4
    assert credit.list_warnings("shop") == []
    assert credit.pin(ID, now=NOW, pinned=False).maturity.state == "deprecated"
    assert [each.reason for each in credit.list_warnings("shop")] == ["Failed 4/5 times (80% failure rate)"]
    assert credit.undo("shop") is not None
    assert credit.list_warnings("shop") == []


def test_a_pinned_strategy_keeps_its_warning_when_a_vote_changes(credit: Credit) -> None:
    for name in "abc":
        vote_and_count(credit, name, "harmful")
    credit.pin(ID, now=NOW)
    warned = credit.list_warnings("shop")
    assert [vote_and_count(credit, name, "helpful")[0][2] for name in "ab"] == ["deprecated"] * 2
    assert credit.list_warnings("shop") == warned != []


def test_votes_that_changed_while_a_strategy_was_pinned_decide_again_when_it_is_unpinned(credit: Credit) -> None:
    for name in "abc":
        vote_and_count(credit, name, "harmful")
    warned = credit.list_warnings("shop")
    credit.pin(ID, now=NOW)
    for name in "abc":
        vote_and_count(credit, name, "helpful")
    assert credit.list_warnings("shop") == warned != []
    standing = credit.pin(ID, now=NOW, pinned=False)
    assert (standing.maturity.state, standing.maturity.reason, standing.pattern.inverted_to) == ("established", "", "")
    assert credit.list_warnings("shop") == []
    assert credit.undo("shop") is not None
    assert ([each.maturity.pinned for each in credit.list_standings("shop")], credit.list_warnings("shop")) == (
        [True, False],
        warned,
    )


def test_a_permanent_deprecation_outlasts_a_pin_if_none_of_its_votes_changed(credit: Credit) -> None:
    for name in "abc":
        vote_and_count(credit, name, "harmful")
    warned = credit.list_warnings("shop")
    credit.pin(ID, now=NOW)
    for name in "defghijk":
        vote_and_count(credit, name, "helpful")
    assert credit.pin(ID, now=NOW, pinned=False).maturity.state == "deprecated"
    assert credit.list_warnings("shop") == warned != []


def test_a_strategy_was_last_validated_by_its_reset_after_its_only_helpful_vote_since_is_withdrawn(
    credit: Credit,
) -> None:
    vote_and_count(credit, "a", "helpful", at=NOW - 2 * DAY_MS)
    credit.reset(ID, now=NOW - DAY_MS)
    vote_and_count(credit, "b", "helpful")
    vote_and_count(credit, "b", "unknown")
    assert [each.maturity.last_validated for each in credit.list_standings("shop")] == [NOW - DAY_MS]


def test_a_strategy_whose_only_helpful_vote_is_withdrawn_was_never_validated(credit: Credit) -> None:
    vote_and_count(credit, "a", "helpful", at=NOW - DAY_MS)
    vote_and_count(credit, "b", "helpful")
    vote_and_count(credit, "b", "harmful")
    assert [each.maturity.last_validated for each in credit.list_standings("shop")] == [NOW - DAY_MS]
    vote_and_count(credit, "a", "unknown")
    assert [each.maturity.last_validated for each in credit.list_standings("shop")] == [None]


def test_a_strategy_deprecated_by_votes_and_by_hand_stays_deprecated_when_the_votes_change(credit: Credit) -> None:
    for name in "abc":
        vote_and_count(credit, name, "harmful")
    assert credit.deprecate(ID, "we are one team", now=NOW).maturity.reason == "we are one team"
    assert credit.deprecate(ID, "again", now=NOW).maturity.reason == "we are one team"
    assert [vote_and_count(credit, name, "helpful")[0][2] for name in "abc"] == ["deprecated"] * 3
    assert credit.list_warnings("shop") == []


def test_a_strategy_named_twice_in_one_session_gets_one_vote(credit: Credit) -> None:
    assert vote_and_count(credit, "a", "helpful", FEATURE, LAYER, FEATURE) == [(1, 0, "candidate")] * 2


def test_a_reset_removes_the_warning_and_all_votes(credit: Credit) -> None:
    for name in "abc":
        vote_and_count(credit, name, "harmful")
    (warning,) = credit.list_warnings("shop")
    blank = credit.reset(warning.id, now=NOW)
    assert (blank.success_count, blank.failure_count, blank.inverted_to, credit.list_warnings("shop")) == (0, 0, "", [])
    assert vote_and_count(credit, "d", "helpful") == [(1, 0, "candidate")]
    with pytest.raises(UnknownPatternError):
        credit.reset("none", now=NOW)


SESSIONS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["helpful", "harmful", "neutral", "unknown"])), max_size=30
)


@given(SESSIONS)
def test_only_the_last_outcome_of_each_session_counts(sessions: list[tuple[str, str]]) -> None:
    one, other = (Credit() for _ in range(2))
    for name, outcome in sessions:
        seen = vote_and_count(one, name, outcome)[0][:2]
    last = dict(sessions)
    for name, outcome in last.items():
        once = vote_and_count(other, name, outcome)[0][:2]
    if sessions:
        assert seen == once == (list(last.values()).count("helpful"), list(last.values()).count("harmful"))
