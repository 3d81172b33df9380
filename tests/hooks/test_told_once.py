"""An offer reaches one session and no other, whatever shows or does not show that this session has read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks import start
from mind_skills.hooks.session_state import UNANSWERED, HookCall, defer_offer, take_deferred_offer
from mind_skills.store import processes
from tests.hooks.lifecycle_world import World

HOUR = 3_600_000


def pass_hours(world: World, hours: int) -> None:
    """Dates the markers to now, and lets hours pass."""
    for path in Path(world.home, UNANSWERED).rglob("*"):
        os.utime(path, (world.now / 1000, world.now / 1000))
    world.now += hours * HOUR


def test_a_deferred_offer_of_any_characters_arrives_in_a_locale_that_lacks_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("ascii", "surrogateescape"))
    monkeypatch.setattr(os, "fsdecode", lambda data: data.decode("ascii", "surrogateescape"))
    call = HookCall("gemini", "one", str(world.project), "", world.now)
    defer_offer(world.home, call, "größer – 大")
    assert take_deferred_offer(world.home, call) == "größer – 大"


def test_a_session_without_a_log_has_received_its_offer_once_it_goes_idle(world: World) -> None:
    world.tell("A learns x\nA ends")
    assert world.tell("B starts\nB idles\nB ends\nC starts\nC idles\nC ends\nD starts") == ["x", "-", "-"]
    assert (world.history(), world.log("B").exists()) == ({"x": "ignored"}, False)


def test_a_session_whose_log_was_removed_after_it_went_idle_has_received_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB answers\nB idles")
    world.log("B").unlink()
    assert world.tell("B dies\nC starts\nD starts") == ["-", "-"]
    assert world.history() == {"x": "ignored"}


def test_a_session_that_went_idle_because_of_an_error_has_not_received_its_offer(world: World) -> None:
    from mind_skills.hooks.idle import run_checkpoint

    world.tell("A learns x\nA ends\nB starts")
    run_checkpoint(world.home, world.make_call("B", "error"))
    assert world.tell("B ends\nC starts") == ["x"]


def test_an_idle_session_whose_log_shows_no_answer_has_not_received_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB asks\nB idles")
    assert world.tell("B ends\nC starts") == ["x"]


def test_a_session_killed_before_it_answered_holds_its_offer_when_it_is_resumed(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB asks\nB dies\nB runs")
    assert world.tell("B starts resume\nC starts") == ["-", "-"]
    assert world.tell("B answers\nB ends\nD starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_a_session_killed_again_after_a_resume_passes_its_offer_to_the_next(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB asks\nB dies\nB runs\nB starts resume\nB dies")
    assert world.tell("C starts\nD starts") == ["x", "-"]


@pytest.mark.parametrize(("hours", "offered"), [(1, ["-", "-"]), (11, ["-", "-"]), (13, ["x", "-"])])
def test_a_session_of_an_unknown_process_holds_its_unanswered_offer_for_half_a_day(
    world: World, hours: int, offered: list[str]
) -> None:
    world.tell("A learns x\nA ends\nB starts")
    pass_hours(world, hours)
    assert world.tell("C starts\nD starts") == offered


def test_a_process_number_of_another_container_does_not_withdraw_an_offer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell("A learns x\nA ends\nB runs\nB starts\nB dies")
    monkeypatch.setattr(processes, "_read_namespace", lambda: "another boot pid:[1]")
    pass_hours(world, 1)
    assert world.tell("C starts") == ["-"]


def test_a_session_that_answered_its_offer_is_finished_after_an_hour_of_silence(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers\nB idles")
    pass_hours(world, 1)
    world.tell("C starts")
    assert (world.unfinished(), world.history()) == (["C"], {"x": "ignored"})


def test_a_session_is_not_offered_its_own_candidate_and_the_next_session_is(world: World) -> None:
    story = "A starts\nA learns x\nA ends\nA starts resume\nA answers\nA ends\nB starts"
    assert world.tell(story) == ["-", "-", "x"]


def test_an_unanswered_offer_is_held_for_at_least_eight_hours() -> None:
    assert start.UNANSWERED_TIMEOUT_MS >= 8 * HOUR


def test_an_offer_deferred_to_the_first_prompt_survives_a_resume_before_that_prompt(world: World) -> None:
    world.tell("A starts\nA learns x\nA ends")
    for source in ("startup", "resume"):
        world.now += 1_000
        call = HookCall("gemini", "G", str(world.project), str(world.log("G")), world.now, source)
        defer_offer(world.home, call, start.handle_session_start(world.home, call))
    offers = [take_deferred_offer(world.home, call) or "" for _ in range(2)]
    assert [world.names(text) for text in offers] == ["x", "-"]
    assert start.handle_session_start(world.home, call) is None
