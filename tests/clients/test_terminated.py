"""The real Claude Code, terminated in the middle of a tool call."""

from __future__ import annotations

import contextlib
import os
import signal
import time

import pytest

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, settled
from tests.clients.real_claude import Client

WAITED = 60.0
"""Seconds until something counts as never happening; nothing here is measured."""


@pytest.mark.parametrize("word", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_session_that_is_terminated_loses_nothing_and_is_told_of_once(claude: Client, word: signal.Signals) -> None:
    write_project(claude)
    os.mkfifo(claude.project / "never")
    wait = {"command": "touch begun; cat never", "description": "Wait"}
    script_lesson(claude, "one", last=[{"tool": "Bash", "input": wait}])
    with claude.started("The prices test fails, please fix it.") as running:
        end = time.monotonic() + WAITED
        while not any(b"cat never" in path.read_bytes() for path in claude.transcripts()):
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(running.pid, word)
        running.communicate()
        with contextlib.suppress(OSError):  # no shell of the client's is left that waits for it
            os.close(os.open(claude.project / "never", os.O_WRONLY | os.O_NONBLOCK))
    settled(claude)
    copies: list[int] = []
    for name in ("two", "three", "four"):  # its end may have been told, or not
        claude.script(name, ["Hello."])
        assert claude.say("Hello").code == 0
        settled(claude)
        copies += [len(blocks(request)) for request in claude.requests(name)]
    assert (sum(copies), copies[2]) == (1, 0)
    assert (pending(claude), hook_log(claude)) == ([], "")
