"""A session ends with the process that writes its log, even if no hook reports that process."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mind_skills.hooks.session_state import HookCall
from mind_skills.store import processes
from mind_skills.watch import jobs
from mind_skills.watch.schedule import WRITERS_FOLDER
from tests.watch.machine import Machine

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"


@contextmanager
def holding(path: Path, mode: str = "ab") -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that holds a file open; no other process does."""
    with path.open(mode) as file:
        process = subprocess.Popen(["sleep", "600"], stdin=file)
    with process:
        try:
            yield process
        finally:
            process.kill()


def register(machine: Machine, session: str, pid: int, start: str = "") -> Path:
    """Write the file in which Claude Code records the process of a session."""
    path = machine.home / ".claude" / "sessions" / f"{pid}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = start or processes.describe_process(pid).split(" ")[1]
    path.write_text(json.dumps({"pid": pid, "sessionId": session, "procStart": begun}))
    return path


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode"])
def test_a_session_is_finished_when_the_process_that_writes_its_log_ends(machine: Machine, host: str) -> None:
    path = machine.write(host, FIRST)
    with holding(path) as process:
        if host == "claude-code":
            register(machine, FIRST, process.pid)
        machine.watch()
        machine.wait_for_inspection(FIRST)
        assert not machine.is_finished(FIRST)
        process.kill()
        process.wait()
        machine.until(lambda event: event["event"] == "ended")
    assert machine.is_finished(FIRST)
    assert machine.stop() == 0


def test_watch_once_finishes_a_session_whose_writer_has_ended_since_the_last_run(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path):
        first, second = machine.json("watch", "--once"), machine.json("watch", "--once")
    third = machine.json("watch", "--once")
    assert [each["ended"] for each in (first, second, third)] == [0, 0, 1]
    assert list((machine.state / WRITERS_FOLDER).iterdir()) == []


def test_a_silent_session_is_finished_although_its_process_is_running(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path):
        machine.watch(ended=1.0)
        machine.until(lambda event: event["event"] == "ended")
        assert machine.is_finished(FIRST)


def find_writer(machine: Machine, host: str, path: Path, session: str = FIRST) -> str:
    jobs._list_open_files.cache_clear()
    return jobs.find_writer(HookCall(host, session, str(machine.project), str(path), 1))


def test_the_writer_of_a_log_is_unknown_if_it_is_ambiguous_or_its_record_is_invalid(machine: Machine) -> None:
    database, log = machine.write("opencode", FIRST), machine.write("gemini", FIRST)
    claude = machine.write("claude-code", FIRST)
    with holding(database) as one, holding(database), holding(log), holding(claude):
        assert [
            find_writer(machine, "opencode", Path(f"{database}?session={FIRST}")),
            find_writer(machine, "gemini", log),
        ] == [
            "",
            "",
        ]
        file = register(machine, FIRST, one.pid, start="1")
        assert find_writer(machine, "claude-code", claude) == ""  # another process has this number by now
        for text in ("", "[]", '{"pid": "x", "sessionId": 3}', f'{{"sessionId": "{FIRST}"}}'):
            file.write_text(text)
            assert find_writer(machine, "claude-code", claude) == ""
        register(machine, FIRST, one.pid)
        assert find_writer(machine, "claude-code", claude) == processes.describe_process(one.pid)
        assert find_writer(machine, "claude-code", claude, SECOND) == ""
    assert find_writer(machine, "claude-code", claude) == ""


def test_a_process_that_only_reads_a_log_is_not_its_writer(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path, "rb"):
        alone = find_writer(machine, "codex", path)
        with holding(path) as writer:
            assert [alone, find_writer(machine, "codex", path)] == ["", processes.describe_process(writer.pid)]
