"""What one moment of a session leaves for another, in small files, where a database would cost too much.

The markers of a session are one file each in the state folder, so that whoever dies in between leaves the others whole, and
a look at one costs one stat. Each is a hint and never the truth: losing one delays a candidate by one session at the most.
Here are also the offer that waits for a session's first prompt, what was read of its log, and its lock.

The start of every session imports this: ``os`` only.
"""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.hooks.moment import Moment
    from mind_skills.observations.following import Kept
    from mind_skills.store.lock import Lock

UNANSWERED, ENDING, RECEIPTS = "unanswered", "ending", "receipts"
"""Folders with a folder for each project."""
RUNNING, CHECKED, FORKED, DEFERRED, HANDING, READING = "running", "checked", "forked", "held", "handing", "reading"
"""Folders with a file for each session."""
LONGEST = 20
"""Digits of a number, and more than any of ours has."""
SHARD = 1
"""Hex digits of the session's digest that name its lock: sixteen files for all sessions there will ever be."""
_SPARE = ".new"
"""Ends the name of what is being written. A session has one writer at a time (``lock_session``)."""


class Marker:
    """One file of one session, ``FOLDER/SESSION`` or ``FOLDER/PROJECT/SESSION`` in the state folder."""

    __slots__ = ("_folders", "path")

    def __init__(self, home: str, folder: str, session_id: str, project_id: str = "") -> None:
        """Nothing is opened yet. ``home`` is the state folder."""
        self._folders = [home, os.path.join(home, folder)]
        if project_id:
            self._folders.append(os.path.join(home, folder, project_id))
        self.path = os.path.join(self._folders[-1], digest(session_id))

    def put(self, content: str = "") -> None:
        """Leave the marker. Raises OSError or HomeError where the state folder refuses."""
        for folder in self._folders:
            ensure(folder)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
        try:
            os.write(descriptor, os.fsencode(content))
        finally:
            os.close(descriptor)

    def drop(self) -> None:
        """Remove the marker; harmless when it is gone."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            return

    def read(self) -> str:
        """Its content, empty where there is none."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return ""
        try:
            return os.fsdecode(os.read(descriptor, 1 << 14))
        finally:
            os.close(descriptor)

    def exists(self) -> bool:
        """Whether it is there. One stat."""
        return os.path.exists(self.path)


class SessionMarkers:
    """The markers of one session. Those of a project are only there for whoever names it."""

    __slots__ = ("checked", "deferred", "ending", "forked", "handing", "reading", "receipt", "running", "unanswered")

    def __init__(self, home: str, session_id: str, project_id: str = "") -> None:
        """``home`` is the state folder."""
        self.running = Marker(home, RUNNING, session_id)
        """Which process runs this session, as hooks/processes.py puts it."""
        self.checked = Marker(home, CHECKED, session_id)
        """When its log was last looked at, in UTC milliseconds."""
        self.forked = Marker(home, FORKED, session_id)
        """When it began as a copy of another. Stays, since it can be resumed at any time."""
        self.deferred = Marker(home, DEFERRED, session_id)
        """The offer that it is handed with its first prompt, for hosts that want it there."""
        self.handing = Marker(home, HANDING, session_id)
        """An offer is being claimed for it, and its host has not been told yet (hooks/unread_offers.py)."""
        self.reading = Marker(home, READING, session_id)
        """What was read of its log (``load_reading``)."""
        self.unanswered = Marker(home, UNANSWERED, session_id, project_id)
        """It was handed an offer and has not been seen to answer yet."""
        self.ending = Marker(home, ENDING, session_id, project_id)
        """It has ended and is being read; its candidates are about to wait."""
        self.receipt = Marker(home, RECEIPTS, session_id, project_id)
        """What the user is to be told of it (hooks/session_skills.py)."""


def list_markers(home: str, folder: str, project_id: str = "") -> list[str]:
    """Paths of the markers in a folder, or of a project in it. Usually one failed listdir."""
    top = os.path.join(home, folder, project_id)
    try:
        return [os.path.join(top, name) for name in sorted(os.listdir(top))]
    except FileNotFoundError:
        return []


def parse_number(text: str) -> int | None:
    """The number that a marker holds, None where it holds none that was ever put there."""
    return int(text) if len(text) < LONGEST and text.isascii() and text.isdecimal() else None


def announce_end(home: str, moment: Moment) -> None:
    """Say that a session is about to be read, so that one which begins right now waits a moment for it."""
    SessionMarkers(home, moment.session_id, find(moment.project).id).ending.put()


def is_checkpoint_due(home: str, moment: Moment, interval: int) -> bool:
    """Whether the last checkpoint of this session is ``interval`` (milliseconds) old, or more.

    Asked before a process is started for it: hosts go idle after every turn, and where nobody collects the detached
    processes that have ended (a container without an init), each of them keeps its number.
    """
    last = parse_number(SessionMarkers(home, moment.session_id).checked.read())
    return last is None or not 0 <= moment.at - last < interval


def defer_offer(home: str, moment: Moment, text: str | None) -> None:
    """Keep ``text`` for the first prompt of this session; None forgets what was kept. Raises OSError, HomeError.

    It was claimed at the start, as everywhere, so that what the session itself learns is not offered to it later.
    """
    deferred = SessionMarkers(home, moment.session_id).deferred
    if text is None:
        deferred.drop()
    else:
        deferred.put(text)


def release_offer(home: str, moment: Moment) -> str | None:
    """The offer that waits for this session, to one caller only; None to all others. Raises OSError, HomeError.

    In the same step it becomes the marker ``handing``, which the caller removes when the host has been told.
    """
    markers = SessionMarkers(home, moment.session_id)
    if not markers.deferred.exists():
        return None
    ensure(os.path.dirname(markers.handing.path))
    try:
        os.rename(markers.deferred.path, markers.handing.path)
    except FileNotFoundError:
        return None  # another prompt was faster
    with open(markers.handing.path, "rb") as file:
        return os.fsdecode(file.read()) or None


def load_reading(home: str, session_id: str) -> Kept | None:
    """What the last look kept of a log (observations/following.py); None where all has to be read.

    A hint like every marker: where it is lost, damaged or of another log, the log is read as a whole. Raises OSError where the
    state folder cannot be read.
    """
    from mind_skills.observations.following import LARGEST, load

    try:
        descriptor = os.open(SessionMarkers(home, session_id).reading.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    with open(descriptor, "rb", buffering=0) as file:
        return load(file.read(LARGEST))


def save_reading(home: str, session_id: str, reading: Kept) -> None:
    """Replace what was kept before, in one step; where that fails, what was there stays.

    It is not flushed to the disk: what a power cut leaves is known by its checksum. Raises OSError, HomeError.
    """
    ensure(home)
    ensure(os.path.join(home, READING))
    path = SessionMarkers(home, session_id).reading.path
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path + _SPARE, flags, FILE_MODE), "wb", buffering=0) as file:
        data = memoryview(reading.dump())
        while data:
            data = data[file.write(data) :]
    os.replace(path + _SPARE, path)


def drop_reading(home: str, session_id: str) -> None:
    """Remove what was kept of a log; harmless when it is gone. Raises OSError."""
    reading = SessionMarkers(home, session_id).reading
    reading.drop()
    try:
        os.unlink(reading.path + _SPARE)
    except FileNotFoundError:
        return


def lock_session(home: str, session_id: str, *, wait: bool) -> Lock:
    """The lock by which one process at a time looks at a session, so that two checkpoints do not do the same work.

    Only work is spared by this: correctness is the database's transactions'. Raises HomeError, OSError; a lock that is not
    there yet is made.
    """
    from mind_skills.store.lock import Lock

    folder = ensure(os.path.join(ensure(home), "locks"))
    return Lock(os.path.join(folder, digest(session_id)[:SHARD]), wait=wait)
