"""The real OpenCode: it learns, is told once, is not told again. The plugin never disturbs it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.clients.lesson import LOOK, PROMPT, bash, learned, learns, script_lesson, skill, write_project
from tests.clients.observing import eventually, offers
from tests.clients.real_opencode import OpenCode

ASK = {"tool": "task", "input": {"description": "Look", "prompt": "Look around.", "subagent_type": "general"}}


def worktree(opencode: OpenCode) -> Path:
    """A second worktree of the project's repository."""
    git = ["git", "-C", str(opencode.project), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(opencode.root / "tree")], check=True)
    return opencode.root / "tree"


def test_a_learning_is_offered_to_the_next_session_and_to_no_later_one(opencode: OpenCode) -> None:
    candidate = learned(opencode)

    opencode.session(
        "two", [LOOK], [ASK], [LOOK], ["Nothing to do."], subagent=[[LOOK], ["Nothing here."]], prompt="What is here?"
    )
    told = opencode.told("two")
    block = told[0][0]
    assert told == [[block]] * 4
    assert candidate in block
    assert opencode.copies("two", "subagent") == [0, 0]
    assert opencode.copies("two", "other") == [0]

    opencode.session("two again", [LOOK], ["Still nothing."], prompt="And now?", more=opencode.resumed)
    assert opencode.told("two again") == [[block]] * 2

    opencode.session("three", [LOOK], ["Nothing."], prompt="Hello?")
    assert opencode.copies("three") == [0, 0]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.finished() == [True] * 3


def test_a_skill_written_in_session_two_is_listed_in_session_three_and_its_candidate_is_accepted(
    opencode: OpenCode,
) -> None:
    candidate = learned(opencode)
    path, write = skill(opencode, candidate)
    opencode.session("two", [write], ["Written."])
    assert (path.read_text(), opencode.pending()) == (write["input"]["content"], [])
    assert opencode.history() == [(candidate, "accepted", str(path))]
    opencode.session("three")
    (request,) = opencode.requests("three")
    listed = [text for text in map(str, request["messages"]) if "Use when prices are floats." in text]
    assert (len(listed), offers(request)) == (1, [])
    assert opencode.hook_log() == ""


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_session_that_is_killed_is_finished_when_the_client_comes_back(
    opencode: OpenCode, end: signal.Signals
) -> None:
    write_project(opencode)
    os.mkfifo(opencode.project / "never")
    script_lesson(opencode, last=[bash("touch begun; cat never")])
    with opencode.started(PROMPT) as running:
        eventually((opencode.project / "begun").exists, "the last tool call")
        os.killpg(running.pid, end)
        running.communicate()
        os.close(os.open(opencode.project / "never", os.O_RDWR))  # lets go of what the client's shell was waiting for
    opencode.settled()
    assert (opencode.pending(), [name.split(".")[0] for name in opencode.spool()]) == ([], [str(running.pid)])
    opencode.session("two")
    assert len(opencode.sessions()) == 2
    opencode.session("three")
    assert sum(opencode.copies("two") + opencode.copies("three")) == 1
    assert (opencode.hook_log(), opencode.spool()) == ("", [])


@pytest.mark.parametrize("second", ["project", "tree"])
def test_of_two_concurrent_clients_in_a_repository_one_receives_the_offer(opencode: OpenCode, second: str) -> None:
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
    opencode.settled()
    told = {"first": set[int](), "second": set[int]()}
    for request in opencode.requests("both"):
        told["first" if "Hello, first" in str(request["messages"]) else "second"].add(len(offers(request)))
    assert sorted(told.values(), key=str) == [{0}, {1}]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])


# More of this kind, quicker, in tests/plugin/adapters/test_opencode_plugin.py.
BROKEN = {
    "missing": "",
    "slow": "#!/bin/sh\nexec sleep 10\n",
    "garbage": "#!/bin/sh\necho '<html>'; echo oops >&2; exit 3\n",
    "crashing": "#!/bin/sh\nprintf '{\"inj'; kill -SEGV $$\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_turn_completes_and_no_learning_is_lost_when_python_fails_or_hangs(opencode: OpenCode, name: str) -> None:
    python = opencode.root / "python"
    if BROKEN[name]:
        python.write_text(BROKEN[name])
        python.chmod(0o755)
    # With the interpreter gone, a shell looks for one with the script beside the entry, which is gone as well.
    opencode.install(str(python), opencode.root / "gone" / "entry.py")
    (opencode.root / "gone").mkdir(exist_ok=bool(BROKEN[name]))
    write_project(opencode)
    script_lesson(opencode)
    ran = opencode.say(PROMPT)
    assert (ran.code, len(opencode.requests("one")), opencode.copies("one")) == (0, 7, [0] * 7)
    assert "mind-skills.js" not in ran.stdout + ran.stderr
    assert len(opencode.spool()) == 1
    opencode.install()
    for script in ("two", "three"):
        opencode.session(script)
    assert sum(opencode.copies("two") + opencode.copies("three")) == 1
    assert (opencode.hook_log(), opencode.spool()) == ("", [])


def test_a_compacted_session_still_has_exactly_one_copy_of_the_offer(opencode: OpenCode) -> None:
    learned(opencode)
    opencode.session("two", [LOOK], [LOOK], ["Hello."], full_at=2)
    assert opencode.copies("two") == [1, 1, 1]
    assert opencode.copies("two", "other") == [0, 0]  # the title and the summary
    assert "summar" in str(opencode.requests("two", kind="other")[1]["messages"][0])
    opencode.session("after", [LOOK], ["Hello."], prompt="And now?", more=opencode.resumed)
    assert opencode.copies("after") == [1, 1]
    assert opencode.hook_log() == ""


def test_a_fork_receives_no_offer_so_the_next_session_does(opencode: OpenCode) -> None:
    learned(opencode)
    (before,) = opencode.pending()
    opencode.session("fork", more=opencode.forking(""))
    opencode.session("resumed", more=opencode.resumed)
    assert (opencode.copies("fork"), opencode.copies("resumed"), opencode.pending()) == ([0], [0], [before])
    opencode.session("three")
    assert (opencode.copies("three"), opencode.hook_log()) == ([1], "")


def test_a_state_folder_deleted_during_a_session_is_created_again(opencode: OpenCode) -> None:
    write_project(opencode)
    script_lesson(opencode, last=[bash(f"rm -r {opencode.state}")])
    assert opencode.say(PROMPT).code == 0
    opencode.settled()
    assert ([item.get("injectedAt") for item in opencode.pending()], opencode.spool()) == ([None], [])
    assert opencode.hook_log() == ""


def test_a_subdirectory_and_a_worktree_belong_to_the_same_project(opencode: OpenCode) -> None:
    tree = worktree(opencode)
    learned(opencode)
    opencode.folder = tree / "deep"
    opencode.folder.mkdir()
    opencode.session("two")
    assert (opencode.copies("two"), opencode.hook_log()) == ([1], "")


def test_the_plugin_works_without_anything_that_opencode_would_download(opencode: OpenCode) -> None:
    for path in (opencode.config / "package.json", opencode.config / "package-lock.json"):
        path.unlink()
    (opencode.config / "node_modules").rmdir()
    opencode.extra |= {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    learned(opencode)
    opencode.session("two")
    assert (opencode.copies("two"), opencode.hook_log()) == ([1], "")
    assert sorted(path.name for path in opencode.config.iterdir()) == [".gitignore", "opencode.json", "plugin"]


def test_a_disabled_project_is_not_touched(opencode: OpenCode) -> None:
    (opencode.project / ".claude").mkdir()
    (opencode.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    learns(opencode)
    assert (opencode.pending(), opencode.sessions(), opencode.hook_log(), opencode.spool()) == ([], [], "", [])


def test_a_state_folder_that_cannot_be_created_disturbs_no_session(opencode: OpenCode) -> None:
    opencode.state.write_text("mine")
    write_project(opencode)
    script_lesson(opencode)
    assert (opencode.say(PROMPT).code, len(opencode.requests("one"))) == (0, 7)
    assert opencode.state.read_text() == "mine"
