"""Processes started by hooks, found in /proc by the state folder in their environment."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def wait_for_processes_of(state: Path, seconds: float) -> None:
    """Wait until no process uses this state folder or could use it."""
    end = time.monotonic() + seconds
    # Checked twice: a listed process may end before it is inspected, and start another that was not listed.
    while left := _left(state) or _left(state):
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.01)


def processes_of(state: Path) -> list[int]:
    """Return the ids of the running processes that use this state folder."""
    return [int(process.name) for process in _running() if _has(process, state)]


def _running() -> list[Path]:
    return [folder for folder in Path("/proc").iterdir() if folder.name.isdecimal()]


def _left(state: Path) -> list[Path]:
    return [process for process in _running() if _has(process, state) or _starts(process)]


def _has(process: Path, state: Path) -> bool:
    try:
        return f"MIND_SKILLS_HOME={state}\0".encode() in (process / "environ").read_bytes() + b"\0"
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False


def _starts(process: Path) -> bool:
    """Return whether this is a Python process without an environment yet, because it is about to start."""
    try:
        return not (process / "environ").read_bytes() and (process / "exe").samefile(sys.executable)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
