"""The loop of strategies: the next sessions are shown which strategies earlier ones followed, and how those ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.storage import SCHEMA, PatternStorage
from mind_skills.staging import session_votes as crediting
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.session_votes import update_advice
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, lessons, rereading

PLAN = "I will split by feature here."
WARNING = "- AVOID: Split by feature. Failed 3/3 times (100% failure rate)"


def run_session(world: World, session: str, outcome: OutcomeType, *, say: str = PLAN) -> None:
    """A session that states its plan, and ends with this outcome."""
    world.starts(session)
    world.line(session, "user", "please do it")
    world.divides(session, say)
    end_session(world, session, outcome)


def end_session(world: World, session: str, outcome: OutcomeType) -> None:
    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome)
        return found

    world.now += 1_000
    assert ending.handle_session_end(world.home, world.make_call(session, "other"), analyse_log=read) == []


def start_session(world: World, session: str, source: str = "startup") -> str:
    world.now += 1_000
    return starting.handle_session_start(world.home, world.make_call(session, source)) or ""


def votes(world: World) -> tuple[int, int]:
    with Database.open(world.home, SCHEMA) as database:
        pattern = PatternStorage(database).get(
            build_strategy_id(resolve_project(str(world.project)).id, "Split by feature")
        )
    return (0, 0) if pattern is None else (pattern.success_count, pattern.failure_count)


def test_three_failed_sessions_warn_the_next_one_once_until_the_strategy_is_reset(world: World) -> None:
    for name in "ABC":
        assert start_session(world, name) == ""
        run_session(world, name, "harmful")
    first = start_session(world, "D")
    assert first.count(WARNING) == 1
    assert start_session(world, "D") == first
    assert start_session(world, "D", "resume") == ""
    with Database.open(world.home, SCHEMA) as database:
        project = resolve_project(str(world.project)).id
        credit = Credit(database)
        credit.reset(credit.list_warnings(project)[0].id, now=world.now)
        update_advice(world.home, project, credit)
    assert start_session(world, "E") == ""


def test_an_offer_with_a_candidate_also_contains_the_warning(world: World) -> None:
    for name in "ABC":
        run_session(world, name, "harmful")
    world.tell("D starts\nD learns x\nD ends")
    text = start_session(world, "E")
    assert (world.names(text), text.count(WARNING), text.count("<openception-skill-extraction>")) == ("x", 1, 1)
    assert start_session(world, "F").count(WARNING) == 1


def test_a_session_that_was_only_warned_receives_a_candidate_when_it_is_resumed(world: World) -> None:
    for name in "ABC":
        run_session(world, name, "harmful")
    assert start_session(world, "D").count(WARNING) == 1
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


def test_five_helpful_sessions_show_their_strategy_as_proven(world: World) -> None:
    for name in "ABCDE":
        run_session(world, name, "helpful")
    assert "- Split by feature [PROVEN - 100% helpful from 5 observations]" in start_session(world, "F")


def test_a_strategy_that_sessions_only_announce_is_never_proven(world: World) -> None:
    for name in "ABCDE":
        world.starts(name)
        world.line(name, "user", "please do it")
        world.line(name, "assistant", PLAN)
        end_session(world, name, "helpful")
    assert (start_session(world, "F"), votes(world)) == ("", (0, 0))


@pytest.mark.parametrize("outcome", ["neutral", "unknown"])
def test_a_session_without_a_clear_outcome_casts_no_vote(world: World, outcome: OutcomeType) -> None:
    run_session(world, "A", outcome)
    assert votes(world) == (0, 0)


def test_a_session_that_was_only_shown_a_warning_casts_no_vote(world: World) -> None:
    for name in "ABC":
        run_session(world, name, "harmful")
    start_session(world, "D")
    run_session(world, "D", "helpful", say="Done.")
    assert votes(world) == (0, 3)


def test_a_session_that_ends_twice_and_is_recovered_votes_once(world: World) -> None:
    run_session(world, "A", "helpful")
    end_session(world, "A", "helpful")
    world.divides("A", PLAN)
    end_session(world, "A", "helpful")
    recovering.recover_sessions(world.home, world.now + 1, analyse_log=lessons)
    assert votes(world) == (1, 0)


def test_an_end_casts_the_vote_even_if_nothing_came_after_the_last_checkpoint(world: World) -> None:
    world.starts("A")
    world.line("A", "user", "please do it")
    world.divides("A", PLAN)
    world.now += 1_000

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type="harmful")
        return found

    idling.run_checkpoint(world.home, world.make_call("A"), analyse_increment=rereading(read))
    assert votes(world) == (0, 0)
    world.now += 1_000
    ending.handle_session_end(world.home, world.make_call("A", "other"), analyse_log=read)
    assert votes(world) == (0, 1)


def test_recovery_casts_the_vote_of_an_end_that_died_before_it_voted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:

        def dies(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(crediting, "credit_session", dies)
        with pytest.raises(KeyboardInterrupt):
            run_session(world, "A", "helpful")
    assert votes(world) == (0, 0)

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type="helpful")
        return found

    recovering.recover_sessions(world.home, world.now + 86_400_000, analyse_log=read)
    assert votes(world) == (1, 0)


def test_a_fork_does_not_vote_on_the_plans_of_its_parent(world: World) -> None:
    run_session(world, "A", "harmful")
    world.now += 1_000
    recovering.register_start(world.home, world.make_call("B", "fork"))
    world.divides("B", PLAN)
    end_session(world, "B", "harmful")
    assert votes(world) == (0, 1)
