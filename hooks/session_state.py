"""The hook calls of a session, and what one leaves for the next in small marker files: a crash leaves the others, a
check is one stat. Losing one delays a candidate by a session at most. Every session start imports this, so it
imports little.
"""

from __future__ import annotations

import os

from mind_skills.store.home import (
    FILE_MODE,
    create_file,
    ensure_folder,
    list_names,
    read_file,
    remove_file,
    write_small_file,
)
from mind_skills.store.project import digest_text, resolve_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.observations.incremental import SavedState
    from mind_skills.store.processes import Lock

UNANSWERED, ENDING, RECEIPTS = "unanswered", "ending", "receipts"
"""Marker folders with a subfolder per project."""
RUNNING, CHECKED, FORKED, DEFERRED, DELIVERING, LOG_STATE = "running", "checked", "forked", "held", "handing", "reading"
NOTICED, STARTED = "noticed", "started"
"""Marker folders with a file per session."""
SESSION_FOLDERS = (RUNNING, CHECKED, FORKED, DEFERRED, DELIVERING, LOG_STATE, NOTICED, STARTED)
PROJECT_FOLDERS = (UNANSWERED, ENDING, RECEIPTS)
MAX_DIGITS = 20
"""A stored number has fewer digits than this."""
LOCK_NAME_DIGITS = 1
"""Hex digits of the session digest used as the lock name, so there are at most sixteen lock files."""
_TEMP_SUFFIX = ".new"
"""Suffix of the file in which a saved state is written. Only the holder of the session's lock does that."""


class HookCall:
    """A call of a hook, from a host, a spool or the watch; a plain class, for speed. ``project`` is the folder that the
    host names, ``log`` its path or "", ``at`` UTC ms. ``source`` is "startup", "clear", "resume", "fork", "compact",
    the host's reason, "error" or ``WATCH_SOURCE``. ``pid`` is the host's process or 0. ``host_removes_marker``: it
    removes the ``delivering`` marker itself. ``failed`` is a failed command and its output.
    """

    __slots__ = (
        *("at", "failed", "host", "host_removes_marker", "log", "pid"),
        *("project", "session_id", "source", "subagent"),
    )

    def __init__(
        self,
        host: str,
        session_id: str,
        project: str,
        log: str,
        at: int,
        source: str = "startup",
        subagent: bool = False,
        pid: int = 0,
        host_removes_marker: bool = False,
        failed: tuple[str, str] = ("", ""),
    ) -> None:
        self.host = host
        self.session_id = session_id
        self.project = project
        self.log = log
        self.at = at
        self.source = source
        self.subagent = subagent
        self.pid = pid
        self.host_removes_marker = host_removes_marker
        self.failed = failed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HookCall):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.host, self.session_id, self.at))

    def __repr__(self) -> str:
        return f"HookCall({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"


class Marker:
    """A marker file ``FOLDER/SESSION`` or ``FOLDER/PROJECT/SESSION``, with the digest of the session's id."""

    __slots__ = ("_folders", "path")

    def __init__(self, home: str, folder: str, session_id: str, project_id: str = "") -> None:
        """Build the path without creating the file. ``home`` is the state folder."""
        self._folders = [home, os.path.join(home, folder)]
        if project_id:
            self._folders.append(os.path.join(home, folder, project_id))
        self.path = os.path.join(self._folders[-1], digest_text(session_id))

    def write(self, content: str = "", *, append: bool = False) -> None:
        """Write the marker file, or append to it. Raises OSError or HomeError if the state folder is not writable."""
        self._make_folders()
        data = content.encode("utf-8", "surrogateescape")  # whatever the locale
        write_small_file(self.path, data, os.O_APPEND if append else os.O_TRUNC)

    def claim(self) -> bool:
        """Create the empty marker file; return False if it exists. Raises OSError or HomeError like ``write``."""
        self._make_folders()
        return create_file(self.path)

    def _make_folders(self) -> None:
        for folder in self._folders:
            ensure_folder(folder)

    def remove(self) -> None:
        remove_file(self.path)

    def read(self) -> str:
        """Return the content, at most 16 KiB; empty if the file does not exist."""
        return read_file(self.path).decode("utf-8", "surrogateescape")

    def exists(self) -> bool:
        """Return whether the file exists. Takes one stat call."""
        return os.path.exists(self.path)


class SessionMarkers:
    """Markers of one session. The markers stored per project require ``project_id``."""

    __slots__ = (
        *("checked", "deferred", "delivering", "ending", "forked", "log_state"),
        *("noticed", "receipt", "running", "started", "unanswered"),
    )

    def __init__(self, home: str, session_id: str, project_id: str = "") -> None:
        """``home`` is the state folder."""
        self.running = Marker(home, RUNNING, session_id)
        """The process that runs this session, in the format of store/processes.py."""
        self.checked = Marker(home, CHECKED, session_id)
        """Time of the last checkpoint, in UTC milliseconds."""
        self.forked = Marker(home, FORKED, session_id)
        """Time at which the session was forked from another one, in UTC milliseconds. Stays after the session's end,
        because the session can be resumed.
        """
        self.deferred = Marker(home, DEFERRED, session_id)
        """The offer to deliver with the first prompt, for hosts that do not accept one at the start."""
        self.delivering = Marker(home, DELIVERING, session_id)
        """An offer is being claimed and has not been delivered to the host yet (hooks/unread_offers.py)."""
        self.log_state = Marker(home, LOG_STATE, session_id)
        """Saved state of reading the session's log (``load_log_state``)."""
        self.noticed = Marker(home, NOTICED, session_id)
        """Titles of new learnings of this session, one per line, that the user has not been shown yet."""
        self.started = Marker(home, STARTED, session_id)
        """A hook has seen the session, if its host does not always report the start."""
        self.unanswered = Marker(home, UNANSWERED, session_id, project_id)
        """The session received an offer and has not responded yet (hooks/start.py: ``read_unanswered``)."""
        self.ending = Marker(home, ENDING, session_id, project_id)
        """The session has ended and its log is being read; its candidates will be pending soon."""
        self.receipt = Marker(home, RECEIPTS, session_id, project_id)
        """Receipts for the user about the skills of this session (hooks/receipts.py)."""


def list_markers(home: str, folder: str, project_id: str = "") -> list[str]:
    """Return the marker paths in a folder, or in a project's subfolder; empty if that does not exist, the usual case."""
    directory = os.path.join(home, folder, project_id)
    return [os.path.join(directory, name) for name in list_names(directory)]


def parse_number(text: str) -> int | None:
    """Parse the number in a marker; None if the text is not a number that this program wrote."""
    return int(text) if len(text) < MAX_DIGITS and text.isascii() and text.isdecimal() else None


def announce_end(home: str, call: HookCall) -> None:
    """Announce that the log of a session is about to be read, so that a session starting now waits briefly for it."""
    SessionMarkers(home, call.session_id, resolve_project(call.project).id).ending.write()


def is_checkpoint_due(home: str, call: HookCall, interval: int) -> bool:
    """Return whether the last checkpoint is at least ``interval`` ms old, unknown or in the future. Ask before spawning
    a process, which could stay as a zombie in a container.
    """
    last = parse_number(SessionMarkers(home, call.session_id).checked.read())
    return last is None or not 0 <= call.at - last < interval


def defer_offer(home: str, call: HookCall, text: str | None) -> None:
    """Save ``text`` for the first prompt; None deletes it. It is claimed at the start, before the session learns.
    Raises OSError, HomeError.
    """
    deferred = SessionMarkers(home, call.session_id).deferred
    if text is None:
        deferred.remove()
    else:
        deferred.write(text)


def take_deferred_offer(home: str, call: HookCall) -> str | None:
    """Return the deferred offer to one caller, None to others; the caller removes its ``delivering`` marker. Raises
    OSError, HomeError.
    """
    markers = SessionMarkers(home, call.session_id)
    if not markers.deferred.exists():
        return None
    ensure_folder(os.path.dirname(markers.delivering.path))
    try:
        os.rename(markers.deferred.path, markers.delivering.path)
    except FileNotFoundError:
        return None  # another prompt took it first
    with open(markers.delivering.path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape") or None


def load_log_state(home: str, session_id: str) -> SavedState | None:
    """Load the last checkpoint's state of reading; None if the whole log must be read. Raises OSError."""
    from mind_skills.observations.incremental import MAX_STATE_BYTES, load_state

    try:
        descriptor = os.open(SessionMarkers(home, session_id).log_state.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    with open(descriptor, "rb", buffering=0) as file:
        return load_state(file.read(MAX_STATE_BYTES))


def save_log_state(home: str, session_id: str, state: SavedState) -> None:
    """Save the state of reading atomically, without a sync: a checksum detects truncation. Raises OSError, HomeError."""
    ensure_folder(home)
    ensure_folder(os.path.join(home, LOG_STATE))
    path = SessionMarkers(home, session_id).log_state.path
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path + _TEMP_SUFFIX, flags, FILE_MODE), "wb", buffering=0) as file:
        data = memoryview(state.dump())
        while data:
            data = data[file.write(data) :]
    os.replace(path + _TEMP_SUFFIX, path)


def delete_log_state(home: str, session_id: str) -> None:
    """Delete the saved state of reading a log, if there is one. Raises OSError."""
    log_state = SessionMarkers(home, session_id).log_state
    log_state.remove()
    remove_file(log_state.path + _TEMP_SUFFIX)


def lock_session(home: str, session_id: str, *, wait: bool) -> Lock:
    """Return the lock against duplicate work on a session (transactions are what guarantees correctness). Raises
    HomeError, OSError.
    """
    from mind_skills.store.processes import Lock

    folder = ensure_folder(os.path.join(ensure_folder(home), "locks"))
    return Lock(os.path.join(folder, digest_text(session_id)[:LOCK_NAME_DIGITS]), wait=wait)
