"""Processes started by hooks, found in /proc by the state folder in their environment."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def wait_for_processes(state: Path, seconds: float) -> None:
    """Wait until no process uses this state folder or is about to. Fails after ``seconds``."""
    end = time.monotonic() + seconds
    # Checked twice: a listed process may end before it is inspected, and start another that was not listed.
    while remaining := _list_remaining(state) or _list_remaining(state):
        assert time.monotonic() < end, f"still running: {remaining}"
        time.sleep(0.01)


def list_processes(state: Path) -> list[int]:
    """Return the ids of the running processes that use this state folder."""
    return [int(process.name) for process in _list_running() if _uses_state(process, state)]


def _list_running() -> list[Path]:
    return [folder for folder in Path("/proc").iterdir() if folder.name.isdecimal()]


def _list_remaining(state: Path) -> list[Path]:
    return [process for process in _list_running() if _uses_state(process, state) or _is_starting(process)]


def _uses_state(process: Path, state: Path) -> bool:
    try:
        return f"MIND_SKILLS_HOME={state}\0".encode() in (process / "environ").read_bytes() + b"\0"
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False


def _is_starting(process: Path) -> bool:
    """Return whether this is a Python process that is just being started, and has no environment yet."""
    try:
        return not (process / "environ").read_bytes() and (process / "exe").samefile(sys.executable)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
