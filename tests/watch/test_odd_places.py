"""Unusual folders and files, and signals during an inspection."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.watch.machine import OTHER, Machine, can_limit, limit_command

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"


@pytest.mark.process
def test_a_folder_that_is_deleted_and_recreated_is_watched_again(real: Machine) -> None:
    real.watch()
    top = real.write("claude-code", FIRST).parents[1]
    real.wait_for_inspection(FIRST)
    for number in range(3):  # the new folder often has the inode number of the old one
        shutil.rmtree(top)
        session = f"{SECOND[:-1]}{number + 2}"
        real.write("claude-code", session, OTHER)
        real.wait_for_inspection(session)
    assert real.stop() == 0
    assert real.errors == ""


@pytest.mark.process
def test_a_watch_polls_and_reports_it_if_new_folders_exceed_the_inotify_limit(real: Machine) -> None:
    if not can_limit():
        pytest.skip("needs user namespaces")
    (real.home / ".claude" / "projects" / "p0").mkdir(parents=True)
    started = real.watch(before=limit_command("max_inotify_watches", 12))
    for number in range(20):
        (real.home / ".claude" / "projects" / f"q{number}").mkdir()
    path = real.home / ".claude" / "projects" / "q19" / f"{FIRST}.jsonl"
    path.write_text(real.render_story("claude-code", FIRST))
    assert real.wait_for_inspection(FIRST)["candidates"] == 1
    said = [event["message"] for event in real.seen if event["event"] == "problem"]
    assert (started["polling"], len(said)) == (False, 1)
    assert said[0].startswith("polling all logs from now on, because ")
    assert real.stop() == 0
    assert real.errors == ""


def list_our_processes(real: Machine) -> list[str]:
    """The command lines of the processes that use this machine's state folder."""
    found: list[str] = []
    for folder in Path("/proc").iterdir():
        try:
            if (
                folder.name.isdecimal()
                and f"MIND_SKILLS_HOME={real.state}".encode() in (folder / "environ").read_bytes()
            ):
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_watch_ended_during_an_inspection_leaves_no_process_and_loses_nothing(real: Machine, number: int) -> None:
    real.watch(quiet=0.1)
    path = real.find_log_path("claude-code", FIRST)
    path.parent.mkdir(parents=True)
    path.write_text(real.render_story("claude-code", FIRST) * 300)
    real.eventually(lambda: any("watch.worker" in line for line in list_our_processes(real)))
    assert real.stop(number) == (0 if number == signal.SIGTERM else 130)
    assert (list_our_processes(real), real.errors) == ([], "")
    real.json("watch", "--once")
    assert [each.sessions for each in real.pending()] == [(FIRST,)]


@pytest.mark.process
def test_a_watch_works_despite_undecodable_names_link_loops_and_pipes(real: Machine) -> None:
    top = real.find_log_path("claude-code", FIRST).parent
    top.mkdir(parents=True)
    (top / "loop").symlink_to(top, target_is_directory=True)
    (top / "nowhere.jsonl").symlink_to(top / "gone")
    os.mkfifo(top / "pipe.jsonl")
    (top / "folder.jsonl").mkdir()
    odd = Path(os.fsdecode(os.fsencode(top) + b"/line\nbreak \xff.jsonl"))
    odd.write_text(real.render_story("claude-code", FIRST))
    started = real.watch("--verbose", str(top))
    assert (started["files"], real.wait_for_inspection(FIRST)["candidates"]) == (1, 1)
    os.mkfifo(top / "later.jsonl")
    real.append(odd, "\n")
    noticed = real.until(lambda event: event["event"] == "noticed" and "break" in event["path"])
    assert noticed["path"].endswith("/line\nbreak \ufffd.jsonl")
    real.write("claude-code", SECOND, OTHER)
    real.wait_for_inspection(SECOND)
    assert real.stop() == 0
    assert real.errors == ""


def test_the_candidates_of_a_log_that_is_emptied_and_rewritten_are_preserved(machine: Machine) -> None:
    machine.run("config", "set", "idle_seconds", "10")
    path = machine.write("claude-code", FIRST)
    machine.json("watch", "--once")
    path.write_text("")
    machine.json("watch", "--once")
    later = machine.render_story("claude-code", FIRST, OTHER).replace("2026-06-18T02", "2026-06-18T05")
    path.write_text(later)
    machine.json("watch", "--once")
    machine.append(path, "\n")
    machine.json("watch", "--once")
    assert sorted(each.sessions for each in machine.pending()) == [(FIRST,), (FIRST,)]
    assert len({each.fingerprint for each in machine.pending()}) == 2


ROOT = os.geteuid() == 0
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if ROOT else ()


def can_run_as_nobody() -> bool:
    """Whether another user may run the interpreter, start a second one, and read the code."""
    if ROOT and shutil.which("setpriv") is None:
        return False
    look = "import mind_skills.watch.jobs"
    program = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {look!r}]).returncode)"
    return subprocess.run([*NOBODY, sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


@pytest.mark.process
def test_an_unreadable_folder_does_not_prevent_watching_others() -> None:
    if not can_run_as_nobody():
        pytest.skip("runs as root, and no other user can run the code")
    with tempfile.TemporaryDirectory() as made, Machine(Path(made)) as real:
        shut = real.home / ".codex" / "sessions" / "2026"
        shut.mkdir(parents=True)
        shut.chmod(0)
        real.find_log_path("claude-code", FIRST).parent.mkdir(parents=True)
        for folder in (Path(made), *Path(made).rglob("*")) if ROOT else ():
            if folder != shut:
                shutil.chown(folder, 65534, 65534)
        real.watch(before=NOBODY)
        path = real.write("claude-code", FIRST)
        if ROOT:
            shutil.chown(path, 65534, 65534)
        assert real.wait_for_inspection(FIRST)["candidates"] == 1
        shut.chmod(0o755)
        assert real.stop() == 0
        assert real.errors == ""
