"""The loop of strategies: what sessions followed and how they came out is told to the next ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import recover as recovering
from mind_skills.hooks import session_votes as crediting
from mind_skills.hooks import start as starting
from mind_skills.hooks.session_votes import update_advice
from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.storage import SCHEMA, PatternStorage
from mind_skills.staging.analyse import Analysis
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, lessons, on

PLAN = "I will split by feature here."
WARNING = "- AVOID: Split by feature. Failed 3/3 times (100% failure rate)"


def ends(world: World, session: str, outcome: OutcomeType, *, say: str = PLAN) -> None:
    """A session that says what it does, and how it came out."""
    world.starts(session)
    world.line(session, "user", "please do it")
    world.line(session, "assistant", say)
    over(world, session, outcome)


def over(world: World, session: str, outcome: OutcomeType) -> None:
    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome)
        return found

    world.now += 1_000
    assert ending.handle_session_end(world.home, world.moment(session, "other"), read=read) == []


def told(world: World, session: str, source: str = "startup") -> str:
    world.now += 1_000
    return starting.handle_session_start(world.home, world.moment(session, source)) or ""


def votes(world: World) -> tuple[int, int]:
    with Database.open(world.home, SCHEMA) as database:
        pattern = PatternStorage(database).get(
            build_strategy_id(resolve_project(str(world.project)).id, "Split by feature")
        )
    return (0, 0) if pattern is None else (pattern.success_count, pattern.failure_count)


def test_three_failing_sessions_warn_the_fourth_once_and_a_reset_ends_it(world: World) -> None:
    for name in "ABC":
        assert told(world, name) == ""
        ends(world, name, "harmful")
    first = told(world, "D")
    assert first.count(WARNING) == 1
    assert told(world, "D") == first
    assert told(world, "D", "resume") == ""
    with Database.open(world.home, SCHEMA) as database:
        project = resolve_project(str(world.project)).id
        credit = Credit(database)
        credit.reset(credit.list_warnings(project)[0].id, now=world.now)
        update_advice(world.home, project, credit)
    assert told(world, "E") == ""


def test_a_warning_stands_behind_the_learnings_that_wait(world: World) -> None:
    for name in "ABC":
        ends(world, name, "harmful")
    world.tell("D starts\nD learns x\nD ends")
    text = told(world, "E")
    assert (world.names(text), text.count(WARNING), text.count("<openception-skill-extraction>")) == ("x", 1, 1)
    assert told(world, "F").count(WARNING) == 1


def test_a_session_that_was_only_warned_is_handed_what_waits_when_it_is_resumed(world: World) -> None:
    for name in "ABC":
        ends(world, name, "harmful")
    assert told(world, "D").count(WARNING) == 1
    story = """
        D answers
        D ends
        E starts
        E learns x
        E ends
        D starts resume
        D starts resume
        D answers
        D ends
        F starts
    """
    assert (world.tell(story), world.history()) == (["-", "x", "-", "-"], {"x": "ignored"})


def test_five_sessions_that_went_well_commend_it(world: World) -> None:
    for name in "ABCDE":
        ends(world, name, "helpful")
    assert "- Split by feature [PROVEN - 100% helpful from 5 observations]" in told(world, "F")


@pytest.mark.parametrize("outcome", ["neutral", "unknown"])
def test_a_session_of_which_nothing_can_be_said_casts_no_vote(world: World, outcome: OutcomeType) -> None:
    ends(world, "A", outcome)
    assert votes(world) == (0, 0)


def test_being_shown_a_warning_is_no_use_of_it(world: World) -> None:
    for name in "ABC":
        ends(world, name, "harmful")
    told(world, "D")
    ends(world, "D", "helpful", say="Done.")
    assert votes(world) == (0, 3)


def test_a_session_that_ends_twice_and_is_recovered_votes_once(world: World) -> None:
    ends(world, "A", "helpful")
    over(world, "A", "helpful")
    world.line("A", "assistant", PLAN)
    over(world, "A", "helpful")
    recovering.recover_sessions(world.home, world.now + 1, read=lessons)
    assert votes(world) == (1, 0)


def test_what_a_pause_has_seen_is_a_vote_in_the_end_also_where_nothing_came_after_it(world: World) -> None:
    world.starts("A")
    world.line("A", "user", "please do it")
    world.line("A", "assistant", PLAN)
    world.now += 1_000

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type="harmful")
        return found

    idling.run_checkpoint(world.home, world.moment("A"), read_on=on(read))
    assert votes(world) == (0, 0)
    world.now += 1_000
    ending.handle_session_end(world.home, world.moment("A", "other"), read=read)
    assert votes(world) == (0, 1)


def test_an_end_that_died_before_its_vote_was_cast_is_made_up_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:

        def dies(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(crediting, "credit_session", dies)
        with pytest.raises(KeyboardInterrupt):
            ends(world, "A", "helpful")
    assert votes(world) == (0, 0)

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type="helpful")
        return found

    recovering.recover_sessions(world.home, world.now + 86_400_000, read=read)
    assert votes(world) == (1, 0)


def test_a_fork_does_not_vote_on_the_plans_of_its_parent(world: World) -> None:
    ends(world, "A", "harmful")
    world.now += 1_000
    recovering.register_start(world.home, world.moment("B", "fork"))
    world.line("B", "assistant", PLAN)
    over(world, "B", "harmful")
    assert votes(world) == (0, 1)
