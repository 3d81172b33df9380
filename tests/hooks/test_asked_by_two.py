"""Hooks that come twice, from the settings beside the plugin, and ends of sessions that never began."""

from __future__ import annotations

from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World


def test_one_process_is_told_once_however_many_hooks_ask_for_it(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs")
    assert world.tell("B starts\nB starts") == ["x", "-"]
    assert world.tell("B answers\nB ends\nB ends\nC starts") == ["-"]
    assert world.history() == {"x": "ignored"}


def test_both_copies_find_nothing_more_to_say_after_clear(world: World) -> None:
    world.tell("A learns x\nA ends clear\nB runs")
    assert world.tell("B starts clear\nB starts clear") == ["x", "-"]


def test_what_ends_without_having_begun_and_without_a_log_is_no_session(world: World) -> None:
    world.tell("A ends")
    with Ledger.open(world.home) as ledger:
        assert ledger.find_session("A") is None
    assert world.traces() == []


def test_one_that_was_told_something_and_ends_before_it_was_registered_frees_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB runs")
    from mind_skills.hooks.start import handle_session_start

    assert "x" in world.names(handle_session_start(world.home, world.moment("B")) or "")
    assert world.tell("B ends\nC starts") == ["x"]
