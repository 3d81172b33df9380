"""One process at a time for a session, so that two checkpoints of one log do not do the same work side by side.

Only work is spared by this: what is right or wrong is kept so by the database's transactions.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest

SHARD = 1
"""Hex digits of the session's digest that name its lock: sixteen files for all sessions there will ever be."""


class Turn:
    """Held from ``with`` to its end; ``ours`` says whether it is, which without ``wait`` may be False.

    The system lets go of it when its holder dies.
    """

    def __init__(self, home: str, session_id: str, *, wait: bool) -> None:
        """Nothing is opened yet. ``home`` is the state folder."""
        self.ours = False
        self._home = home
        self._name = digest(session_id)[:SHARD]
        self._wait = wait
        self._descriptor = -1

    def __enter__(self) -> Self:
        path = os.path.join(ensure(os.path.join(ensure(self._home), "locks")), self._name)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
        self.ours = self._lock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def _lock(self) -> bool:
        if os.name != "posix":
            return True
        import fcntl

        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if self._wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True
