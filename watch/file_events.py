"""Changes below the roots as the system reports them, by watchdog; where it cannot, or no longer, the caller polls.

The thread of watchdog does nothing but put a path into a dictionary and wake the loop: inspecting a log takes long, and
what the system reported meanwhile would be lost.
"""

from __future__ import annotations

import glob
import logging
import os
import threading
from collections.abc import Callable, Iterable

from watchdog.events import (
    DirCreatedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from mind_skills.watch.watched_files import Root, list_folders

EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Others cost: a file that is opened and closed reports it each time."""
OVERFLOW = "*"
"""Put in place of a path: the system has dropped events, so that anything may have changed."""


class FileEvents:
    """The roots that are watched, and what changed below them. ``wake`` becomes readable when something has."""

    def __init__(self, report_problem: Callable[[str], None], *, poll: bool) -> None:
        """``report_problem`` is called with sentences for people; ``poll`` does without events from the beginning."""
        self._report_problem = report_problem
        self.polling = poll
        self.wake = self._waker = -1
        self._observer: BaseObserver | None = None
        self._watches: dict[Root, ObservedWatch] = {}
        self._places: dict[Root, tuple[int, int]] = {}
        self._refused: set[Root] = set()
        self._lock = threading.Lock()
        self._paths: dict[str, None] = {}
        self._folder_came = False
        self._overflow = _OverflowHandler(self)

    def open(self) -> None:
        """Ask the system for events, unless there are to be none. Raises OSError."""
        if not self.polling:
            self.wake, self._waker = os.pipe()
            os.set_blocking(self.wake, False)
            log = logging.getLogger("watchdog")
            log.propagate = False  # the last resort of logging would print it
            log.addHandler(self._overflow)

    def put(self, path: str, *, folder: bool = False) -> None:
        """Note a change at ``path``; called by the thread of watchdog."""
        with self._lock:
            self._folder_came = self._folder_came or folder
            if not self._paths:
                os.write(self._waker, b"!")
            self._paths[path] = None

    def take(self) -> list[str]:
        """The paths that changed since the last call, each once."""
        with self._lock:
            paths, self._paths = self._paths, {}
            if paths:
                os.read(self.wake, 16)
        return list(paths)

    def update_roots(self, roots: Iterable[Root]) -> list[Root]:
        """Watch the roots that exist now, and return those that came or were replaced; let go of those that are gone."""
        came: list[Root] = []
        wanted = tuple(roots)
        for root in wanted:
            place = _locate(root.real)
            if place == self._places.get(root) and not self._is_deaf(root):
                continue
            self._unwatch(root)
            if place is not None and self._watch(root):
                self._places[root] = place
                came.append(root)
        for root in [root for root in self._places if root not in wanted]:  # a link leads elsewhere now
            self._unwatch(root)
        if self._folder_came:
            self._folder_came = False
            self.verify()
        return came

    def verify(self) -> None:
        """Poll from now on where the system does not watch every folder: it does not report that its limit is reached."""
        if not self.polling:
            wanted = len({path for root in self._watches for path in list_folders(root)})
            if (missing := count_missing(wanted)) > 0:
                self._poll(f"the system watches {missing} of {wanted} folders less than it was asked to")

    def close(self) -> None:
        """Stop, and release everything."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None
        self._watches.clear()
        logging.getLogger("watchdog").removeHandler(self._overflow)
        if self.wake >= 0:
            os.close(self.wake)
            os.close(self._waker)
            self.wake = self._waker = -1

    def _watch(self, root: Root) -> bool:
        """Whether this root is watched now: where it may not be read, its logs cannot be polled either."""
        if self.polling:
            return True
        try:
            self._schedule(root)
        except (PermissionError, FileNotFoundError) as error:
            if root not in self._refused:
                self._report_problem(f"{root.path} is not watched: {error.strerror or error}")
            self._refused.add(root)
            return False
        except OSError as error:
            self._poll(f"{root.path}: {error.strerror or error}")
        self._refused.discard(root)
        return True

    def _schedule(self, root: Root) -> None:
        if self._observer is None:
            observer = Observer()
            observer.daemon = True
            observer.start()
            self._observer = observer
        self._watches[root] = self._observer.schedule(
            _ChangeHandler(self), root.real, recursive=not root.name, event_filter=EVENTS
        )

    def _unwatch(self, root: Root) -> None:
        watch = self._watches.pop(root, None)
        if watch is not None and self._observer is not None:
            self._observer.unschedule(watch)
        self._places.pop(root, None)

    def _is_deaf(self, root: Root) -> bool:
        """Whether events of a root have stopped: it was deleted, and may exist again with the same inode."""
        watch = self._watches.get(root)
        if watch is None or self._observer is None:
            return False
        return not any(each.watch == watch and each.should_keep_running() for each in self._observer.emitters)

    def _poll(self, why: str) -> None:
        """Go on without events, for good: a limit that was reached once is reached again."""
        self.close()
        self.polling = True
        self._report_problem(f"looking at all logs every few seconds from now on, because {why}")


class _ChangeHandler(FileSystemEventHandler):
    def __init__(self, events: FileEvents) -> None:
        self._events = events

    def dispatch(self, event: FileSystemEvent) -> None:
        self._events.put(os.fsdecode(event.dest_path or event.src_path), folder=event.is_directory)


class _OverflowHandler(logging.Handler):
    """watchdog reports dropped events to its log alone."""

    def __init__(self, events: FileEvents) -> None:
        super().__init__(logging.WARNING)
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.msg:
            self._events.put(OVERFLOW)


def count_missing(wanted: int) -> int:
    """How many of ``wanted`` folders the system does not watch.

    Linux lists in ``/proc/self/fdinfo`` what an inotify descriptor watches (proc_pid_fdinfo(5)); 0 where it does not.
    """
    if not os.path.isdir("/proc/self/fdinfo"):
        return 0
    counted = 0
    for path in glob.glob("/proc/self/fdinfo/*"):
        try:
            with open(path, "rb") as file:
                counted += sum(line.startswith(b"inotify ") for line in file)
        except OSError:
            continue  # closed meanwhile
    return max(0, wanted - counted)


def _locate(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
