"""The real Claude Code on a terminal: the receipt, a kill, a resumption, and leaving right after /clear."""

from __future__ import annotations

import json
import os
import signal

from tests.clients.lesson import learned, learns, script_lesson, skill, write_project
from tests.clients.real_claude import Claude
from tests.clients.terminal import Terminal, terminal

RECEIPT = "learnedtheskillexact-money"
"""White space removed, as on the screen of a test."""


def teach(claude: Claude, shown: Terminal) -> None:
    """Session one, up to its last turn."""
    script_lesson(claude)
    shown.enter("the prices test fails")
    shown.until(lambda: len(claude.requests("one")) == 7 and "Fixed" in shown.screen, "the lesson")


def asked_alone(claude: Claude, name: str) -> list[int]:
    """The same in a session of its own without a terminal."""
    claude.session(name)
    return claude.copies(name)


def states(claude: Claude) -> list[str]:
    return [state for _, state, _ in claude.history()]


def test_a_skill_written_from_an_offer_is_shown_to_the_user_once_and_never_to_the_model(claude: Claude) -> None:
    _, write = skill(claude, learned(claude))
    claude.session("two", [write], ["Written."], more=claude.unasked)
    assert asked_alone(claude, "nobody looks") == [0]
    with terminal(claude) as shown:
        shown.until(lambda: RECEIPT in shown.screen, "the receipt")
        assert "(Usewhenpricesarefloats.):.claude/skills/exact-money/SKILL.md" in shown.screen
        assert shown.asked("three") == [0]
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 5, "another session")
        assert shown.asked("four") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    claude.settled()
    with terminal(claude) as shown:
        assert shown.asked("five") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    claude.settled()
    sent = [request for name in ("three", "four", "five") for request in claude.requests(name)]
    assert "learned the skill" not in json.dumps(sent)
    assert (states(claude), claude.pending(), claude.hook_log()) == (["accepted"], [], "")
    assert not (claude.state / "receipts").exists()


def test_a_session_killed_in_a_terminal_is_finished_by_the_next_and_offered_once(claude: Claude) -> None:
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        # The client writes its transcript some time after the fact; what it has not written is not there to be found.
        shown.until(lambda: any(b"Fixed: the test" in log.read_bytes() for log in claude.transcripts()), "its log")
        os.killpg(shown.process.pid, signal.SIGKILL)
        shown.process.wait()
    claude.settled()
    first = claude.finished()
    with terminal(claude) as shown:
        told = shown.asked("two")
        shown.leave()
    claude.settled()
    then = claude.finished()
    told_next = asked_alone(claude, "three")
    # Killed before its pause was over, what it taught is found behind the start of the second, and told to the third.
    assert (first, then, sorted([told, told_next])) == ([False], [True, True], [[0], [1]])
    assert asked_alone(claude, "four") == [0]
    assert (states(claude), claude.pending(), claude.hook_log()) == (["ignored"], [], "")


def test_leaving_right_after_clear_loses_no_learning_and_offers_none_twice(claude: Claude) -> None:
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.leave()
    claude.settled()
    assert claude.hook_log() == ""
    assert (asked_alone(claude, "two"), asked_alone(claude, "three")) == ([1], [0])
    assert (states(claude), claude.pending(), claude.hook_log()) == (["ignored"], [], "")
    assert set(claude.finished()) == {True}


def test_only_one_of_a_session_after_clear_and_a_concurrent_one_receives_the_offer(claude: Claude) -> None:
    """Nearly always the one after /clear: it waits for the end of the one before, but on a busy machine not for ever."""
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.until(lambda: len(claude.sessions()) == 2, "a second session")
        beside = asked_alone(claude, "beside")
        assert sorted([beside, shown.asked("two")]) == [[0], [1]]
        shown.leave()
    claude.settled()
    assert (asked_alone(claude, "three"), states(claude), claude.hook_log()) == ([0], ["ignored"], "")


def test_a_session_resumed_after_a_compaction_has_no_second_copy_of_the_offer(claude: Claude) -> None:
    learns(claude)
    with terminal(claude) as shown:
        assert shown.asked("two") == [1]
        claude.script("compaction", ["A summary of what was said."])
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen, "the compaction")
        assert max(shown.asked("three")) <= 1
        shown.leave()
    claude.settled()
    with terminal(claude, "--continue") as shown:
        assert max(shown.asked("four")) <= 1
        shown.leave()
    claude.settled()
    assert (len(claude.sessions()), states(claude), claude.hook_log()) == (2, ["ignored"], "")
