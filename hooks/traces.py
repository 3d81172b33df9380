"""Small files in the state folder that one moment leaves for another, where a database would cost the start too much.

* ``unanswered/<project>/<session>``: this session was handed an offer and has not been seen to answer yet.
* ``ending/<project>/<session>``: this session has ended and is being read; its candidates are about to wait.
* ``running/<session>``: which process runs this session, as hooks/processes.py puts it.
* ``checked/<session>``: when this session's log was last looked at, in UTC milliseconds.
* ``reading/<session>``: what was read of this session's log, see hooks/reading.py.
* ``held/<session>``: the offer that this session is handed with its first prompt, for hosts that want it there.
* ``handing/<session>``: an offer is being claimed for this session, and its host has not been told yet, see hooks/unheard.py.
* ``receipts/<project>/<session>``: what the user is to be told of this session, see hooks/receipts.py.
* ``forked/<session>``: this session began as a copy of another. Kept, since it can be resumed at any time.

Each is a hint and never the truth: losing one delays a candidate by one session at the most. Imports ``os`` only.
"""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.hooks.moment import Moment

UNANSWERED, ENDING, RUNNING, CHECKED, FORKED = "unanswered", "ending", "running", "checked", "forked"
HELD, KEPT, HANDING = "held", "reading", "handing"
RECEIPTS = "receipts"
LONGEST = 20
"""Digits of a number, and more than any of ours has."""


def announce(home: str, moment: Moment) -> None:
    """Say that a session is about to be read, so that one which begins right now waits a moment for it."""
    put(home, ENDING, find(moment.project).id, moment.session_id)


def due(home: str, moment: Moment, interval: int) -> bool:
    """Whether a checkpoint of this session has something to do: the last is ``interval`` (milliseconds) old, or more.

    Asked before a process is started for it: hosts go idle after every turn, and where nobody collects the detached
    processes that have ended (a container without an init), each of them keeps its number.
    """
    last = number(read(home, CHECKED, "", moment.session_id))
    return last is None or not 0 <= moment.at - last < interval


def put(home: str, folder: str, project_id: str, session_id: str, content: str = "") -> None:
    """Leave a trace. Raises OSError or HomeError where the state folder refuses."""
    ensure(home)
    ensure(os.path.join(home, folder))
    if project_id:
        ensure(os.path.join(home, folder, project_id))
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(place(home, folder, project_id, session_id), flags, FILE_MODE)
    try:
        os.write(descriptor, os.fsencode(content))
    finally:
        os.close(descriptor)


def drop(home: str, folder: str, project_id: str, session_id: str) -> None:
    """Remove a trace; harmless when it is gone."""
    try:
        os.unlink(place(home, folder, project_id, session_id))
    except FileNotFoundError:
        return


def read(home: str, folder: str, project_id: str, session_id: str) -> str:
    """The content of a trace, empty where there is none."""
    try:
        descriptor = os.open(place(home, folder, project_id, session_id), os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        return os.fsdecode(os.read(descriptor, 1 << 14))
    finally:
        os.close(descriptor)


def number(text: str) -> int | None:
    """The number that a trace says, None where it says none that was ever put there."""
    return int(text) if len(text) < LONGEST and text.isascii() and text.isdecimal() else None


def listed(home: str, folder: str, project_id: str) -> list[str]:
    """Paths of the traces of a project; one failing look at a folder where there are none."""
    top = os.path.join(home, folder, project_id)
    try:
        return [os.path.join(top, name) for name in sorted(os.listdir(top))]
    except FileNotFoundError:
        return []


def place(home: str, folder: str, project_id: str, session_id: str) -> str:
    """Where a trace is, or would be."""
    return os.path.join(home, folder, project_id, digest(session_id))
