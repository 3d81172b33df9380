"""Locks that the system releases with their holder, and whether a process runs: on Linux with its start time and state,
as an id is reused, valid in one container only, and stays with a zombie. Session starts import this.
"""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

MAX_PID_DIGITS = 10
"""Maximum digits of a process id; a longer number was not written by this program."""
_ENDED_STATES = ("Z", "X", "x")
"""States of a process that has ended but still occupies its id."""


def lock_descriptor(descriptor: int, *, wait: bool = True) -> bool:
    """Lock a descriptor until it is closed; False if another process holds it and not ``wait``. Raises OSError if
    unsupported.
    """
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        else:  # pragma: no cover -- untested platform
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except (BlockingIOError, PermissionError):  # EAGAIN of flock(2), EACCES of locking()
        if wait:
            raise
        return False
    return True


class Lock:
    """Exclusive lock for ``with``; without ``wait``, ``is_held`` may be False. The file stays, else two could be locked."""

    def __init__(self, path: str, *, wait: bool = True) -> None:
        """On entry, a missing file at ``path`` is created with mode 0600. Entry raises OSError on failure."""
        self.is_held = False
        self._path, self._wait = path, wait
        self._descriptor = -1

    def __enter__(self) -> Self:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(self._path, flags, FILE_MODE)
        try:
            self.is_held = lock_descriptor(self._descriptor, wait=self._wait)
        except OSError:
            os.close(self._descriptor)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
        self._descriptor = -1


def is_alive(pid: int) -> bool | None:
    """Return whether a process is running; None if unknown."""
    if pid <= 0 or os.name != "posix":  # on Windows, signal 0 is CTRL_C_EVENT rather than a test
        return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # OverflowError: not a valid process id
        return False
    except PermissionError:
        return True
    return _read_state(pid)[0] not in _ENDED_STATES


def describe_process(pid: int) -> str:
    """Describe a process for ``is_running``: its id, its start time, and the boot and namespace in which the id is valid."""
    return f"{pid} {_read_state(pid)[1]} {_read_namespace()}"


def is_running(description: str) -> bool | None:
    """Return whether the process of ``describe_process`` runs; None if unknown: no description, another container, boot
    or machine.
    """
    pid, _, rest = description.partition(" ")
    start, _, namespace = rest.partition(" ")
    if not pid.isdecimal() or len(pid) > MAX_PID_DIGITS or namespace != _read_namespace():
        return None
    start_now = _read_state(int(pid))[1]
    return is_alive(int(pid)) and (start_now == start or not (start_now and start))


def _read_state(pid: int) -> tuple[str, str]:
    """Return the state and the start time (clock ticks after boot) of a process; empty strings if unavailable."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = os.fsdecode(file.read(1 << 10)).rpartition(")")[2].split()
    except OSError:
        return "", ""
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")


def _read_namespace() -> str:
    """Return the boot id and the namespace of process ids (pid_namespaces(7)); empty if the system lacks either."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return f"{os.fsdecode(file.read(64)).strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""
