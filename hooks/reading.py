"""What was read of the log of a session that goes on (observations/following.py), as it stands in the state folder.

A hint like every trace: where it is lost, damaged or of another log, the log is read as a whole. It goes with the end of its
session, with what the retention time removes, and where the rules of redaction have changed.
"""

from __future__ import annotations

import os

from mind_skills.hooks import traces
from mind_skills.observations.following import LARGEST, Kept, load
from mind_skills.store.home import FILE_MODE, ensure

_SPARE = ".new"
"""Ends the name of what is being written. A session has one writer at a time (hooks/turns.py)."""


def kept(home: str, session_id: str) -> Kept | None:
    """What the last look kept; None where all has to be read. Raises OSError where the state folder cannot be read."""
    try:
        descriptor = os.open(_place(home, session_id), os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    with open(descriptor, "rb", buffering=0) as file:
        return load(file.read(LARGEST))


def keep(home: str, session_id: str, what: Kept) -> None:
    """Put it in the place of what was kept before, in one step; where that fails, what was there stays.

    It is not waited for the disk: what a power cut leaves is known by its checksum. Raises OSError, HomeError.
    """
    ensure(home)
    ensure(os.path.join(home, traces.KEPT))
    place = _place(home, session_id)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(place + _SPARE, flags, FILE_MODE), "wb", buffering=0) as file:
        data = memoryview(what.dump())
        while data:
            data = data[file.write(data) :]
    os.replace(place + _SPARE, place)


def drop(home: str, session_id: str) -> None:
    """Remove it; harmless when it is gone. Raises OSError."""
    traces.drop(home, traces.KEPT, "", session_id)
    try:
        os.unlink(_place(home, session_id) + _SPARE)
    except FileNotFoundError:
        return


def forget(home: str) -> None:
    """Remove what was kept of all sessions: it is read anew. Raises OSError."""
    for path in traces.listed(home, traces.KEPT, ""):
        os.unlink(path)


def _place(home: str, session_id: str) -> str:
    return traces.place(home, traces.KEPT, "", session_id)
