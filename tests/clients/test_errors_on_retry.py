"""A resumed session is shown the open errors of its task, and no other session is, in the real clients."""

from __future__ import annotations

import sys
from pathlib import Path

from mind_skills.hooks.open_errors import PREFACE
from tests.clients.client import Client
from tests.clients.lesson import bash, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

COMMAND = str(Path(sys.executable).with_name("mind-skills"))
MESSAGE = "the price list took too long to load"


def record_error(client: Client) -> None:
    """Run a session whose agent records an error of its task."""
    write_project(client)
    line = f"{COMMAND} task errors record shop-12 '{MESSAGE}' --type timeout"
    client.session("one", [bash(line)], ["I stop."], prompt="Please load the price list.")


def count_open_errors(client: Client, name: str, *more: str) -> list[int]:
    """Count the texts with the message in each main request; the command that recorded the error printed it, too."""
    client.session(name, prompt="And now?", more=more)
    requests = [str(request) for request in client.requests(name)]
    return [request.count(PREFACE) if f"**{MESSAGE}**" in request else 0 for request in requests]


def test_a_resumed_claude_code_session_has_them_once(claude: Claude) -> None:
    record_error(claude)
    assert [count_open_errors(claude, name, "--continue") for name in ("two", "three")] == [
        [1],
        [1],
    ]  # its context contains the first one
    assert count_open_errors(claude, "another") == [0]
    claude.mind_skills("task", "errors", "resolve", "shop-12")
    assert (count_open_errors(claude, "four", "--continue"), claude.hook_log()) == ([0], "")


def test_a_resumed_opencode_session_has_them_until_the_error_is_resolved(opencode: OpenCode) -> None:
    record_error(opencode)
    assert [count_open_errors(opencode, name, "--continue") for name in ("two", "three")] == [[1], [1]]
    assert count_open_errors(opencode, "another") == [0]
    opencode.mind_skills("task", "errors", "resolve", "shop-12")
    assert (count_open_errors(opencode, "four", "--continue"), opencode.hook_log()) == ([0], "")
