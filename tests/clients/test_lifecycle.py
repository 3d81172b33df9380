"""The real Claude Code at the edges of a session's life: killed, refused, forked, installed, removed."""

from __future__ import annotations

import os
import signal
import time

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, our_processes, pending, settled
from tests.clients.real_claude import PLUGIN, Client

LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
WAITED = 60.0
"""Seconds until something counts as never happening; nothing here is measured."""


def learned(client: Client) -> None:
    """Session one has been, and its candidate waits."""
    write_project(client)
    script_lesson(client, "one")
    assert client.say("The prices test fails, please fix it.").code == 0
    settled(client)
    assert [item.get("injectedAt") for item in pending(client)] == [None]


def test_a_session_that_is_killed_is_finished_by_the_next_start(claude: Client) -> None:
    write_project(claude)
    os.mkfifo(claude.project / "never")
    wait = {"command": "touch begun; cat never", "description": "Wait"}
    script_lesson(claude, "one", last=[{"tool": "Bash", "input": wait}])
    with claude.started("The prices test fails, please fix it.") as running:
        end = time.monotonic() + WAITED
        # The client writes its transcript some time after the fact; what it has not written is not there to be found.
        while not any(b"cat never" in path.read_bytes() for path in claude.transcripts()):
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        os.close(os.open(claude.project / "never", os.O_WRONLY))  # lets go of what the client's shell was waiting for
    settled(claude)
    assert pending(claude) == []
    claude.script("two", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("two")] == [[]]
    assert len(pending(claude)) == 1
    claude.script("three", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert [len(blocks(request)) for request in claude.requests("three")] == [1]
    assert hook_log(claude) == ""


def test_an_offer_that_the_model_never_answered_is_made_again(claude: Client) -> None:
    learned(claude)
    claude.script("refused", status=400)
    assert claude.say("Hello").code != 0
    settled(claude)
    assert {len(blocks(request)) for request in claude.requests("refused")} == {1}
    claude.script("two", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert [len(blocks(request)) for request in claude.requests("two")] == [1]
    assert hook_log(claude) == ""


def test_a_fork_holds_the_one_copy_of_its_parent(claude: Client) -> None:
    learned(claude)
    claude.script("two", [LOOK], ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    claude.script("fork", [LOOK], ["Hello."])
    assert claude.say("Hello again", "--continue", "--fork-session").code == 0
    settled(claude)
    assert [len(blocks(request)) for request in claude.requests("fork")] == [1, 1]
    assert hook_log(claude) == ""


def test_a_fork_does_not_learn_its_parents_lesson_a_second_time(claude: Client) -> None:
    learned(claude)
    before = pending(claude)
    claude.script("fork", ["Hello."])
    assert claude.say("Hello again", "--continue", "--fork-session").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("fork")] == [[]]
    assert (pending(claude), hook_log(claude)) == (before, "")


def test_a_skill_that_the_session_writes_is_accepted_without_a_command(claude: Client) -> None:
    learned(claude)
    candidate = pending(claude)[0]["id"]
    path = claude.project / ".claude/skills/decimal-money/SKILL.md"
    text = f"---\nname: decimal-money\ndescription: x\nmetadata:\n  candidate: {candidate}\n---\nUse str().\n"
    claude.script("two", [{"tool": "Write", "input": {"file_path": str(path), "content": text}}], ["Written."])
    assert claude.say("Hello", "--permission-mode", "bypassPermissions").code == 0
    settled(claude)
    assert path.read_text() == text
    assert pending(claude) == []
    from mind_skills.staging.ledger import Ledger

    with Ledger.open(claude.state) as ledger:
        assert [(record.candidate.id, record.state, record.detail) for record in ledger.history()] == [
            (candidate, "accepted", str(path))
        ]


def test_the_manifest_passes_the_clients_own_strict_check(claude: Client) -> None:
    ran = claude.run("plugin", "validate", "--strict", str(PLUGIN))
    assert (ran.code, "Validation passed" in ran.stdout) == (0, True)


def test_installed_from_its_own_marketplace_it_works_and_removed_it_leaves_nothing(claude: Client) -> None:
    claude.from_marketplace()
    learned(claude)
    assert claude.run("plugin", "uninstall", "mind-skills@mind-skills").code == 0
    assert claude.run("plugin", "marketplace", "remove", "mind-skills").code == 0
    claude.script("after", ["Hello."])
    assert claude.say("Hello").code == 0
    assert [blocks(request) for request in claude.requests("after")] == [[]]
    assert our_processes(claude) == []
    settings = claude.home / ".claude" / "settings.json"
    assert "mind-skills" not in (settings.read_text() if settings.exists() else "")
    assert list((claude.home / ".claude" / "plugins" / "data").rglob("*")) == []
