"""Every decision about strategies can be undone and leaves the previous state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.anti_patterns import AntiPatternConfig
from mind_skills.learning.credit import (
    MAX_DECISIONS,
    Credit,
    Decision,
    Snapshot,
    UnknownPatternError,
    build_strategy_id,
)
from mind_skills.learning.maturity import PatternMaturity
from mind_skills.learning.rules import Rules
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.storage import SCHEMA
from mind_skills.store.database import Database

NOW = 1_800_000_000_000
FEATURE, LAYER = "Split by feature", "Split by layer (UI/logic/data)"
ID = build_strategy_id("shop", FEATURE)
NO_MATURITY = PatternMaturity("")


@contextmanager
def in_memory(_: Path) -> Iterator[Credit]:
    yield Credit()


@contextmanager
def on_disk(home: Path) -> Iterator[Credit]:
    with Database.open(home, SCHEMA) as database:
        yield Credit(database)


@pytest.fixture(params=[in_memory, on_disk])
def credit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Credit]:
    with request.param(tmp_path / "state") as opened:
        yield opened


def read_state(credit: Credit) -> object:
    """Return the whole stored state, ignoring the order of votes."""
    names = [build_strategy_id("shop", name) for name in (FEATURE, LAYER)]
    votes = {name: sorted(credit._maturities.list_votes(name), key=lambda vote: vote.source) for name in names}
    patterns = {pattern.id: pattern for pattern in credit._patterns.list_all()}
    return patterns, {each.pattern_id: each for each in credit._maturities.list_all()}, votes


Step = tuple[str, str, str, str]
STEPS_TAKEN = st.lists(
    st.tuples(
        st.sampled_from(["vote"] * 6 + ["reset", "deprecate", "pin", "unpin"]),
        st.sampled_from([FEATURE, LAYER]),
        st.sampled_from("abcdef"),
        st.sampled_from(["helpful", "harmful", "harmful", "neutral"]),
    ),
    max_size=25,
)


def take_step(credit: Credit, step: Step, at: int) -> None:
    what, strategy, session, outcome = step
    name = build_strategy_id("shop", strategy)
    try:
        if what == "vote":
            credit.vote("shop", session, [strategy], outcome, at=NOW, now=at)  # type: ignore[arg-type]
        elif what == "reset":
            credit.reset(name, now=at)
        elif what == "deprecate":
            credit.deprecate(name, "we are one team", now=at)
        else:
            credit.pin(name, now=at, pinned=what == "pin")
    except UnknownPatternError:
        return


@given(STEPS_TAKEN)
def test_each_undo_restores_the_previous_state_after_any_sequence_of_decisions(steps: list[Step]) -> None:
    credit = Credit()
    before: list[tuple[str, object]] = []
    for number, step in enumerate(steps):
        was, last = read_state(credit), credit.get_last_decision("shop")
        take_step(credit, step, NOW + number)
        found = credit.get_last_decision("shop")
        if found is not None and found != last:
            before.append((found.id, was))
        # A decision that changes nothing is not stored; a neutral session may leave a strategy without votes.
    for id_, was in reversed(before):
        undone = credit.undo("shop")
        assert (undone and undone.id, normalise_state(read_state(credit))) == (id_, normalise_state(was))
    assert credit.undo("shop") is None


def normalise_state(state: Any) -> object:
    """Return the state without timestamps of evaluations, and without strategies that have no votes."""
    patterns, maturities, votes = state
    without_votes = {
        name
        for name, found in votes.items()
        if not found and replace(maturities.get(name, NO_MATURITY), pattern_id="", last_validated=None) == NO_MATURITY
    }
    return (
        {n: replace(p, updated_at=0, created_at=0) for n, p in patterns.items() if n not in without_votes},
        {n: replace(m, last_validated=0) for n, m in maturities.items() if n not in without_votes},
        votes,
    )


def test_undoing_a_vote_also_removes_the_warning_that_it_created(credit: Credit) -> None:
    for name in "ab":
        credit.vote("shop", name, [FEATURE], "harmful", at=NOW, now=NOW)
    before = read_state(credit)
    credit.vote("shop", "c", [FEATURE], "harmful", at=NOW, now=NOW)
    assert len(credit.list_warnings("shop")) == 1
    undone = credit.undo("shop")
    assert undone is not None
    assert (undone.what, undone.source, undone.pattern_id) == ("vote", "c", ID)
    assert read_state(credit) == before
    credit.vote("shop", "d", [FEATURE], "harmful", at=NOW, now=NOW)
    assert [each.content for each in credit.list_warnings("shop")] == [
        "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"
    ]


def test_an_undone_vote_does_not_come_back_when_its_session_is_analysed_again(credit: Credit) -> None:
    credit.vote("shop", "a", [FEATURE], "helpful", at=NOW, now=NOW)
    credit.vote("shop", "b", [FEATURE], "helpful", at=NOW, now=NOW)
    credit.undo("shop")
    for outcome in ("helpful", "harmful", "neutral"):
        (standing,) = credit.vote("shop", "b", [FEATURE], outcome, at=NOW, now=NOW + 1)
        assert (standing.pattern.success_count, standing.pattern.failure_count) == (1, 0)
    assert credit.list_undone_sessions(ID) == {"b"}
    credit.vote("shop", "b", [FEATURE], "harmful", at=NOW, now=NOW + 2, recast_undone=True)
    assert (credit.list_standings("shop")[0].pattern.failure_count, credit.list_undone_sessions(ID)) == (1, set())


def test_a_repetition_without_effect_is_not_stored_as_a_decision(credit: Credit) -> None:
    for _ in range(3):
        credit.vote("shop", "a", [FEATURE], "helpful", at=NOW, now=NOW)
        credit.deprecate(ID, "we are one team", now=NOW)
        credit.pin(ID, now=NOW)
    credit.vote("shop", "b", [FEATURE], "neutral", at=NOW, now=NOW)
    assert [each.what for each in credit.list_decisions(ID)] == ["vote", "deprecated", "pinned"]
    credit.reset(ID, now=NOW)
    credit.reset(ID, now=NOW)
    assert [each.what for each in credit.list_decisions(ID)] == ["vote", "deprecated", "pinned", "reset"]


def test_undo_leaves_decisions_of_other_projects_alone(credit: Credit) -> None:
    credit.vote("shop", "a", [FEATURE], "helpful", at=NOW, now=NOW)
    credit.vote("blog", "b", [FEATURE], "helpful", at=NOW, now=NOW + 1)
    assert credit.undo("none") is None
    undone = credit.undo("shop")
    assert (undone and undone.source, [each.pattern.id for each in credit.list_standings()]) == (
        "a",
        [build_strategy_id("blog", FEATURE)],
    )


def test_a_state_decays_without_new_votes_unless_it_is_pinned(credit: Credit) -> None:
    for name in "abcde":
        credit.vote("shop", name, [FEATURE], "helpful", at=NOW, now=NOW)
    last, later = credit.get_last_decision("shop"), NOW + 90 * DAY_MS
    assert last is not None
    assert credit.compute_state_before(last, now=NOW) == "established"
    assert [credit.list_standings("shop", now=at)[0].maturity.state for at in (NOW, later)] == ["proven", "established"]
    assert (credit.list_proven("shop", now=later), len(credit.list_proven("shop"))) == ([], 1)
    credit.pin(ID, now=NOW)
    assert credit.list_standings("shop", now=later)[0].maturity.state == "proven"


def test_a_deprecation_by_hand_whose_reason_resembles_a_vote_count_outlasts_votes(credit: Credit) -> None:
    credit.vote("shop", "a", [FEATURE], "harmful", at=NOW, now=NOW)
    credit.deprecate(ID, "Failed us twice", now=NOW)
    (standing,) = credit.vote("shop", "a", [FEATURE], "helpful", at=NOW, now=NOW)
    assert (standing.maturity.state, standing.maturity.reason) == ("deprecated", "Failed us twice")


@pytest.mark.parametrize("what", [Credit.reset, Credit.pin, lambda c, name, now: c.deprecate(name, "r", now=now)])
def test_an_unknown_pattern_is_an_error(credit: Credit, what: Callable[..., object]) -> None:
    with pytest.raises(UnknownPatternError):
        what(credit, "none", now=NOW)


def test_only_the_newest_decisions_are_stored(credit: Credit) -> None:
    journal = credit._journal
    for number in range(MAX_DECISIONS + 5):
        journal.add(Decision("shop", "p", "pinned", number, Snapshot(), id=str(number)))
    assert [each.at for each in journal.list_decisions("p")] == list(range(5, MAX_DECISIONS + 5))
    assert [each and each.at for each in (journal.undo("shop"), journal.get_last("shop"))] == [
        MAX_DECISIONS + 4,
        MAX_DECISIONS + 3,
    ]
    assert journal.get_last("blog") is None


def test_the_snapshot_of_a_decision_is_read_back_unchanged(credit: Credit) -> None:
    for name in "abc":
        credit.vote("shop", name, [FEATURE], "harmful", at=NOW, now=NOW)
    families = [credit._journal.take_snapshot(ID), Snapshot()]
    assert families[0].warning is not None
    for family in families:
        credit._journal.add(Decision("shop", ID, "pinned", 1, family))
    assert [each.before for each in credit.list_decisions(ID)][-2:] == families


def test_the_settings_decide_the_threshold_and_the_prefix_of_a_warning(tmp_path: Path) -> None:
    rules = Rules(anti_pattern=AntiPatternConfig(2, 1.0, "避免: "))
    with Database.open(tmp_path, SCHEMA) as database:
        credit = Credit(database, rules)
        for name in "ab":
            credit.vote("shop", name, ["避免: Split by feature"], "harmful", at=NOW, now=NOW)
        assert [each.content for each in credit.list_warnings("shop")] == [
            "避免: Split by feature. Failed 2/2 times (100% failure rate)"
        ]


def test_deprecating_a_strategy_that_votes_had_deprecated_for_now_is_a_decision(credit: Credit) -> None:
    for name, outcome in zip("abc", ("helpful", "helpful", "harmful"), strict=True):
        credit.vote("shop", name, [FEATURE], outcome, at=NOW, now=NOW)  # type: ignore[arg-type]
    before = read_state(credit)
    assert credit.list_standings("shop")[0].maturity.state == "deprecated"
    credit.deprecate(ID, "", now=NOW)
    credit.vote("shop", "d", [FEATURE], "helpful", at=NOW, now=NOW)
    (standing,) = credit.list_standings("shop")
    assert (standing.maturity.state, standing.maturity.reason) == ("deprecated", "no reason given")
    assert [each and each.what for each in (credit.undo("shop"), credit.undo("shop"))] == ["vote", "deprecated"]
    assert read_state(credit) == before


def test_a_state_that_changes_by_time_alone_is_not_a_decision(credit: Credit) -> None:
    for name, outcome in zip("abc", ("helpful", "helpful", "harmful"), strict=True):
        credit.vote("shop", name, [FEATURE], outcome, at=NOW, now=NOW)  # type: ignore[arg-type]
    for days in range(1, 90):
        credit.vote("shop", "a", [FEATURE], "helpful", at=NOW + days * DAY_MS, now=NOW + days * DAY_MS)
    assert [each.source for each in credit.list_decisions(ID)] == ["a", "b", "c"]
