"""A lock between processes, on a file or on an open descriptor; the system lets go of it when its holder dies."""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


def lock_descriptor(descriptor: int, *, wait: bool = True) -> bool:
    """Hold what is open until it is closed; False where another process holds it, and ``wait`` is not asked for.

    Raises OSError where the file system has no locks.
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
    """Held from ``with`` to its end, by one process at a time. ``held`` is False where ``wait`` is, and another one holds it.

    The file stays: removing it would let two processes hold two different files of one name.
    """

    def __init__(self, path: str, *, wait: bool = True) -> None:
        """``path`` is made on entry, mode 0600, if it is not there; OSError is raised where that is refused."""
        self.held = False
        self._path, self._wait = path, wait
        self._descriptor = -1

    def __enter__(self) -> Self:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(self._path, flags, FILE_MODE)
        self.held = lock_descriptor(self._descriptor, wait=self._wait)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
