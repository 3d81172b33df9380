"""A vote that a person undid does not return, whichever moment reads its session again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import recover as recovering
from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.storage import SCHEMA
from mind_skills.staging import start_files
from mind_skills.staging.analyse import Analysis
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, lessons, rereading

PLAN = "I will split by feature here."
Reader = Callable[[Path], Analysis]


def with_outcome(outcome: OutcomeType) -> Reader:
    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome)
        return found

    return read


def runs(world: World, session: str) -> None:
    world.now += 120_000
    world.starts(session)
    world.line(session, "user", "please do it")
    world.divides(session, PLAN)


def idles(world: World, session: str, read: Reader) -> None:
    world.line(session, "assistant", "I go on.")
    world.now += 120_000
    idling.run_checkpoint(world.home, world.make_call(session), analyse_increment=rereading(read))


def ends(world: World, session: str, read: Reader) -> None:
    world.now += 1_000
    ending.handle_session_end(world.home, world.make_call(session, "other"), analyse_log=read)


def recovers(world: World, session: str, read: Reader) -> None:
    world.line(session, "assistant", "More.")
    world.now += 3_600_000
    recovering.recover_sessions(world.home, world.now, analyse_log=read)


def undo(world: World) -> tuple[str, str]:
    with Database.open(world.home, SCHEMA) as database:
        undone = Credit(database).undo(resolve_project(str(world.project)).id)
    assert undone is not None
    return undone.what, undone.source


def votes(world: World) -> dict[str, str]:
    name = build_strategy_id(resolve_project(str(world.project)).id, "Split by feature")
    with Database.open(world.home, SCHEMA) as database:
        return {vote.source: vote.type for vote in Credit(database)._maturities.list_votes(name)}


@pytest.mark.parametrize("outcome", ["helpful", "harmful", "neutral"])
def test_an_undone_vote_does_not_return_at_idle_end_or_recovery(world: World, outcome: OutcomeType) -> None:
    runs(world, "A")
    ends(world, "A", with_outcome("helpful"))
    assert (votes(world), undo(world)) == ({"A": "helpful"}, ("vote", "A"))
    for moment in (idles, ends, recovers, ends):
        moment(world, "A", with_outcome(outcome))
        assert votes(world) == {}
    runs(world, "B")
    ends(world, "B", with_outcome("helpful"))
    assert votes(world) == {"B": "helpful"}


def test_undoing_a_changed_vote_restores_the_vote_before_the_change(world: World) -> None:
    runs(world, "A")
    ends(world, "A", with_outcome("helpful"))
    world.line("A", "assistant", "It fails after all.")
    ends(world, "A", with_outcome("harmful"))
    assert (votes(world), undo(world), votes(world)) == ({"A": "harmful"}, ("vote", "A"), {"A": "helpful"})
    recovers(world, "A", with_outcome("harmful"))
    assert votes(world) == {"A": "helpful"}


def test_a_session_that_is_read_ten_times_makes_one_decision_to_undo(world: World) -> None:
    runs(world, "A")
    for _ in range(5):
        idles(world, "A", with_outcome("helpful"))
    for _ in range(5):
        ends(world, "A", with_outcome("helpful"))
    assert undo(world) == ("vote", "A")
    with pytest.raises(AssertionError):
        undo(world)


def test_settings_of_a_project_decide_when_and_how_the_next_sessions_are_warned(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = 'min_observations = 2\nfailure_ratio_threshold = 1.0\nanti_pattern_prefix = "Rather not: "\n'
    (tmp_path / "mine.toml").write_text(f'[projects."{world.project}".anti_pattern]\n{numbers}')
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(tmp_path / "mine.toml"))
    for name in "AB":
        runs(world, name)
        world.now += 1_000
        ending.handle_session_end(world.home, world.make_call(name, "other"), analyse_log=with_outcome("harmful"))
    assert "- Rather not: Split by feature. Failed 2/2 times (100% failure rate)" in start_files.read_advice(
        world.home, resolve_project(str(world.project)).id
    )
