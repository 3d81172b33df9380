"""The real Claude Code at the edges of a session's life: killed, refused, forked, installed, removed."""

from __future__ import annotations

import os
import signal

from tests.clients.client import our_processes
from tests.clients.lesson import PROMPT, bash, learned, script_lesson, skill, write_project
from tests.clients.observing import eventually
from tests.clients.real_claude import Claude


def test_a_session_that_is_killed_is_finished_by_the_next_start(claude: Claude) -> None:
    write_project(claude)
    os.mkfifo(claude.project / "never")
    script_lesson(claude, last=[bash("touch begun; cat never")])
    with claude.started(PROMPT) as running:
        # The client writes its transcript some time after the fact; what it has not written is not there to be found.
        eventually(lambda: any(b"cat never" in path.read_bytes() for path in claude.transcripts()), "its log")
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        os.close(os.open(claude.project / "never", os.O_WRONLY))  # lets go of what the client's shell was waiting for
    claude.settled()
    assert claude.pending() == []
    claude.session("two")
    assert claude.told("two") == [[]]
    assert len(claude.pending()) == 1
    claude.session("three")
    assert claude.copies("three") == [1]
    assert claude.hook_log() == ""


def test_a_fork_does_not_learn_from_its_parents_part_again(claude: Claude) -> None:
    learned(claude)
    before = claude.pending()
    claude.session("fork", prompt="Hello again", more=claude.forking(""))
    assert claude.told("fork") == [[]]
    assert (claude.pending(), claude.hook_log()) == (before, "")


def test_a_skill_that_the_session_writes_is_accepted_automatically(claude: Claude) -> None:
    candidate = learned(claude)
    path, write = skill(claude, candidate)
    claude.session("two", [write], ["Written."], more=claude.unasked)
    assert path.read_text() == write["input"]["content"]
    assert (claude.pending(), claude.history()) == ([], [(candidate, "accepted", str(path))])


def test_the_plugin_from_its_marketplace_works_and_leaves_nothing_when_removed(claude: Claude) -> None:
    claude.from_marketplace()
    learned(claude)
    assert claude.run("plugin", "uninstall", "mind-skills@mind-skills").code == 0
    assert claude.run("plugin", "marketplace", "remove", "mind-skills").code == 0
    claude.script("after", ["Hello."])
    assert claude.say("Hello").code == 0
    assert claude.told("after") == [[]]
    assert our_processes(claude) == []
    settings = claude.home / ".claude" / "settings.json"
    assert "mind-skills" not in (settings.read_text() if settings.exists() else "")
    assert list((claude.home / ".claude" / "plugins" / "data").rglob("*")) == []
