"""An offer reaches one session and no second: whatever shows, or does not show, that the first has read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks import processes, start
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_state import UNANSWERED, defer_offer, take_deferred_offer
from tests.hooks.lifecycle_world import World

HOUR = 3_600_000


def aged(world: World, hours: int) -> None:
    """Let that much time pass, also for the traces."""
    for path in Path(world.home, UNANSWERED).rglob("*"):
        os.utime(path, (world.now / 1000, world.now / 1000))
    world.now += hours * HOUR


def test_a_session_without_a_log_that_went_idle_has_been_told(world: World) -> None:
    world.tell("A learns x\nA ends")
    assert world.tell("B starts\nB idles\nB ends\nC starts\nC idles\nC ends\nD starts") == ["x", "-", "-"]
    assert (world.history(), world.log("B").exists()) == ({"x": "ignored"}, False)


def test_a_session_whose_log_was_removed_after_it_went_idle_has_been_told(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB answers\nB idles")
    world.log("B").unlink()
    assert world.tell("B dies\nC starts\nD starts") == ["-", "-"]
    assert world.history() == {"x": "ignored"}


def test_an_agent_that_went_idle_over_an_error_has_not_been_told(world: World) -> None:
    from mind_skills.hooks.idle import run_checkpoint

    world.tell("A learns x\nA ends\nB starts")
    run_checkpoint(world.home, world.moment("B", "error"))
    assert world.tell("B ends\nC starts") == ["x"]


def test_where_there_is_a_log_it_decides(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB asks\nB idles")
    assert world.tell("B ends\nC starts") == ["x"]


def test_killed_before_it_answered_and_resumed_it_still_holds_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB asks\nB dies\nB runs")
    assert world.tell("B starts resume\nC starts") == ["-", "-"]
    assert world.tell("B answers\nB ends\nD starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_killed_resumed_and_killed_again_it_gives_its_offer_to_the_next(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB asks\nB dies\nB runs\nB starts resume\nB dies")
    assert world.tell("C starts\nD starts") == ["x", "-"]


@pytest.mark.parametrize(("hours", "offered"), [(1, ["-", "-"]), (11, ["-", "-"]), (13, ["x", "-"])])
def test_where_the_process_is_unknown_a_first_prompt_may_be_hours_in_coming(
    world: World, hours: int, offered: list[str]
) -> None:
    world.tell("A learns x\nA ends\nB starts")
    aged(world, hours)
    assert world.tell("C starts\nD starts") == offered


def test_a_number_from_another_container_does_not_take_the_offer_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB dies")
    monkeypatch.setattr(processes, "_read_namespace", lambda: "another boot pid:[1]")
    aged(world, 1)
    assert world.tell("C starts") == ["-"]


def test_once_it_has_answered_silence_is_the_end_as_for_every_session(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers\nB idles")
    aged(world, 1)
    world.tell("C starts")
    assert (world.unfinished(), world.history()) == (["C"], {"x": "ignored"})


def test_what_a_session_learned_is_not_used_up_on_itself(world: World) -> None:
    story = "A starts\nA learns x\nA ends\nA starts resume\nA answers\nA ends\nB starts"
    assert world.tell(story) == ["-", "-", "x"]


def test_the_longest_wait_is_longer_than_a_pause_at_the_prompt() -> None:
    assert start.UNANSWERED_TIMEOUT_MS >= 8 * HOUR


def test_what_is_held_back_for_the_first_prompt_waits_for_it_also_when_the_session_is_resumed_before(
    world: World,
) -> None:
    world.tell("A starts\nA learns x\nA ends")
    for source in ("startup", "resume"):
        world.now += 1_000
        moment = Moment("gemini", "G", str(world.project), str(world.log("G")), world.now, source)
        defer_offer(world.home, moment, start.handle_session_start(world.home, moment))
    told = [take_deferred_offer(world.home, moment) or "" for _ in range(2)]
    assert [world.names(text) for text in told] == ["x", "-"]
    assert start.handle_session_start(world.home, moment) is None
