"""Inter-process locks on files and open descriptors, released by the system when the holder dies."""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


def lock_descriptor(descriptor: int, *, wait: bool = True) -> bool:
    """Lock an open descriptor until it is closed. Return False if another process holds the lock and ``wait`` is False.

    Raises OSError if the file system does not support locks.
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
    """Exclusive lock for a ``with`` block. ``is_held`` is False if ``wait`` is False and another process holds the lock.

    The file is not removed: otherwise two processes could lock two different files of the same name.
    """

    def __init__(self, path: str, *, wait: bool = True) -> None:
        """On entry, a missing file at ``path`` is created with mode 0600. Entry raises OSError on failure."""
        self.is_held = False
        self._path, self._wait = path, wait
        self._descriptor = -1

    def __enter__(self) -> Self:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(self._path, flags, FILE_MODE)
        self.is_held = lock_descriptor(self._descriptor, wait=self._wait)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
