"""One watch a user: who holds it, and since when. What ``status`` says of it, too.

``<state folder>/watch/running`` is locked by who watches, and says in JSON ``{"process": words, "since": UTC ms,
"files": n, "polling": bool}``, the words those of hooks/processes.py.
"""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, NamedTuple, Self

from mind_skills.errors import MindSkillsError
from mind_skills.hooks import processes
from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.lock import lock_descriptor

FOLDER, NAME = "watch", "running"
SMALL = 4096


class Holder(NamedTuple):
    """Who watches: its process, since when (UTC ms), how many logs, and whether it polls."""

    pid: int
    since: int
    files: int
    polling: bool


class Instance:
    """Held from ``with`` to its end; the system lets go of it when its holder dies."""

    def __init__(self, home: str, now: int) -> None:
        """``home`` is the state folder, ``now`` UTC milliseconds."""
        self._home, self._since = home, now
        self._descriptor = -1
        self._said = b""

    def __enter__(self) -> Self:
        """Raises MindSkillsError ``already_watching`` where another process holds it, HomeError, OSError."""
        path = os.path.join(ensure(os.path.join(ensure(self._home), FOLDER)), NAME)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(path, flags, FILE_MODE)
        if not lock_descriptor(self._descriptor, wait=False):
            os.close(self._descriptor)
            self._descriptor = -1
            raise _taken(holder(self._home))
        self._said = b""
        self.say(0, polling=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = -1

    def say(self, files: int, *, polling: bool) -> None:
        """Say what is watched, for ``status``."""
        words = processes.process(os.getpid())
        form = {"process": words, "since": self._since, "files": files, "polling": polling}
        said = json.dumps(form).encode()
        if said != self._said:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, said, 0)
            self._said = said

    def ours(self) -> bool:
        """Whether the state folder still holds the file that is locked: it may have been moved, or removed."""
        try:
            there, held = os.stat(os.path.join(self._home, FOLDER, NAME)), os.fstat(self._descriptor)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)


def holder(home: str) -> Holder | None:
    """Who watches now; None where nobody does. Never raises for what stands in the file."""
    try:
        with open(os.path.join(home, FOLDER, NAME), "rb") as file:
            said: Any = json.loads(file.read(SMALL))
        words, since, files, polling = said["process"], said["since"], said["files"], said["polling"]
        if processes.runs(words) is not True:
            return None
        return Holder(int(words.partition(" ")[0]), int(since), int(files), polling is True)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # what it holds may be of another version
        return None


def _taken(known: Holder | None) -> MindSkillsError:
    import time

    if known is None:  # it has just begun, or counts among the processes of another container
        return MindSkillsError("already_watching", "another process watches already", "One watch a user is enough.")
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(known.since / 1000))
    message = f"process {known.pid} watches already, since {since}"
    return MindSkillsError("already_watching", message, f"One watch a user is enough. `kill {known.pid}` ends it.")
