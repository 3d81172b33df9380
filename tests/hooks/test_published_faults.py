"""Faults of the published plugin that concern the lifecycle, each as a test that it stays fixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.errors import UnusableDatabaseError
from mind_skills.hooks import start
from mind_skills.staging.analyse import analyse
from tests.hooks.lifecycle_world import World


def test_every_new_session_receives_what_was_learned_since_the_last_offer(world: World) -> None:
    story = "A starts\nA learns x\nA ends\nB starts\nB learns y\nB ends\nC starts\nC learns z\nC ends\nD starts"
    assert world.tell(story) == ["-", "x", "y", "z"]


def test_a_side_request_for_a_title_or_a_summary_does_not_use_up_the_offer(world: World) -> None:
    world.tell("A learns x\nA ends")
    side = world.make_call("B")
    side.subagent = True
    assert start.handle_session_start(world.home, side) is None
    assert world.tell("B starts") == ["x"]


def test_a_start_that_cannot_read_the_database_does_not_use_up_the_offer(world: World) -> None:
    world.tell("A learns x\nA ends")
    database = Path(world.home) / "mind-skills.db"
    away = database.rename(f"{database}.away")
    database.mkdir()
    with pytest.raises(UnusableDatabaseError):
        world.tell("B starts")
    database.rmdir()
    away.rename(database)
    assert world.tell("B starts") == ["x"]


def test_detection_does_not_stop_after_the_first_idle(world: World) -> None:
    world.tell("A starts\nA answers\nA idles\nlater A learns x\nA idles\nlater A learns y\nA idles")
    assert world.pending() == {"x": False, "y": False}


def test_candidates_that_another_session_staged_after_an_offer_are_not_cleared_at_idle(world: World) -> None:
    world.tell(
        "A learns x\nA ends\nB starts\nB answers\nC starts\nC learns y\nC ends\nB idles\nlater B answers\nB idles"
    )
    assert world.pending() == {"x": True, "y": False}
    world.tell("B ends")
    assert (world.pending(), world.history()) == ({"y": False}, {"x": "ignored"})


def test_detection_covers_the_whole_session_and_not_only_its_last_twenty_observations(world: World) -> None:
    world.tell("A starts\nA learns x")
    for _ in range(100):
        world.tell("A answers")
    world.tell("A idles")
    assert world.pending() == {"x": False}


def test_going_idle_does_not_finish_a_session(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers\nB idles\nlater B answers\nB idles")
    assert (world.pending(), world.unfinished()) == ({"x": True}, ["B"])


def test_a_failed_tool_call_reaches_detection(world: World) -> None:
    world.line("A", "user", "run it")
    world.block("A", "assistant", {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}})
    world.block(
        "A", "user", {"type": "tool_result", "tool_use_id": "t1", "content": "Exit code 2\nboom", "is_error": True}
    )
    assert analyse(Path(world.log("A"))).tool_call_count == 1
