"""The plugin twice, or beside hooks in the settings: nothing is told twice, and nothing is counted twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.real_claude import PLUGIN, Client


def settings(claude: Client) -> None:
    claude.mind_skills("install", "claude-code")


def marketplace(claude: Client) -> None:
    claude.from_marketplace()


def both(claude: Client) -> None:
    settings(claude)
    marketplace(claude)


@pytest.mark.parametrize("beside", [settings, marketplace, both])
def test_nothing_is_told_twice_and_nothing_is_counted_twice(claude: Client, beside: Any) -> None:
    beside(claude)
    claude.plugin = PLUGIN
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    assert len(pending(claude)) == 1
    look = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
    claude.script("two", [look], ["Nothing to do."])
    assert claude.say("What is here?").code == 0
    settled(claude)
    assert [len(blocks(request)) for request in claude.requests("two")] == [1, 1]
    claude.script("again", ["Nothing."])
    assert claude.say("And now?", "--continue").code == 0
    settled(claude)
    assert [len(blocks(request)) for request in claude.requests("again")] == [1]
    claude.script("three", ["Nothing."])
    assert claude.say("Hello?").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("three")] == [[]]
    assert [finished for _, finished in sessions(claude)] == [True] * 3
    status = claude.mind_skills("status")
    counts = [status["counts"][step] for step in ("fired", "staged", "offered", "accepted", "dismissed", "ignored")]
    assert (counts, status["loops"][0]["observed"]["count"]) == ([1, 1, 1, 0, 0, 1], 3)
    assert hook_log(claude) == ""
