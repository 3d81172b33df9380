"""Which process runs a session, if the host does not report it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.plugin.hook import _read_call
from tests.testkit.paths import ROOT

ASK = "from mind_skills.plugin.host_process import find_host_process; print(find_host_process())"
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only where the system has /proc")


def find_host(*before: str) -> int:
    done = subprocess.run([*before, sys.executable, "-c", ASK], capture_output=True, text=True, check=True, cwd=ROOT)
    return int(done.stdout)


def test_a_host_that_starts_the_hook_itself_is_its_parent() -> None:
    assert find_host() == os.getpid()


def test_shells_between_the_host_and_the_hook_are_skipped() -> None:
    # Because of the second command the shell does not replace its own process.
    assert find_host("sh", "-c", '"$@"; true', "sh", "sh", "-c", '"$@"; true', "sh") == os.getpid()


def test_a_server_of_many_sessions_is_not_the_process_of_a_session() -> None:
    serve = "import subprocess, sys; subprocess.run(sys.argv[2:], check=True)"
    assert find_host(sys.executable, "-c", serve, "app-server") == 0
    assert find_host(sys.executable, "-c", serve, "other") != 0


PAYLOAD = b'{"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/"}'


@pytest.mark.parametrize(("found", "expected"), [(None, 7), (0, 0), (5, 5)])
def test_the_host_process_is_searched_for_only_if_it_was_not_found_before_the_fork(
    monkeypatch: pytest.MonkeyPatch, found: int | None, expected: int
) -> None:
    monkeypatch.setattr("mind_skills.plugin.host_process.find_host_process", lambda _: 7)
    call, _, _ = _read_call(["codex"], PAYLOAD, 1, found)
    assert call.pid == expected
