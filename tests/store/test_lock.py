"""Locks between processes: one holder at a time, and a caller that does not wait learns whether it holds the lock."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.store.processes import Lock, lock_descriptor

HOLDER = """
import sys
from mind_skills.store.processes import Lock
with Lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_without_waiting_reports_whether_it_is_held(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with Lock(path, wait=False) as first, Lock(path, wait=False) as second:
        assert (first.is_held, second.is_held) == (True, False)
    with Lock(path, wait=False) as later:
        assert later.is_held
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_process_that_dies_releases_its_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with Lock(path, wait=False) as refused:
            assert not refused.is_held
        holder.kill()
        with Lock(path) as ours:
            assert ours.is_held


def test_a_path_or_descriptor_that_cannot_be_locked_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), Lock(str(tmp_path / "no folder" / "lock")):
        pass
    with (tmp_path / "file").open("wb") as file:
        descriptor = file.fileno()
    with pytest.raises(OSError, match="Bad file descriptor"):
        lock_descriptor(descriptor, wait=False)
