"""The real OpenCode with many sessions in one process: on a terminal, and as a server, and each way to end it."""

from __future__ import annotations

import os
import signal

import pytest

from tests.clients.lesson import PROMPT, script_lesson, write_project
from tests.clients.observing import wait_for
from tests.clients.real_opencode import OpenCode
from tests.clients.terminal import Terminal, open_terminal


def has_pending_candidate(client: OpenCode) -> bool:
    """Return whether there is exactly one pending candidate, and it was not offered yet."""
    return [item.get("injectedAt") for item in client.pending()] == [None]


def teach(client: OpenCode, shown: Terminal) -> None:
    """Run the lesson at the prompt."""
    write_project(client)
    script_lesson(client)
    shown.ask(PROMPT, lambda: len(client.requests("one")) == 7)
    shown.until(lambda: "Fixed:" in shown.screen, "the end of the turn")


def test_a_learning_is_offered_to_the_next_session_of_the_same_process(opencode: OpenCode) -> None:
    with open_terminal(opencode) as shown:
        teach(opencode, shown)
        shown.until(lambda: has_pending_candidate(opencode), "the checkpoint after the turn")
        for name, expected in (("two", [1]), ("three", [0])):
            shown.ask("/new", lambda: "Askanything" in shown.screen)
            assert shown.ask_and_count_offers(name) == expected
            assert opencode.count_offers(name, "other") == [0]
        shown.leave()
    opencode.wait_until_settled()
    assert (opencode.count_offers("one"), opencode.count_offers("one", "other")) == ([0] * 7, [0])
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.list_finished() == [True] * 3


@pytest.mark.parametrize("end", ["exit", "hang up"])
def test_leaving_right_after_a_turn_stores_its_learning(opencode: OpenCode, end: str) -> None:
    with open_terminal(opencode) as shown:
        teach(opencode, shown)
        if end == "exit":
            shown.leave()
    # Otherwise the terminal is closed now, and the client gets SIGHUP.
    wait_for(lambda: opencode.spool() == [], "the client leaves, and is finished")
    opencode.wait_until_settled()
    assert has_pending_candidate(opencode)
    assert (opencode.hook_log(), opencode.spool()) == ("", [])
    assert opencode.list_finished() == [True]


def test_a_server_offers_to_its_next_session_and_loses_nothing_when_terminated(opencode: OpenCode) -> None:
    write_project(opencode)
    with opencode.run_server() as (server, attached):
        script_lesson(opencode)
        assert opencode.say(PROMPT, *attached).code == 0
        wait_for(lambda: has_pending_candidate(opencode), "the checkpoint after the turn")
        for name, expected in (("two", [1]), ("three", [0])):
            opencode.script(name, [f"Answer {name}."])
            assert opencode.say("Hello", *attached).code == 0
            assert (opencode.count_offers(name), opencode.count_offers(name, "other")) == (expected, [0])
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    opencode.wait_until_settled()
    assert opencode.list_finished() == [False] * 3
    assert len(opencode.spool()) == 1
    opencode.session("after")
    assert opencode.count_offers("after") == [0]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.list_finished() == [True] * 4


def test_a_server_terminated_right_after_a_turn_has_learned_by_the_next_run(opencode: OpenCode) -> None:
    write_project(opencode)
    with opencode.run_server() as (server, attached):
        script_lesson(opencode)
        assert opencode.say(PROMPT, *attached).code == 0
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    opencode.wait_until_settled()
    for name in ("two", "three"):
        opencode.session(name)
    assert sorted(opencode.count_offers("two") + opencode.count_offers("three")) == [0, 1]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
