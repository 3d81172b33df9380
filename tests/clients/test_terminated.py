"""The real Claude Code, terminated in the middle of a tool call."""

from __future__ import annotations

import contextlib
import os
import signal

import pytest

from tests.clients.lesson import PROMPT, bash, script_lesson, write_project
from tests.clients.observing import wait_for
from tests.clients.real_claude import Claude


@pytest.mark.parametrize("sent_signal", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_terminated_session_loses_nothing_and_its_learning_is_offered_once(
    claude: Claude, sent_signal: signal.Signals
) -> None:
    write_project(claude)
    os.mkfifo(claude.project / "never")
    script_lesson(claude, last=[bash("touch begun; cat never")])
    with claude.start(PROMPT) as running:
        wait_for(lambda: any(b"cat never" in path.read_bytes() for path in claude.transcripts()), "its log")
        os.killpg(running.pid, sent_signal)
        running.communicate()
        with contextlib.suppress(OSError):  # no shell of the client waits for it any more
            os.close(os.open(claude.project / "never", os.O_WRONLY | os.O_NONBLOCK))
    claude.wait_until_settled()
    copies: list[int] = []
    for name in ("two", "three", "four"):  # its end hook may have run, or not
        claude.session(name)
        copies += claude.count_offers(name)
    assert (sum(copies), copies[2]) == (1, 0)
    assert (claude.pending(), claude.hook_log()) == ([], "")
