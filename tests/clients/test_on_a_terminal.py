"""The real Claude Code on a terminal: /clear begins a new session, /compact does not."""

from __future__ import annotations

from tests.clients.lesson import script_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.terminal import open_terminal


def test_a_learning_from_before_clear_is_offered_after_it_and_not_again_after_compact(claude: Claude) -> None:
    write_project(claude)
    script_lesson(claude)
    with open_terminal(claude) as shown:
        shown.enter("the prices test fails")
        shown.until(lambda: len(claude.requests("one")) == 7 and "Fixed" in shown.screen, "the lesson")
        # The checkpoint is complete: the offer after /clear does not depend on its speed.
        claude.wait_until_settled()
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 2, "a second session")
        claude.script("two", ["First answer."], ["Second answer."])
        shown.enter("hello")
        shown.until(lambda: "Firstanswer" in shown.screen, "an answer")
        assert claude.count_offers("two") == [1]
        claude.script("compaction", ["A summary of what was said."])
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen, "the compaction")
        claude.script("three", ["Third answer."])
        shown.enter("and now")
        shown.until(lambda: "Thirdanswer" in shown.screen, "an answer")
        assert [count <= 1 for count in claude.count_offers("three")] == [True]
        claude.script("four", ["Fourth answer."])
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 3, "a third session")
        shown.enter("still there")
        shown.until(lambda: "Fourthanswer" in shown.screen, "an answer")
        assert claude.list_offers("four") == [[]]
        shown.leave()
    claude.wait_until_settled()
    assert (claude.pending(), claude.hook_log()) == ([], "")
    assert claude.list_finished() == [True] * 3
