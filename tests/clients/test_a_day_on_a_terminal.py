"""The real Claude Code on a terminal: the receipt, a kill, a resumption, and leaving right after /clear."""

from __future__ import annotations

import json
import os
import signal

from tests.clients.lesson import build_skill_call, run_lesson, script_lesson, stage_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.terminal import Terminal, open_terminal

RECEIPT = "learnedtheskillexact-money"
"""Without white space, as on the screen of a test."""


def teach(claude: Claude, shown: Terminal) -> None:
    """Run the lesson, up to its last turn."""
    script_lesson(claude)
    shown.enter("the prices test fails")
    shown.until(lambda: len(claude.requests("one")) == 7 and "Fixed" in shown.screen, "the lesson")


def count_offers_without_terminal(claude: Claude, name: str) -> list[int]:
    """Count the offers in a separate session without a terminal."""
    claude.session(name)
    return claude.count_offers(name)


def list_states(claude: Claude) -> list[str]:
    return [state for _, state, _ in claude.history()]


def test_a_skill_written_from_an_offer_is_shown_to_the_user_once_and_never_to_the_model(claude: Claude) -> None:
    _, write = build_skill_call(claude, stage_lesson(claude))
    claude.session("two", [write], ["Written."], more=claude.permission_arguments)
    assert count_offers_without_terminal(claude, "nobody looks") == [0]
    with open_terminal(claude) as shown:
        shown.until(lambda: RECEIPT in shown.screen, "the receipt")
        assert "(Usewhenpricesarefloats.):.claude/skills/exact-money/SKILL.md" in shown.screen
        assert shown.ask_and_count_offers("three") == [0]
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 5, "another session")
        assert shown.ask_and_count_offers("four") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    claude.wait_until_settled()
    with open_terminal(claude) as shown:
        assert shown.ask_and_count_offers("five") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    claude.wait_until_settled()
    sent = [request for name in ("three", "four", "five") for request in claude.requests(name)]
    assert "learned the skill" not in json.dumps(sent)
    assert (list_states(claude), claude.pending(), claude.hook_log()) == (["accepted"], [], "")
    assert not (claude.state / "receipts").exists()


def test_a_session_killed_in_a_terminal_is_finished_by_the_next_and_offered_once(claude: Claude) -> None:
    write_project(claude)
    with open_terminal(claude) as shown:
        teach(claude, shown)
        # The client writes its transcript with a delay; what it has not written yet cannot be found.
        shown.until(lambda: any(b"Fixed: the test" in log.read_bytes() for log in claude.transcripts()), "its log")
        os.killpg(shown.process.pid, signal.SIGKILL)
        shown.process.wait()
    claude.wait_until_settled()
    first = claude.list_finished()
    with open_terminal(claude) as shown:
        second = shown.ask_and_count_offers("two")
        shown.leave()
    claude.wait_until_settled()
    then = claude.list_finished()
    third = count_offers_without_terminal(claude, "three")
    # If it was killed before its checkpoint, its learning is found after the start of the second and offered to the third.
    assert (first, then, sorted([second, third])) == ([False], [True, True], [[0], [1]])
    assert count_offers_without_terminal(claude, "four") == [0]
    assert (list_states(claude), claude.pending(), claude.hook_log()) == (["ignored"], [], "")


def test_leaving_right_after_clear_loses_no_learning_and_offers_none_twice(claude: Claude) -> None:
    write_project(claude)
    with open_terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.leave()
    claude.wait_until_settled()
    assert claude.hook_log() == ""
    assert (count_offers_without_terminal(claude, "two"), count_offers_without_terminal(claude, "three")) == ([1], [0])
    assert (list_states(claude), claude.pending(), claude.hook_log()) == (["ignored"], [], "")
    assert set(claude.list_finished()) == {True}


def test_only_one_of_a_session_after_clear_and_a_concurrent_one_receives_the_offer(claude: Claude) -> None:
    """Nearly always the one after /clear: it waits for the end of the earlier one, but on a busy machine not forever."""
    write_project(claude)
    with open_terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 2, "a second session")
        concurrent = count_offers_without_terminal(claude, "beside")
        assert sorted([concurrent, shown.ask_and_count_offers("two")]) == [[0], [1]]
        shown.leave()
    claude.wait_until_settled()
    assert (count_offers_without_terminal(claude, "three"), list_states(claude), claude.hook_log()) == (
        [0],
        ["ignored"],
        "",
    )


def test_a_session_resumed_after_a_compaction_has_no_second_copy_of_the_offer(claude: Claude) -> None:
    run_lesson(claude)
    with open_terminal(claude) as shown:
        assert shown.ask_and_count_offers("two") == [1]
        claude.script("compaction", ["A summary of what was said."])
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen, "the compaction")
        assert max(shown.ask_and_count_offers("three")) <= 1
        shown.leave()
    claude.wait_until_settled()
    with open_terminal(claude, "--continue") as shown:
        assert max(shown.ask_and_count_offers("four")) <= 1
        shown.leave()
    claude.wait_until_settled()
    assert (len(claude.sessions()), list_states(claude), claude.hook_log()) == (2, ["ignored"], "")
