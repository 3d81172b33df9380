"""Whether the code that runs is the code that is installed: upgrades and uninstallations happen beneath a process that runs
for weeks, and its workers are started from what is there then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Literal

STILL = 5.0
"""Seconds that the files have to stay as they are before another version counts as complete: an installer writes for a
second or two."""
GONE = 60.0
"""Seconds without any of them before it is no upgrade any more."""
State = Literal["same", "changing", "other", "gone"]
Files = tuple[tuple[int, int, int] | None, ...]


class Installed:
    """The files of the modules that were loaded when it was made."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """``paths`` are the files, all of ours that are loaded where none is given."""
        self._paths = tuple(paths) or _loaded()
        self._ours = self._last = self._seen()
        self._since = 0.0

    def look(self, now: float) -> State:
        """How they are at ``now``, in seconds of any clock that only goes on."""
        seen = self._seen()
        if seen != self._last:
            self._last, self._since = seen, now
        if seen == self._ours:
            return "same"
        if not any(seen):
            return "gone" if now - self._since >= GONE else "changing"
        return "other" if now - self._since >= STILL else "changing"

    def _seen(self) -> Files:
        found: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                known = os.stat(path)
            except OSError:
                found.append(None)
            else:
                found.append((known.st_ino, known.st_size, known.st_mtime_ns))
        return tuple(found)


def _loaded() -> tuple[str, ...]:
    ours = (
        getattr(module, "__file__", None) for name, module in [*sys.modules.items()] if name.startswith("mind_skills.")
    )
    return tuple(sorted({path for path in ours if path}))
