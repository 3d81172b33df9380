"""The real Claude Code on a terminal: the receipt, a kill, a resumption, and leaving right after /clear."""

from __future__ import annotations

import json
import os
import signal

from mind_skills.staging.ledger import Ledger
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.real_claude import Client
from tests.clients.terminal import Terminal, terminal

RECEIPT = "learnedtheskillexact-money"
"""White space removed, as on the screen of a test."""


def teach(claude: Client, shown: Terminal) -> None:
    """Session one, up to its last turn."""
    script_lesson(claude, "one")
    shown.enter("the prices test fails")
    shown.until(lambda: len(claude.requests("one")) == 7 and "Fixed" in shown.screen, "the lesson")


def asked(claude: Client, shown: Terminal, name: str) -> list[int]:
    """One question and its answer; how many copies of the offer each main request of it held."""
    claude.script(name, [f"Answer {name}."])
    shown.enter(f"question {name}")
    shown.until(lambda: f"Answer{name}." in shown.screen, "an answer")
    return [len(blocks(request)) for request in claude.requests(name)]


def asked_alone(claude: Client, name: str) -> list[int]:
    """The same in a session of its own without a terminal."""
    claude.script(name, ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    return [len(blocks(request)) for request in claude.requests(name)]


def states(claude: Client) -> list[str]:
    with Ledger.open(claude.state) as ledger:
        return [record.state for record in ledger.history()]


def test_a_skill_that_came_of_an_offer_is_shown_to_the_user_once_and_never_to_the_model(claude: Client) -> None:
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    (candidate,) = pending(claude)
    path = claude.project / ".claude/skills/exact-money/SKILL.md"
    text = f"---\nname: exact-money\ndescription: Use when prices are floats.\nmetadata:\n  c: {candidate['id']}\n---\n"
    write = {"tool": "Write", "input": {"file_path": str(path), "content": text}}
    claude.script("two", [write], ["Written."])
    assert claude.say("Hello", "--permission-mode", "bypassPermissions").code == 0
    settled(claude)
    assert asked_alone(claude, "nobody looks") == [0]
    with terminal(claude) as shown:
        shown.until(lambda: RECEIPT in shown.screen, "the receipt")
        assert "(Usewhenpricesarefloats.):.claude/skills/exact-money/SKILL.md" in shown.screen
        assert asked(claude, shown, "three") == [0]
        shown.enter("/clear")
        shown.until(lambda: len(sessions(claude)) == 5, "another session")
        assert asked(claude, shown, "four") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    settled(claude)
    with terminal(claude) as shown:
        assert asked(claude, shown, "five") == [0]
        assert RECEIPT not in shown.screen
        shown.leave()
    settled(claude)
    sent = [request for name in ("three", "four", "five") for request in claude.requests(name)]
    assert "learned the skill" not in json.dumps(sent)
    assert (states(claude), pending(claude), hook_log(claude)) == (["accepted"], [], "")
    assert not (claude.state / "receipts").exists()


def test_killed_on_the_terminal_it_is_finished_by_the_next_which_is_told_once(claude: Client) -> None:
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        # The client writes its transcript some time after the fact; what it has not written is not there to be found.
        shown.until(lambda: any(b"Fixed: the test" in log.read_bytes() for log in claude.transcripts()), "its log")
        os.killpg(shown.process.pid, signal.SIGKILL)
        shown.process.wait()
    settled(claude)
    first = [finished for _, finished in sessions(claude)]
    with terminal(claude) as shown:
        told = asked(claude, shown, "two")
        shown.leave()
    settled(claude)
    then = [finished for _, finished in sessions(claude)]
    told_next = asked_alone(claude, "three")
    # Killed before its pause was over, what it taught is found behind the start of the second, and told to the third.
    assert (first, then, sorted([told, told_next])) == ([False], [True, True], [[0], [1]])
    assert asked_alone(claude, "four") == [0]
    assert (states(claude), pending(claude), hook_log(claude)) == (["ignored"], [], "")


def test_left_right_after_clear_nothing_is_lost_and_nothing_told_twice(claude: Client) -> None:
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.leave()
    settled(claude)
    assert hook_log(claude) == ""
    assert (asked_alone(claude, "two"), asked_alone(claude, "three")) == ([1], [0])
    assert (states(claude), pending(claude), hook_log(claude)) == (["ignored"], [], "")
    assert {finished for _, finished in sessions(claude)} == {True}


def test_of_a_session_after_clear_and_another_beside_it_one_is_told(claude: Client) -> None:
    """Nearly always the one after /clear: it waits for the end of the one before, but on a busy machine not for ever."""
    write_project(claude)
    with terminal(claude) as shown:
        teach(claude, shown)
        shown.enter("/clear")
        shown.until(lambda: len(sessions(claude)) == 2, "a second session")
        beside = asked_alone(claude, "beside")
        assert sorted([beside, asked(claude, shown, "two")]) == [[0], [1]]
        shown.leave()
    settled(claude)
    assert (asked_alone(claude, "three"), states(claude), hook_log(claude)) == ([0], ["ignored"], "")


def test_resumed_after_a_compaction_it_holds_no_second_copy(claude: Client) -> None:
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    with terminal(claude) as shown:
        assert asked(claude, shown, "two") == [1]
        claude.script("compaction", ["A summary of what was said."])
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen, "the compaction")
        assert max(asked(claude, shown, "three")) <= 1
        shown.leave()
    settled(claude)
    with terminal(claude, "--continue") as shown:
        assert max(asked(claude, shown, "four")) <= 1
        shown.leave()
    settled(claude)
    assert (len(sessions(claude)), states(claude), hook_log(claude)) == (2, ["ignored"], "")
