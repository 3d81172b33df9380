"""The lock that allows only one watch or import of logs per user, and the watch's published status.

The watch holds a lock on ``<state folder>/watch/running``, which contains JSON: ``{"process": description, "since": UTC
ms, "files": number of logs, "polling": bool}``. The description is from ``describe_process`` (store/processes.py).
"""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, Self

from mind_skills.errors import MindSkillsError
from mind_skills.output.document import Report
from mind_skills.store import processes
from mind_skills.store.home import FILE_MODE, ensure_folder
from mind_skills.store.processes import lock_descriptor

FOLDER, FILE_NAME = "watch", "running"
MAX_BYTES = 4096


class WatchingReport(Report):
    """The running watch: its process id, start time (UTC milliseconds), number of logs, and whether it polls."""

    pid: int
    since: int
    files: int
    polling: bool


class Instance:
    """The lock, held inside a ``with`` block; the system releases it when the process dies."""

    def __init__(self, home: str, now: int) -> None:
        """``home`` is the state folder, ``now`` UTC milliseconds."""
        self._home, self._since = home, now
        self._descriptor = -1
        self._published_text = b""

    def __enter__(self) -> Self:
        """Acquire the lock.

        Raises MindSkillsError ``already_watching`` if another process holds it, HomeError, OSError.
        """
        path = os.path.join(ensure_folder(os.path.join(ensure_folder(self._home), FOLDER)), FILE_NAME)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(path, flags, FILE_MODE)
        if not lock_descriptor(self._descriptor, wait=False):
            os.close(self._descriptor)
            self._descriptor = -1
            raise _make_already_watching_error(read_holder(self._home))
        self._published_text = b""
        self.publish(0, polling=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:  # otherwise ``renew`` has failed
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1

    def publish(self, files: int, *, polling: bool) -> None:
        """Write the status for ``read_holder``, if it has changed."""
        document = {
            "process": processes.describe_process(os.getpid()),
            "since": self._since,
            "files": files,
            "polling": polling,
        }
        text = json.dumps(document).encode()
        if text != self._published_text:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, text, 0)
            self._published_text = text

    def renew(self) -> None:
        """Recreate and lock the file if the state folder was moved or removed. Raises as ``__enter__`` does."""
        try:
            current, held = os.stat(os.path.join(self._home, FOLDER, FILE_NAME)), os.fstat(self._descriptor)
            if (current.st_dev, current.st_ino) == (held.st_dev, held.st_ino):
                return
        except OSError:
            pass
        self.__exit__(None, None, None)
        self.__enter__()


def read_holder(home: str) -> WatchingReport | None:
    """Return the running watch, or None. Never raises because of the file's content."""
    try:
        with open(os.path.join(home, FOLDER, FILE_NAME), "rb") as file:
            document: Any = json.loads(file.read(MAX_BYTES))
        process, since, files, polling = document["process"], document["since"], document["files"], document["polling"]
        if processes.is_running(process) is not True:
            return None
        pid = int(process.partition(" ")[0])
        return WatchingReport(pid=pid, since=int(since), files=int(files), polling=polling is True)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # another version may have written the file
        return None


def _make_already_watching_error(holder: WatchingReport | None) -> MindSkillsError:
    import time

    if holder is None:  # the other process has just started, or runs in another container
        return MindSkillsError(
            "already_watching", "another process is already watching", "Only one watch per user can run."
        )
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder.since / 1000))
    message = f"process {holder.pid} has been watching since {since}"
    return MindSkillsError(
        "already_watching", message, f"Only one watch per user can run. Run `kill {holder.pid}` to stop it."
    )
