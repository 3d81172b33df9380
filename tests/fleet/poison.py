"""Readers that misbehave on files of certain names. They stand for bugs that no log of the corpus triggers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from mind_skills.fleet.child import Task, read_file
from mind_skills.fleet.rows import Row


def read_poisoned(task: Task) -> list[Row]:
    """Read a file, but crash, exit, exhaust the memory, loop or sleep if its name says so."""
    name = Path(task.path).stem
    if name == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif name == "exit":
        os._exit(0)
    elif name == "memory":
        bytearray(64_000_000_000)
    elif name == "loop":
        while True:
            pass
    elif name == "sleep":
        time.sleep(600)
    return read_file(task)


def read_slowly(task: Task) -> list[Row]:
    """Leave a mark for each file that is begun, for which tests wait, and read it after a moment."""
    marks = Path(os.environ["FLEET_MARKS"])
    (marks / f"{os.getpid()}-{os.getppid()}-{Path(task.path).stem}").touch()
    time.sleep(0.3)
    return read_file(task)
