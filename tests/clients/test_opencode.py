"""The real OpenCode, three sessions: it learns, is told once, is not told again. The plugin never disturbs it."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing

import pytest

from mind_skills.staging.ledger import Ledger
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.opencode_lesson import LOOK, PROMPT, copies, learned, spool, wait_for, worktree
from tests.clients.real_opencode import Client

ASK = {"tool": "task", "input": {"description": "Look", "prompt": "Look around.", "subagent_type": "general"}}


def test_it_learns_is_told_once_and_is_not_told_again(opencode: Client) -> None:
    learned(opencode)
    assert len(opencode.requests("one")) == 7
    assert copies(opencode, "one") == [0] * 7
    candidate = pending(opencode)[0]["id"]

    opencode.script("two", [LOOK], [ASK], [LOOK], ["Nothing to do."], subagent=[[LOOK], ["Nothing here."]])
    assert opencode.say("What is here?").code == 0
    settled(opencode)
    told = [blocks(request) for request in opencode.requests("two")]
    block = told[0][0]
    assert told == [[block]] * 4
    assert candidate in block
    assert copies(opencode, "two", "subagent") == [0, 0]
    assert copies(opencode, "two", "other") == [0]

    opencode.script("two again", [LOOK], ["Still nothing."])
    assert opencode.say("And now?", "--continue").code == 0
    settled(opencode)
    assert [blocks(request) for request in opencode.requests("two again")] == [[block]] * 2

    opencode.script("three", [LOOK], ["Nothing."])
    assert opencode.say("Hello?").code == 0
    settled(opencode)
    assert copies(opencode, "three") == [0, 0]
    assert (pending(opencode), hook_log(opencode), spool(opencode)) == ([], "", [])
    assert [finished for _, finished in sessions(opencode)] == [True] * 3


def test_a_skill_that_session_two_writes_is_listed_in_session_three_and_its_candidate_is_history(
    opencode: Client,
) -> None:
    learned(opencode)
    candidate = pending(opencode)[0]["id"]
    path = opencode.project / ".claude/skills/decimal-money/SKILL.md"
    text = (
        "---\nname: decimal-money\ndescription: Use when prices are rounded.\n"
        f"metadata:\n  candidate: {candidate}\n---\nUse str().\n"
    )
    opencode.script("two", [{"tool": "Write", "input": {"file_path": str(path), "content": text}}], ["Written."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert (path.read_text(), pending(opencode)) == (text, [])
    with Ledger.open(opencode.state) as ledger:
        assert [(record.candidate.id, record.state, record.detail) for record in ledger.history()] == [
            (candidate, "accepted", str(path))
        ]
    opencode.script("three", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    (request,) = opencode.requests("three")
    listed = [text for text in map(str, request["messages"]) if "Use when prices are rounded." in text]
    assert (len(listed), blocks(request)) == (1, [])
    assert hook_log(opencode) == ""


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_session_that_is_killed_is_finished_when_the_client_comes_back(opencode: Client, end: signal.Signals) -> None:
    write_project(opencode)
    os.mkfifo(opencode.project / "never")
    wait = {"command": "touch begun; cat never", "description": "Wait"}
    script_lesson(opencode, "one", last=[{"tool": "Bash", "input": wait}])
    with opencode.started(PROMPT) as running:
        wait_for(opencode.project / "begun")
        os.killpg(running.pid, end)
        running.communicate()
        os.close(os.open(opencode.project / "never", os.O_RDWR))  # lets go of what the client's shell was waiting for
    settled(opencode)
    assert (pending(opencode), [name.split(".")[0] for name in spool(opencode)]) == ([], [str(running.pid)])
    opencode.script("two", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert len(sessions(opencode)) == 2
    opencode.script("three", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert sum(copies(opencode, "two") + copies(opencode, "three")) == 1
    assert (hook_log(opencode), spool(opencode)) == ("", [])


def test_an_offer_that_the_model_never_answered_is_made_again(opencode: Client) -> None:
    learned(opencode)
    opencode.script("refused", status=400)
    opencode.say("Hello")
    settled(opencode)
    assert set(copies(opencode, "refused")) == {1}
    opencode.script("two", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert (copies(opencode, "two"), hook_log(opencode)) == ([1], "")


@pytest.mark.parametrize("second", ["project", "tree"])
def test_of_two_clients_at_once_in_one_repository_one_is_told(opencode: Client, second: str) -> None:
    """In one folder, and in two worktrees of it.

    OpenCode 1.18.33 has a race of its own here: it asks SQLite for the write-ahead log before it sets a timeout, so that
    of two that start while no other has the database open, one may end with "Unexpected error: database is locked" (2 of
    40 such pairs without our plugin). Which is why somebody else has the database open here.
    """
    worktree(opencode)
    learned(opencode)
    opencode.script("both", [LOOK], [LOOK], ["Hello."], ["Hello."])
    with closing(sqlite3.connect(opencode.database)) as keeper:
        keeper.execute("SELECT count(*) FROM session").fetchone()
        with opencode.started("Hello, first") as one:
            opencode.folder = opencode.root / second
            with opencode.started("Hello, second") as other:
                ended = [running.communicate() for running in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), ended
    settled(opencode)
    told = {"first": set[int](), "second": set[int]()}
    for request in opencode.requests("both"):
        told["first" if "Hello, first" in str(request["messages"]) else "second"].add(len(blocks(request)))
    assert sorted(told.values(), key=str) == [{0}, {1}]
    assert (pending(opencode), hook_log(opencode), spool(opencode)) == ([], "", [])


# More of this kind, quicker, in tests/plugin/adapters/test_opencode_plugin.py.
BROKEN = {
    "missing": "",
    "slow": "#!/bin/sh\nexec sleep 10\n",
    "garbage": "#!/bin/sh\necho '<html>'; echo oops >&2; exit 3\n",
    "crashing": "#!/bin/sh\nprintf '{\"inj'; kill -SEGV $$\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_whatever_python_does_the_turn_completes_and_nothing_is_lost(opencode: Client, name: str) -> None:
    python = opencode.root / "python"
    if BROKEN[name]:
        python.write_text(BROKEN[name])
        python.chmod(0o755)
    # With the interpreter gone, a shell looks for one with the script beside the entry, which is gone as well.
    opencode.install(str(python), opencode.root / "gone" / "entry.py")
    (opencode.root / "gone").mkdir(exist_ok=bool(BROKEN[name]))
    write_project(opencode)
    script_lesson(opencode, "one")
    ran = opencode.say(PROMPT)
    assert (ran.code, len(opencode.requests("one")), copies(opencode, "one")) == (0, 7, [0] * 7)
    assert "mind-skills.js" not in ran.stdout + ran.stderr
    assert len(spool(opencode)) == 1
    opencode.install()
    for script in ("two", "three"):
        opencode.script(script, ["Hello."])
        assert opencode.say("Hello").code == 0
        settled(opencode)
    assert sum(copies(opencode, "two") + copies(opencode, "three")) == 1
    assert (hook_log(opencode), spool(opencode)) == ("", [])


def test_compacted_it_holds_the_one_copy_still(opencode: Client) -> None:
    learned(opencode)
    opencode.script("two", [LOOK], [LOOK], ["Hello."], full_at=2)
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert copies(opencode, "two") == [1, 1, 1]
    assert copies(opencode, "two", "other") == [0, 0]  # the title and the summary
    assert "summar" in str(opencode.requests("two", kind="other")[1]["messages"][0])
    opencode.script("after", [LOOK], ["Hello."])
    assert opencode.say("And now?", "--continue").code == 0
    settled(opencode)
    assert copies(opencode, "after") == [1, 1]
    assert hook_log(opencode) == ""


def test_a_fork_holds_what_was_learned_so_the_session_after_it_is_told(opencode: Client) -> None:
    learned(opencode)
    (before,) = pending(opencode)
    opencode.script("fork", ["Hello."])
    assert opencode.say("Hello", "--continue", "--fork").code == 0
    settled(opencode)
    opencode.script("resumed", ["Hello."])
    assert opencode.say("Hello", "--continue").code == 0
    settled(opencode)
    assert (copies(opencode, "fork"), copies(opencode, "resumed"), pending(opencode)) == ([0], [0], [before])
    opencode.script("three", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert (copies(opencode, "three"), hook_log(opencode)) == ([1], "")


def test_the_state_folder_deleted_in_the_middle_of_a_session_is_made_again(opencode: Client) -> None:
    write_project(opencode)
    gone = {"command": f"rm -r {opencode.state}", "description": "Clean up"}
    script_lesson(opencode, "one", last=[{"tool": "Bash", "input": gone}])
    assert opencode.say(PROMPT).code == 0
    settled(opencode)
    assert ([item.get("injectedAt") for item in pending(opencode)], spool(opencode)) == ([None], [])
    assert hook_log(opencode) == ""


def test_in_a_subdirectory_and_in_a_worktree_it_is_the_same_project(opencode: Client) -> None:
    tree = worktree(opencode)
    learned(opencode)
    opencode.folder = tree / "deep"
    opencode.folder.mkdir()
    opencode.script("two", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert (copies(opencode, "two"), hook_log(opencode)) == ([1], "")


def test_without_a_network_it_needs_nothing_of_what_opencode_would_fetch(opencode: Client) -> None:
    for path in (opencode.config / "package.json", opencode.config / "package-lock.json"):
        path.unlink()
    (opencode.config / "node_modules").rmdir()
    opencode.extra |= {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    learned(opencode)
    opencode.script("two", ["Hello."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert (copies(opencode, "two"), hook_log(opencode)) == ([1], "")
    assert sorted(path.name for path in opencode.config.iterdir()) == [".gitignore", "opencode.json", "plugin"]


def test_a_project_that_is_switched_off_is_left_alone(opencode: Client) -> None:
    (opencode.project / ".claude").mkdir()
    (opencode.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    write_project(opencode)
    script_lesson(opencode, "one")
    assert opencode.say(PROMPT).code == 0
    settled(opencode)
    assert (pending(opencode), sessions(opencode), hook_log(opencode), spool(opencode)) == ([], [], "", [])


def test_a_state_folder_that_cannot_be_made_disturbs_nobody(opencode: Client) -> None:
    opencode.state.write_text("mine")
    write_project(opencode)
    script_lesson(opencode, "one")
    assert (opencode.say(PROMPT).code, len(opencode.requests("one"))) == (0, 7)
    assert opencode.state.read_text() == "mine"
