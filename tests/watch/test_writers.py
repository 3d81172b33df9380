"""A session ends with the process that writes its log, where no hook says which that is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mind_skills.hooks import processes
from mind_skills.hooks.moment import Moment
from mind_skills.watch import jobs, watcher
from tests.watch.machine import Machine

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"


@contextmanager
def holding(path: Path, mode: str = "ab") -> Iterator[subprocess.Popen[bytes]]:
    """A process that keeps a file open, as nobody else does."""
    with path.open(mode) as file:
        process = subprocess.Popen(["sleep", "600"], stdin=file)
    with process:
        try:
            yield process
        finally:
            process.kill()


def register(machine: Machine, session: str, pid: int, start: str = "") -> Path:
    """What Claude Code says beside its logs of the process that runs a session."""
    path = machine.home / ".claude" / "sessions" / f"{pid}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = start or processes.describe_process(pid).split(" ")[1]
    path.write_text(json.dumps({"pid": pid, "sessionId": session, "procStart": begun}))
    return path


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode"])
def test_it_ends_when_the_process_is_gone(machine: Machine, host: str) -> None:
    path = machine.write(host, FIRST)
    with holding(path) as process:
        if host == "claude-code":
            register(machine, FIRST, process.pid)
        machine.watch()
        machine.looked(FIRST)
        assert not machine.finished(FIRST)
        process.kill()
        process.wait()
        machine.until(lambda event: event["event"] == "ended")
    assert machine.finished(FIRST)
    assert machine.stop() == 0


def test_for_who_looks_from_time_to_time_as_well(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path):
        first, second = machine.json("watch", "--once"), machine.json("watch", "--once")
    third = machine.json("watch", "--once")
    assert [each["ended"] for each in (first, second, third)] == [0, 0, 1]
    assert list((machine.state / jobs.WRITERS_FOLDER).iterdir()) == []


def test_a_process_that_goes_on_keeps_no_silent_session_open(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path):
        machine.watch(ended=1.0)
        machine.until(lambda event: event["event"] == "ended")
        assert machine.finished(FIRST)


def words(machine: Machine, host: str, path: Path, session: str = FIRST) -> str:
    jobs._list_open_files.cache_clear()
    return jobs.find_writer(Moment(host, session, str(machine.project), str(path), 1))


def test_what_is_not_known_for_sure_is_not_said(machine: Machine) -> None:
    database, log = machine.write("opencode", FIRST), machine.write("gemini", FIRST)
    claude = machine.write("claude-code", FIRST)
    with holding(database) as one, holding(database), holding(log), holding(claude):
        assert [words(machine, "opencode", Path(f"{database}?session={FIRST}")), words(machine, "gemini", log)] == [
            "",
            "",
        ]
        file = register(machine, FIRST, one.pid, start="1")
        assert words(machine, "claude-code", claude) == ""  # the number is another process's by now
        for text in ("", "[]", '{"pid": "x", "sessionId": 3}', f'{{"sessionId": "{FIRST}"}}'):
            file.write_text(text)
            assert words(machine, "claude-code", claude) == ""
        register(machine, FIRST, one.pid)
        assert words(machine, "claude-code", claude) == processes.describe_process(one.pid)
        assert words(machine, "claude-code", claude, SECOND) == ""
    assert words(machine, "claude-code", claude) == ""


def test_who_only_reads_a_log_is_not_its_writer(machine: Machine) -> None:
    path = machine.write("codex", FIRST)
    with holding(path, "rb"):
        alone = words(machine, "codex", path)
        with holding(path) as writer:
            assert [alone, words(machine, "codex", path)] == ["", processes.describe_process(writer.pid)]


def test_the_name_that_is_repeated_is_the_one_of_its_owner() -> None:
    assert watcher.WRITERS_FOLDER == jobs.WRITERS_FOLDER
