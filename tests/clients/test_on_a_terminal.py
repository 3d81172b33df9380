"""The real Claude Code on a terminal: /clear begins a new session, /compact does not."""

from __future__ import annotations

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.real_claude import Client
from tests.clients.terminal import terminal


def test_what_was_learned_before_clear_is_told_after_it_and_not_again_after_compact(claude: Client) -> None:
    write_project(claude)
    script_lesson(claude, "one")
    with terminal(claude) as shown:
        shown.enter("the prices test fails")
        shown.until(lambda: len(claude.requests("one")) == 7 and "Fixed" in shown.screen, "the lesson")
        # The pause has been read: what is told after /clear does not depend on the speed of its reading.
        settled(claude)
        shown.enter("/clear")
        shown.until(lambda: len(sessions(claude)) == 2, "a second session")
        claude.script("two", ["First answer."], ["Second answer."])
        shown.enter("hello")
        shown.until(lambda: "Firstanswer" in shown.screen, "an answer")
        assert [len(blocks(request)) for request in claude.requests("two")] == [1]
        claude.script("compaction", ["A summary of what was said."])
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen, "the compaction")
        claude.script("three", ["Third answer."])
        shown.enter("and now")
        shown.until(lambda: "Thirdanswer" in shown.screen, "an answer")
        assert [len(blocks(request)) <= 1 for request in claude.requests("three")] == [True]
        claude.script("four", ["Fourth answer."])
        shown.enter("/clear")
        shown.until(lambda: len(sessions(claude)) == 3, "a third session")
        shown.enter("still there")
        shown.until(lambda: "Fourthanswer" in shown.screen, "an answer")
        assert [blocks(request) for request in claude.requests("four")] == [[]]
        shown.leave()
    settled(claude)
    assert (pending(claude), hook_log(claude)) == ([], "")
    assert [finished for _, finished in sessions(claude)] == [True] * 3
