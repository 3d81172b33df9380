"""Hooks that run twice, from the settings and from the plugin, and ends of sessions that never started."""

from __future__ import annotations

from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World


def test_a_process_receives_its_offer_once_although_two_hooks_ask_for_it(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs")
    assert world.tell("B starts\nB starts") == ["x", "-"]
    assert world.tell("B answers\nB ends\nB ends\nC starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_only_the_first_of_two_hooks_receives_the_offer_after_clear(world: World) -> None:
    world.tell("A learns x\nA ends clear\nB runs")
    assert world.tell("B starts clear\nB starts clear") == ["x", "-"]


def test_an_end_without_a_start_and_without_a_log_registers_no_session(world: World) -> None:
    world.tell("A ends")
    with Ledger.open(world.home) as ledger:
        assert ledger.find_session("A") is None
    assert world.markers() == []


def test_a_session_that_ends_before_it_was_registered_frees_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs")
    from mind_skills.hooks.start import handle_session_start

    assert "x" in world.names(handle_session_start(world.home, world.make_call("B")) or "")
    assert world.tell("B ends\nC starts") == ["x"]
