"""The real Claude Code, three sessions: it learns, is told once, is not told again."""

from __future__ import annotations

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, settled
from tests.clients.real_claude import Client


def test_it_learns_is_told_once_and_is_not_told_again(claude: Client) -> None:
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    assert hook_log(claude) == ""
    assert len(claude.requests("one")) == 7
    assert [blocks(request) for request in claude.requests("one")] == [[]] * 7
    waiting = pending(claude)
    assert [("injectedAt" in item, item["host"]) for item in waiting] == [(False, "claude-code")]

    look = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
    claude.script("two", [look], [look], ["Nothing to do."])
    assert claude.say("What is here?").code == 0
    settled(claude)
    told = [blocks(request) for request in claude.requests("two")]
    assert len(told) == 3
    assert [len(copies) for copies in told] == [1, 1, 1]
    block = told[0][0]
    assert {copy for copies in told for copy in copies} == {block}
    assert waiting[0]["id"] in block
    assert [blocks(request) for request in claude.requests("two", main=False) if blocks(request)] == []

    claude.script("two again", [look], ["Still nothing."])
    assert claude.say("And now?", "--continue").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("two again")] == [[block], [block]]

    claude.script("three", [look], ["Nothing."])
    assert claude.say("Hello?").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("three")] == [[], []]
    assert (pending(claude), hook_log(claude)) == ([], "")
