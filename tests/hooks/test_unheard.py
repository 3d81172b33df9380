"""A hook that was killed between claiming an offer and telling its host of it."""

from __future__ import annotations

import pytest

from mind_skills.hooks import start as starting
from mind_skills.hooks.session_state import DELIVERING, SessionMarkers, defer_offer, list_markers
from tests.hooks.lifecycle_world import World


def claims_and_dies(world: World, session: str) -> str:
    """What the hook would have said, had it not been killed."""
    moment = world.moment(session)
    return starting.handle_session_start(world.home, moment, marked=True) or ""


@pytest.mark.parametrize("times", [0, 1])
def test_what_a_session_was_never_told_is_offered_to_the_next_though_it_answered(world: World, times: int) -> None:
    world.tell("A learns x \n A ends")
    assert world.names(claims_and_dies(world, "B")) == "x"
    world.answers("B")
    for _ in range(times):
        world.tell("later B idles")
    assert world.tell("B ends \n C starts \n D starts") == ["x", "-"]


def test_where_the_log_holds_what_the_hook_said_it_was_told(world: World) -> None:
    world.tell("A learns x \n A ends")
    text = claims_and_dies(world, "B")
    world.line("B", "attachment", "y" * ((1 << 20) - 200) + text)  # across the border of two pieces
    world.answers("B")
    assert world.tell("B ends \n C starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_whoever_has_told_its_host_leaves_no_trace_of_it(world: World) -> None:
    world.tell("A learns x \n A ends")
    claims_and_dies(world, "B")
    SessionMarkers(world.home, "B").delivering.remove()
    world.answers("B")
    assert world.tell("B ends \n C starts") == ["-"]
    claims_and_dies(world, "C")  # which was offered nothing
    world.answers("C")
    world.tell("C ends")
    assert list_markers(world.home, DELIVERING) == []


def test_what_still_waits_for_the_first_prompt_when_the_session_ends_is_offered_to_the_next(world: World) -> None:
    world.tell("A learns x \n A ends")
    text = claims_and_dies(world, "B")
    SessionMarkers(world.home, "B").delivering.remove()
    defer_offer(world.home, world.moment("B"), text)  # and the hook that was to take it met a full disk
    world.answers("B")
    assert world.tell("B ends \n C starts \n D starts") == ["x", "-"]
