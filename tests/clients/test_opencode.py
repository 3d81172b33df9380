"""The real OpenCode: a session learns, one later session receives the offer. The plugin never disturbs the client."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.clients.lesson import (
    LOOK,
    PROMPT,
    bash,
    build_skill_call,
    run_lesson,
    script_lesson,
    stage_lesson,
    write_project,
)
from tests.clients.observing import find_offers, wait_for
from tests.clients.real_opencode import OpenCode

ASK = {"tool": "task", "input": {"description": "Look", "prompt": "Look around.", "subagent_type": "general"}}


def add_worktree(opencode: OpenCode) -> Path:
    """Add a second worktree of the project's repository, and return its folder."""
    git = ["git", "-C", str(opencode.project), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(opencode.root / "tree")], check=True)
    return opencode.root / "tree"


def test_a_learning_is_offered_to_the_next_session_and_to_no_later_one(opencode: OpenCode) -> None:
    candidate = stage_lesson(opencode)

    opencode.session(
        "two", [LOOK], [ASK], [LOOK], ["Nothing to do."], subagent=[[LOOK], ["Nothing here."]], prompt="What is here?"
    )
    copies = opencode.list_offers("two")
    block = copies[0][0]
    assert copies == [[block]] * 4
    assert candidate in block
    assert opencode.count_offers("two", "subagent") == [0, 0]
    assert opencode.count_offers("two", "other") == [0]

    opencode.session("two again", [LOOK], ["Still nothing."], prompt="And now?", more=opencode.resume_arguments)
    assert opencode.list_offers("two again") == [[block]] * 2

    opencode.session("three", [LOOK], ["Nothing."], prompt="Hello?")
    assert opencode.count_offers("three") == [0, 0]
    assert (opencode.pending(), opencode.hook_log(), opencode.spool()) == ([], "", [])
    assert opencode.list_finished() == [True] * 3


def test_a_skill_written_in_session_two_is_listed_in_session_three_and_its_candidate_is_accepted(
    opencode: OpenCode,
) -> None:
    candidate = stage_lesson(opencode)
    path, write = build_skill_call(opencode, candidate)
    opencode.session("two", [write], ["Written."])
    assert (path.read_text(), opencode.pending()) == (write["input"]["content"], [])
    assert opencode.history() == [(candidate, "accepted", str(path))]
    opencode.session("three")
    (request,) = opencode.requests("three")
    listed = [text for text in map(str, request["messages"]) if "Use when prices are floats." in text]
    assert (len(listed), find_offers(request)) == (1, [])
    assert opencode.hook_log() == ""


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_session_that_is_killed_is_finished_when_the_client_comes_back(
    opencode: OpenCode, end: signal.Signals
) -> None:
    write_project(opencode)
    os.mkfifo(opencode.project / "never")
    script_lesson(opencode, last=[bash("touch begun; cat never")])
    with opencode.start(PROMPT) as running:
        wait_for((opencode.project / "begun").exists, "the last tool call")
        os.killpg(running.pid, end)
        running.communicate()
        os.close(os.open(opencode.project / "never", os.O_RDWR))  # ends the wait of the client's shell
    opencode.wait_until_settled()
    assert (opencode.pending(), [name.split(".")[0] for name in opencode.spool()]) == ([], [str(running.pid)])
    opencode.session("two")
    assert len(opencode.sessions()) == 2
    opencode.session("three")
    assert sum(opencode.count_offers("two") + opencode.count_offers("three")) == 1
    assert (opencode.hook_log(), opencode.spool()) == ("", [])


@pytest.mark.parametrize("second", ["project", "tree"])
def test_of_two_concurrent_clients_in_a_repository_one_receives_the_offer(opencode: OpenCode, second: str) -> None:
    """In one folder, and in two worktrees of it.

    OpenCode 1.18.33 has a race of its own here: it asks SQLite for the write-ahead log before it sets a timeout, so that
    of two that start while no other has the database open, one may end with "Unexpected error: database is locked" (2 of
    40 such pairs without our plugin). Therefore this test keeps the database open.
    """
    add_worktree(opencode)
    stage_lesson(opencode)
    opencode.script("both", [LOOK], [LOOK], ["Hello."], ["Hello."])
    with closing(sqlite3.connect(opencode.database)) as keeper:
        keeper.execute("SELECT count(*) FROM session").fetchone()
        with opencode.start("Hello, first") as one:
            opencode.folder = opencode.root / second
            with opencode.start("Hello, second") as other:
                ended = [running.communicate() for running in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), ended
    opencode.wait_until_settled()
    copies = {"first": set[int](), "second": set[int]()}
    for request in opencode.requests("both"):
        copies["first" if "Hello, first" in str(request["messages"]) else "second"].add(len(find_offers(request)))
    assert sorted(copies.values(), key=str) == [{0}, {1}]
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
    # Without the interpreter, a shell looks for one with the script next to the entry, which is missing as well.
    opencode.install(str(python), opencode.root / "gone" / "entry.py")
    (opencode.root / "gone").mkdir(exist_ok=bool(BROKEN[name]))
    write_project(opencode)
    script_lesson(opencode)
    ran = opencode.say(PROMPT)
    assert (ran.code, len(opencode.requests("one")), opencode.count_offers("one")) == (0, 7, [0] * 7)
    assert "mind-skills.js" not in ran.stdout + ran.stderr
    assert len(opencode.spool()) == 1
    opencode.install()
    for script in ("two", "three"):
        opencode.session(script)
    assert sum(opencode.count_offers("two") + opencode.count_offers("three")) == 1
    assert (opencode.hook_log(), opencode.spool()) == ("", [])


def test_a_compacted_session_still_has_exactly_one_copy_of_the_offer(opencode: OpenCode) -> None:
    stage_lesson(opencode)
    opencode.session("two", [LOOK], [LOOK], ["Hello."], full_at=2)
    assert opencode.count_offers("two") == [1, 1, 1]
    assert opencode.count_offers("two", "other") == [0, 0]  # the title and the summary
    assert "summar" in str(opencode.requests("two", kind="other")[1]["messages"][0])
    opencode.session("after", [LOOK], ["Hello."], prompt="And now?", more=opencode.resume_arguments)
    assert opencode.count_offers("after") == [1, 1]
    assert opencode.hook_log() == ""


def test_a_fork_receives_no_offer_so_the_next_session_does(opencode: OpenCode) -> None:
    stage_lesson(opencode)
    (before,) = opencode.pending()
    opencode.session("fork", more=opencode.fork_arguments(""))
    opencode.session("resumed", more=opencode.resume_arguments)
    assert (opencode.count_offers("fork"), opencode.count_offers("resumed"), opencode.pending()) == ([0], [0], [before])
    opencode.session("three")
    assert (opencode.count_offers("three"), opencode.hook_log()) == ([1], "")


def test_a_state_folder_deleted_during_a_session_is_created_again(opencode: OpenCode) -> None:
    write_project(opencode)
    script_lesson(opencode, last=[bash(f"rm -r {opencode.state}")])
    assert opencode.say(PROMPT).code == 0
    opencode.wait_until_settled()
    assert ([item.get("injectedAt") for item in opencode.pending()], opencode.spool()) == ([None], [])
    assert opencode.hook_log() == ""


def test_a_subdirectory_and_a_worktree_belong_to_the_same_project(opencode: OpenCode) -> None:
    tree = add_worktree(opencode)
    stage_lesson(opencode)
    opencode.folder = tree / "deep"
    opencode.folder.mkdir()
    opencode.session("two")
    assert (opencode.count_offers("two"), opencode.hook_log()) == ([1], "")


def test_the_plugin_works_without_anything_that_opencode_would_download(opencode: OpenCode) -> None:
    for path in (opencode.config / "package.json", opencode.config / "package-lock.json"):
        path.unlink()
    (opencode.config / "node_modules").rmdir()
    opencode.extra |= {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    stage_lesson(opencode)
    opencode.session("two")
    assert (opencode.count_offers("two"), opencode.hook_log()) == ([1], "")
    assert sorted(path.name for path in opencode.config.iterdir()) == [".gitignore", "opencode.json", "plugin"]


def test_a_disabled_project_is_not_touched(opencode: OpenCode) -> None:
    (opencode.project / ".claude").mkdir()
    (opencode.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    run_lesson(opencode)
    assert (opencode.pending(), opencode.sessions(), opencode.hook_log(), opencode.spool()) == ([], [], "", [])


def test_a_state_folder_that_cannot_be_created_disturbs_no_session(opencode: OpenCode) -> None:
    opencode.state.write_text("mine")
    write_project(opencode)
    script_lesson(opencode)
    assert (opencode.say(PROMPT).code, len(opencode.requests("one"))) == (0, 7)
    assert opencode.state.read_text() == "mine"
