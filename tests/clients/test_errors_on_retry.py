"""What is open of a task is told to the session that is resumed, and to no other, in the real clients."""

from __future__ import annotations

import sys
from pathlib import Path

from mind_skills.hooks.reminders import PREFACE
from tests.clients.client import Client
from tests.clients.lesson import bash, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

COMMAND = str(Path(sys.executable).with_name("mind-skills"))
MESSAGE = "the price list took too long to load"


def recording(client: Client) -> None:
    """A session whose agent puts down what went wrong in its task."""
    write_project(client)
    line = f"{COMMAND} task errors record shop-12 '{MESSAGE}' --type timeout"
    client.session("one", [bash(line)], ["I stop."], prompt="Please load the price list.")


def told(client: Client, name: str, *more: str) -> list[int]:
    """How often each main request of a session is reminded, with the message; the command that kept it printed it, too."""
    client.session(name, prompt="And now?", more=more)
    requests = [str(request) for request in client.requests(name)]
    return [request.count(PREFACE) if f"**{MESSAGE}**" in request else 0 for request in requests]


def test_a_resumed_claude_code_session_has_one_reminder(claude: Claude) -> None:
    recording(claude)
    assert [told(claude, name, "--continue") for name in ("two", "three")] == [[1], [1]]  # its context keeps the one
    assert told(claude, "another") == [0]
    claude.mind_skills("task", "errors", "resolve", "shop-12")
    assert (told(claude, "four", "--continue"), claude.hook_log()) == ([0], "")


def test_a_resumed_opencode_session_is_reminded_until_the_error_is_resolved(opencode: OpenCode) -> None:
    recording(opencode)
    assert [told(opencode, name, "--continue") for name in ("two", "three")] == [[1], [1]]
    assert told(opencode, "another") == [0]
    opencode.mind_skills("task", "errors", "resolve", "shop-12")
    assert (told(opencode, "four", "--continue"), opencode.hook_log()) == ([0], "")
