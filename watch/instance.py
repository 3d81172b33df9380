"""One watch a user: who holds it, and since when; `status` shows it, too.

``<state folder>/watch/running`` is locked by who watches, and says in JSON ``{"process": words, "since": UTC ms,
"files": n, "polling": bool}``, the words those of hooks/processes.py.
"""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, Self

from mind_skills.errors import MindSkillsError
from mind_skills.hooks import processes
from mind_skills.output.document import Report
from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.lock import lock_descriptor

FOLDER, NAME = "watch", "running"
MOST_BYTES = 4096


class WatchingReport(Report):
    """Who watches: its process, since when (UTC milliseconds), how many logs it knows of, and whether it polls."""

    pid: int
    since: int
    files: int
    polling: bool


class Instance:
    """Held from ``with`` to its end; the system releases it when its holder dies."""

    def __init__(self, home: str, now: int) -> None:
        """``home`` is the state folder, ``now`` UTC milliseconds."""
        self._home, self._since = home, now
        self._descriptor = -1
        self._written = b""

    def __enter__(self) -> Self:
        """Raises MindSkillsError ``already_watching`` where another process holds it, HomeError, OSError."""
        path = os.path.join(ensure(os.path.join(ensure(self._home), FOLDER)), NAME)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(path, flags, FILE_MODE)
        if not lock_descriptor(self._descriptor, wait=False):
            os.close(self._descriptor)
            self._descriptor = -1
            raise _already_watching(read_holder(self._home))
        self._written = b""
        self.publish(0, polling=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = -1

    def publish(self, files: int, *, polling: bool) -> None:
        """Write what is watched, for ``status``."""
        form = {
            "process": processes.describe_process(os.getpid()),
            "since": self._since,
            "files": files,
            "polling": polling,
        }
        text = json.dumps(form).encode()
        if text != self._written:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, text, 0)
            self._written = text

    def renew(self) -> None:
        """Hold the file of the state folder again where that was moved or removed. Raises as ``with`` does."""
        try:
            there, held = os.stat(os.path.join(self._home, FOLDER, NAME)), os.fstat(self._descriptor)
            if (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino):
                return
        except OSError:
            pass
        self.__exit__(None, None, None)
        self.__enter__()


def read_holder(home: str) -> WatchingReport | None:
    """Who watches now; None where nobody does. Never raises for the content of the file."""
    try:
        with open(os.path.join(home, FOLDER, NAME), "rb") as file:
            form: Any = json.loads(file.read(MOST_BYTES))
        words, since, files, polling = form["process"], form["since"], form["files"], form["polling"]
        if processes.is_running(words) is not True:
            return None
        pid = int(words.partition(" ")[0])
        return WatchingReport(pid=pid, since=int(since), files=int(files), polling=polling is True)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # its content may be of another version
        return None


def _already_watching(holder: WatchingReport | None) -> MindSkillsError:
    import time

    if holder is None:  # it has just begun, or counts among the processes of another container
        return MindSkillsError("already_watching", "another process watches already", "One watch a user is enough.")
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder.since / 1000))
    message = f"process {holder.pid} watches already, since {since}"
    return MindSkillsError("already_watching", message, f"One watch a user is enough. `kill {holder.pid}` ends it.")
