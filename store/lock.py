"""A lock between processes, for the few moments that the database cannot guard itself: its own making and replacing."""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Lock:
    """Held from ``with`` to its end, by one process at a time; the system lets go of it when the holder dies.

    The file stays: removing it would let two processes hold two different files of one name.
    """

    def __init__(self, path: str) -> None:
        """``path`` is made, mode 0600, if it is not there; raises OSError where that is refused."""
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> Self:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(self._path, flags, FILE_MODE)
        if os.name == "posix":
            import fcntl

            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        else:  # pragma: no cover -- untested platform
            import msvcrt

            msvcrt.locking(self._descriptor, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
