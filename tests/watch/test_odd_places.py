"""Folders and files that nobody would make on purpose, and what happens while a look is under way."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.watch.machine import OTHER, Machine, can_limit, limited

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"


@pytest.mark.process
def test_a_folder_that_is_deleted_and_made_again_at_once_is_watched_again(real: Machine) -> None:
    real.watch()
    top = real.write("claude-code", FIRST).parents[1]
    real.looked(FIRST)
    for number in range(3):  # the new folder often has the number of the old one
        shutil.rmtree(top)
        session = f"{SECOND[:-1]}{number + 2}"
        real.write("claude-code", session, OTHER)
        real.looked(session)
    assert real.stop() == 0
    assert real.errors == ""


@pytest.mark.process
def test_where_the_limit_is_reached_later_it_polls_and_says_so(real: Machine) -> None:
    if not can_limit():
        pytest.skip("needs user namespaces")
    (real.home / ".claude" / "projects" / "p0").mkdir(parents=True)
    started = real.watch(before=limited("max_inotify_watches", 12))
    for number in range(20):
        (real.home / ".claude" / "projects" / f"q{number}").mkdir()
    path = real.home / ".claude" / "projects" / "q19" / f"{FIRST}.jsonl"
    path.write_text(real.text("claude-code", FIRST))
    assert real.looked(FIRST)["candidates"] == 1
    said = [event["message"] for event in real.seen if event["event"] == "problem"]
    assert (started["polling"], len(said)) == (False, 1)
    assert said[0].startswith("polling all logs from now on, because ")
    assert real.stop() == 0
    assert real.errors == ""


def our_processes(real: Machine) -> list[str]:
    """The command lines of what runs over this machine's state folder."""
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
def test_ended_in_the_middle_of_a_look_it_leaves_no_process_and_loses_nothing(real: Machine, number: int) -> None:
    real.watch(quiet=0.1)
    path = real.place("claude-code", FIRST)
    path.parent.mkdir(parents=True)
    path.write_text(real.text("claude-code", FIRST) * 300)
    real.eventually(lambda: any("watch.worker" in line for line in our_processes(real)))
    assert real.stop(number) == (0 if number == signal.SIGTERM else 130)
    assert (our_processes(real), real.errors) == ([], "")
    real.json("watch", "--once")
    assert [each.sessions for each in real.pending()] == [(FIRST,)]


@pytest.mark.process
def test_names_that_are_no_text_loops_and_pipes_do_not_keep_it_from_its_work(real: Machine) -> None:
    top = real.place("claude-code", FIRST).parent
    top.mkdir(parents=True)
    (top / "loop").symlink_to(top, target_is_directory=True)
    (top / "nowhere.jsonl").symlink_to(top / "gone")
    os.mkfifo(top / "pipe.jsonl")
    (top / "folder.jsonl").mkdir()
    odd = Path(os.fsdecode(os.fsencode(top) + b"/line\nbreak \xff.jsonl"))
    odd.write_text(real.text("claude-code", FIRST))
    started = real.watch("--verbose", str(top))
    assert (started["files"], real.looked(FIRST)["candidates"]) == (1, 1)
    os.mkfifo(top / "later.jsonl")
    real.append(odd, "\n")
    noticed = real.until(lambda event: event["event"] == "noticed" and "break" in event["path"])
    assert noticed["path"].endswith("/line\nbreak \ufffd.jsonl")
    real.write("claude-code", SECOND, OTHER)
    real.looked(SECOND)
    assert real.stop() == 0
    assert real.errors == ""


def test_of_a_log_that_is_emptied_and_written_anew_what_it_taught_before_is_kept(machine: Machine) -> None:
    machine.run("config", "set", "idle_seconds", "10")
    path = machine.write("claude-code", FIRST)
    machine.json("watch", "--once")
    path.write_text("")
    machine.json("watch", "--once")
    later = machine.text("claude-code", FIRST, OTHER).replace("2026-06-18T02", "2026-06-18T05")
    path.write_text(later)
    machine.json("watch", "--once")
    machine.append(path, "\n")
    machine.json("watch", "--once")
    assert sorted(each.sessions for each in machine.pending()) == [(FIRST,), (FIRST,)]
    assert len({each.fingerprint for each in machine.pending()}) == 2


ROOT = os.geteuid() == 0
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if ROOT else ()


def can_be_nobody() -> bool:
    """Whether somebody else may run the interpreter, which runs another, and read the code."""
    if ROOT and shutil.which("setpriv") is None:
        return False
    look = "import mind_skills.watch.jobs"
    program = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {look!r}]).returncode)"
    return subprocess.run([*NOBODY, sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


@pytest.mark.process
def test_a_folder_that_may_not_be_read_keeps_it_from_no_other() -> None:
    if not can_be_nobody():
        pytest.skip("is run by root, and nobody else may run the code")
    with tempfile.TemporaryDirectory() as made, Machine(Path(made)) as real:
        shut = real.home / ".codex" / "sessions" / "2026"
        shut.mkdir(parents=True)
        shut.chmod(0)
        real.place("claude-code", FIRST).parent.mkdir(parents=True)
        for folder in (Path(made), *Path(made).rglob("*")) if ROOT else ():
            if folder != shut:
                shutil.chown(folder, 65534, 65534)
        real.watch(before=NOBODY)
        path = real.write("claude-code", FIRST)
        if ROOT:
            shutil.chown(path, 65534, 65534)
        assert real.looked(FIRST)["candidates"] == 1
        shut.chmod(0o755)
        assert real.stop() == 0
        assert real.errors == ""
