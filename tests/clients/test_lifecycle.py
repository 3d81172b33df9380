"""The real Claude Code: sessions that are killed or forked, and the plugin installed and removed."""

from __future__ import annotations

import os
import signal

from tests.clients.client import find_our_processes
from tests.clients.lesson import PROMPT, bash, build_skill_call, script_lesson, stage_lesson, write_project
from tests.clients.observing import wait_for
from tests.clients.real_claude import Claude


def test_a_session_that_is_killed_is_finished_by_the_next_start(claude: Claude) -> None:
    write_project(claude)
    os.mkfifo(claude.project / "never")
    script_lesson(claude, last=[bash("touch begun; cat never")])
    with claude.start(PROMPT) as running:
        # The client writes its transcript with a delay; what it has not written yet cannot be found.
        wait_for(lambda: any(b"cat never" in path.read_bytes() for path in claude.transcripts()), "its log")
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        os.close(os.open(claude.project / "never", os.O_WRONLY))  # ends the wait of the client's shell
    claude.wait_until_settled()
    assert claude.pending() == []
    claude.session("two")
    assert claude.list_offers("two") == [[]]
    assert len(claude.pending()) == 1
    claude.session("three")
    assert claude.count_offers("three") == [1]
    assert claude.hook_log() == ""


def test_a_fork_does_not_learn_from_its_parents_part_again(claude: Claude) -> None:
    stage_lesson(claude)
    before = claude.pending()
    claude.session("fork", prompt="Hello again", more=claude.fork_arguments(""))
    assert claude.list_offers("fork") == [[]]
    assert (claude.pending(), claude.hook_log()) == (before, "")


def test_a_skill_that_the_session_writes_is_accepted_automatically(claude: Claude) -> None:
    candidate = stage_lesson(claude)
    path, write = build_skill_call(claude, candidate)
    claude.session("two", [write], ["Written."], more=claude.permission_arguments)
    assert path.read_text() == write["input"]["content"]
    assert (claude.pending(), claude.history()) == ([], [(candidate, "accepted", str(path))])


def test_the_plugin_from_its_marketplace_works_and_leaves_nothing_when_removed(claude: Claude) -> None:
    claude.install_from_marketplace()
    stage_lesson(claude)
    assert claude.run("plugin", "uninstall", "mind-skills@mind-skills").code == 0
    assert claude.run("plugin", "marketplace", "remove", "mind-skills").code == 0
    claude.script("after", ["Hello."])
    assert claude.say("Hello").code == 0
    assert claude.list_offers("after") == [[]]
    assert find_our_processes(claude) == []
    settings = claude.home / ".claude" / "settings.json"
    assert "mind-skills" not in (settings.read_text() if settings.exists() else "")
    assert list((claude.home / ".claude" / "plugins" / "data").rglob("*")) == []
