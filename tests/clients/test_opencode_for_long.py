"""The real OpenCode where one process runs many sessions: on a terminal, and as a server. Each way to end it."""

from __future__ import annotations

import os
import signal

import pytest

from tests.clients.lesson import PROMPT, script_lesson, write_project
from tests.clients.observing import eventually
from tests.clients.real_opencode import OpenCode
from tests.clients.terminal import Terminal, terminal


def waiting(client: OpenCode) -> bool:
    """Whether a candidate waits for somebody."""
    return [item.get("injectedAt") for item in client.pending()] == [None]


def taught(client: OpenCode, shown: Terminal) -> None:
    """The lesson, typed at the prompt."""
    write_project(client)
    script_lesson(client)
    shown.ask(PROMPT, lambda: len(client.requests("one")) == 7)
    shown.until(lambda: "Fixed:" in shown.screen, "the end of the turn")


def test_a_learning_is_offered_to_the_next_session_of_the_same_process(opencode: OpenCode) -> None:
    with terminal(opencode) as shown:
        taught(opencode, shown)
        shown.until(lambda: waiting(opencode), "the checkpoint after the turn")
        for name, told in (("two", [1]), ("three", [0])):
            shown.ask("/new", lambda: "Askanything" in shown.screen)
            assert shown.asked(name) == told
            assert opencode.copies(name, "other") == [0]
        shown.leave()
    opencode.settled()
    assert (opencode.copies("one"), opencode.copies("one", "other")) == ([0] * 7, [0])
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.finished() == [True] * 3


@pytest.mark.parametrize("end", ["exit", "hang up"])
def test_leaving_right_after_a_turn_stores_its_learning(opencode: OpenCode, end: str) -> None:
    with terminal(opencode) as shown:
        taught(opencode, shown)
        if end == "exit":
            shown.leave()
    # Else the terminal is closed now, which the client is told by the system: SIGHUP.
    eventually(lambda: opencode.spool() == [], "the client leaves, and is finished")
    opencode.settled()
    assert waiting(opencode)
    assert (opencode.hook_log(), opencode.spool()) == ("", [])
    assert opencode.finished() == [True]


def test_a_server_offers_to_its_next_session_and_loses_nothing_when_terminated(opencode: OpenCode) -> None:
    write_project(opencode)
    with opencode.served() as (server, attached):
        script_lesson(opencode)
        assert opencode.say(PROMPT, *attached).code == 0
        eventually(lambda: waiting(opencode), "the checkpoint after the turn")
        for name, told in (("two", [1]), ("three", [0])):
            opencode.script(name, [f"Answer {name}."])
            assert opencode.say("Hello", *attached).code == 0
            assert (opencode.copies(name), opencode.copies(name, "other")) == (told, [0])
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    opencode.settled()
    assert opencode.finished() == [False] * 3
    assert len(opencode.spool()) == 1
    opencode.session("after")
    assert opencode.copies("after") == [0]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.finished() == [True] * 4


def test_a_server_terminated_right_after_a_turn_has_learned_by_the_next_run(opencode: OpenCode) -> None:
    write_project(opencode)
    with opencode.served() as (server, attached):
        script_lesson(opencode)
        assert opencode.say(PROMPT, *attached).code == 0
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    opencode.settled()
    for name in ("two", "three"):
        opencode.session(name)
    assert sorted(opencode.copies("two") + opencode.copies("three")) == [0, 1]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
