"""A hook that was killed between claiming an offer and handing it to its host."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from mind_skills.hooks import start as starting
from mind_skills.hooks import unread_offers
from mind_skills.hooks.session_state import DELIVERING, SessionMarkers, defer_offer, list_markers
from mind_skills.hooks.unread_offers import has_answered
from mind_skills.store import processes
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World


def claim_and_die(world: World, session: str) -> str:
    """The text that the hook would have handed to its host, had it not been killed."""
    call = world.make_call(session)
    return starting.handle_session_start(world.home, call, caller_removes_marker=True) or ""


@pytest.mark.parametrize("times", [0, 1])
def test_an_offer_that_never_reached_its_session_is_made_to_the_next_even_if_it_answered(
    world: World, times: int
) -> None:
    world.tell("A learns x \n A ends")
    assert world.names(claim_and_die(world, "B")) == "x"
    world.answers("B")
    for _ in range(times):
        world.tell("later B idles")
    assert world.tell("B ends \n C starts \n D starts") == ["x", "-"]


def test_an_offer_that_the_log_contains_counts_as_received(world: World) -> None:
    world.tell("A learns x \n A ends")
    text = claim_and_die(world, "B")
    world.line(
        "B", "attachment", "y" * ((1 << 20) - 200) + text
    )  # the offer crosses the border of two blocks that are read
    world.answers("B")
    assert world.tell("B ends \n C starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_an_offer_handed_to_its_host_leaves_no_delivery_marker(world: World) -> None:
    world.tell("A learns x \n A ends")
    claim_and_die(world, "B")
    SessionMarkers(world.home, "B").delivering.remove()
    world.answers("B")
    assert world.tell("B ends \n C starts") == ["-"]
    claim_and_die(world, "C")  # C was offered nothing
    world.answers("C")
    world.tell("C ends")
    assert list_markers(world.home, DELIVERING) == []


def test_an_offer_deferred_to_a_prompt_that_never_took_it_is_made_to_the_next_session(world: World) -> None:
    world.tell("A learns x \n A ends")
    text = claim_and_die(world, "B")
    SessionMarkers(world.home, "B").delivering.remove()
    defer_offer(world.home, world.make_call("B"), text)  # and the hook that should have taken it met a full disk
    world.answers("B")
    assert world.tell("B ends \n C starts \n D starts") == ["x", "-"]


def test_only_a_missing_an_empty_and_an_unchanged_log_show_that_nobody_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.log("empty").write_text("")
    world.line("asked", "user", "please do it")
    world.answers("answered")
    world.log("damaged").write_text("not a log")
    world.log("folder").mkdir()
    names = ("none", "empty", "asked", "answered", "damaged", "folder")
    assert {name: has_answered(str(world.log(name))) for name in names} == {
        **dict.fromkeys(("none", "empty", "asked"), False),
        **dict.fromkeys(("answered", "damaged", "folder"), True),
    }
    assert (has_answered(""), has_answered(str(world.log("answered")), since=world.now + 1_000)) == (False, False)
    size = world.log("asked").stat().st_size
    found = []
    for limit in (size, size - 1):  # a larger log is not read
        monkeypatch.setattr(unread_offers, "MAX_LOG_BYTES", limit)
        found.append(has_answered(str(world.log("asked"))))
    assert found == [False, True]


def test_a_log_that_the_disk_cannot_show_counts_as_answered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> tuple[int, int]:
        raise OSError(errno.EIO, "input/output error")

    world.line("asked", "user", "please do it")
    monkeypatch.setattr(unread_offers, "stat_log", fail)
    assert has_answered(str(world.log("asked")))


@pytest.mark.parametrize("is_registered", [True, False])
def test_a_marker_without_an_offer_does_not_delay_the_offers_of_others(world: World, is_registered: bool) -> None:
    with world:
        world.runs("B")
        if is_registered:
            world.tell("B starts")
        call, markers = world.make_call("B"), SessionMarkers(world.home, "B", resolve_project(str(world.project)).id)
        markers.unanswered.write(f"{processes.describe_process(call.pid)}\nB\n{call.log}")
        world.dies("B")
        assert (world.tell("A learns x \n A ends \n C starts"), markers.unanswered.exists()) == (["x"], False)


def test_a_skill_is_linked_even_if_its_session_was_resumed_after_its_offer_was_settled(world: World) -> None:
    world.tell("A learns x \n A ends \n B starts \n B answers \n B ends \n C learns y \n C ends")
    call = world.make_call("B", "resume")
    starting.handle_session_start(world.home, call, caller_removes_marker=True)
    assert list_markers(world.home, DELIVERING) == []
    world.tell("B writes x \n later B ends")
    assert world.history() == {"x": "accepted"}
