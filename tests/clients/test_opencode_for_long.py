"""The real OpenCode where one process runs many sessions: on a terminal, and as a server. Each way to end it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest

from tests.clients.hook_terminal import AnsweringTerminal, hook_terminal
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import WAITED, hook_log, pending, sessions, settled
from tests.clients.opencode_lesson import PROMPT, copies, spool
from tests.clients.real_opencode import Client


def waiting(client: Client) -> bool:
    """Whether a candidate waits for somebody."""
    return [item.get("injectedAt") for item in pending(client)] == [None]


def in_the_end(happened: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WAITED
    while not happened():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)


def asked(client: Client, shown: AnsweringTerminal, name: str) -> list[int]:
    """How many copies of the offer the requests of one prompt hold."""
    client.script(name, [f"Answer {name}."])
    shown.ask(f"please say {name}", lambda: f"Answer{name}." in shown.screen)
    return copies(client, name)


def taught(client: Client, shown: AnsweringTerminal) -> None:
    """The lesson, typed at the prompt."""
    write_project(client)
    script_lesson(client, "one")
    shown.until(lambda: "Askanything" in shown.screen, "a prompt")
    shown.ask(PROMPT, lambda: len(client.requests("one")) == 7)
    shown.until(lambda: "Fixed:" in shown.screen, "the end of the turn")


def test_on_a_terminal_what_one_session_learns_the_next_is_told_in_the_same_process(opencode: Client) -> None:
    with hook_terminal(opencode) as shown:
        taught(opencode, shown)
        shown.until(lambda: waiting(opencode), "the checkpoint after the turn")
        for name, told in (("two", [1]), ("three", [0])):
            shown.ask("/new", lambda: "Askanything" in shown.screen)
            assert asked(opencode, shown, name) == told
            assert copies(opencode, name, "other") == [0]
        shown.close("/exit")
    settled(opencode)
    assert (copies(opencode, "one"), copies(opencode, "one", "other")) == ([0] * 7, [0])
    assert (pending(opencode), hook_log(opencode), spool(opencode)) == ([], "", [])
    assert [finished for _, finished in sessions(opencode)] == [True] * 3


@pytest.mark.parametrize("end", ["exit", "hang up"])
def test_left_right_after_its_turn_the_terminal_has_put_down_what_was_learned(opencode: Client, end: str) -> None:
    with hook_terminal(opencode) as shown:
        taught(opencode, shown)
        if end == "exit":
            shown.close("/exit")
    # Else the terminal is closed now, which the client is told by the system: SIGHUP.
    in_the_end(lambda: spool(opencode) == [], "the client leaves, and is finished")
    settled(opencode)
    assert waiting(opencode)
    assert (hook_log(opencode), spool(opencode)) == ("", [])
    assert [finished for _, finished in sessions(opencode)] == [True]


def test_a_server_tells_the_next_session_and_nothing_is_lost_when_it_is_terminated(opencode: Client) -> None:
    write_project(opencode)
    with opencode.served() as (server, attached):
        script_lesson(opencode, "one")
        assert opencode.say(PROMPT, *attached).code == 0
        in_the_end(lambda: waiting(opencode), "the checkpoint after the turn")
        for name, told in (("two", [1]), ("three", [0])):
            opencode.script(name, [f"Answer {name}."])
            assert opencode.say("Hello", *attached).code == 0
            assert (copies(opencode, name), copies(opencode, name, "other")) == (told, [0])
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    settled(opencode)
    assert [finished for _, finished in sessions(opencode)] == [False] * 3
    assert len(spool(opencode)) == 1
    opencode.script("after", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert copies(opencode, "after") == [0]
    assert (pending(opencode), hook_log(opencode), spool(opencode)) == ([], "", [])
    assert [finished for _, finished in sessions(opencode)] == [True] * 4


def test_a_server_terminated_right_after_its_turn_has_learned_when_opencode_comes_back(opencode: Client) -> None:
    write_project(opencode)
    with opencode.served() as (server, attached):
        script_lesson(opencode, "one")
        assert opencode.say(PROMPT, *attached).code == 0
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
    settled(opencode)
    for name in ("two", "three"):
        opencode.script(name, ["Hello."])
        assert opencode.say("Hello").code == 0
        settled(opencode)
    assert sorted(copies(opencode, "two") + copies(opencode, "three")) == [0, 1]
    assert (pending(opencode), hook_log(opencode), spool(opencode)) == ([], "", [])
