"""What the system says of changes below the roots, by watchdog; where it cannot, or no longer, ``broken`` says why.

The thread of watchdog does nothing but put a path into a dictionary and wake who waits: reading a log takes long, and
what the system has said meanwhile would be lost.
"""

from __future__ import annotations

import glob
import logging
import os
import threading
from collections.abc import Iterable

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

from mind_skills.watch.places import Root

WANTED: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Others cost: a file that is opened and closed tells of it each time."""
OVERFLOW = "*"
"""Noticed in place of a path: the system has dropped events, so that anything may have changed."""


class _Handler(FileSystemEventHandler):
    def __init__(self, events: Events) -> None:
        self._events = events

    def dispatch(self, event: FileSystemEvent) -> None:
        self._events.grown = self._events.grown or event.is_directory
        self._events.put(os.fsdecode(event.dest_path or event.src_path))


class _Overflow(logging.Handler):
    """watchdog tells nobody but its log that the system dropped events."""

    def __init__(self, events: Events) -> None:
        super().__init__(logging.WARNING)
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.msg:
            self._events.put(OVERFLOW)


class Events:
    """Collects what changed until it is ``taken``. ``wake`` becomes readable when there is something."""

    def __init__(self) -> None:
        self.wake, self._awaken = os.pipe()
        os.set_blocking(self.wake, False)
        self.grown = False
        """Whether a folder has come that the system was to watch as well: it says nothing where it does not."""
        self._lock = threading.Lock()
        self._paths: dict[str, None] = {}
        self._observer: BaseObserver | None = None
        self._watches: dict[Root, ObservedWatch] = {}
        self._log = logging.getLogger("watchdog")
        self._log.propagate = False  # the last resort of logging would print it
        self._told = _Overflow(self)
        self._log.addHandler(self._told)

    def put(self, path: str) -> None:
        """Something changed at ``path``; called by the thread of watchdog."""
        with self._lock:
            if not self._paths:
                os.write(self._awaken, b"!")
            self._paths[path] = None

    def taken(self) -> list[str]:
        """What changed since it was asked last, each once."""
        with self._lock:
            paths, self._paths = self._paths, {}
            if paths:
                os.read(self.wake, 16)
        return list(paths)

    def watch(self, root: Root) -> None:
        """Begin to watch a root. Raises OSError where the system refuses."""
        if self._observer is None:
            observer = Observer()
            observer.daemon = True
            observer.start()
            self._observer = observer
        recursive = not root.name
        self._watches[root] = self._observer.schedule(
            _Handler(self), root.real, recursive=recursive, event_filter=WANTED
        )

    def forget(self, root: Root) -> None:
        """No longer watch a root, which may be gone already."""
        watch = self._watches.pop(root, None)
        if watch is not None and self._observer is not None:
            self._observer.unschedule(watch)

    def deaf(self, root: Root) -> bool:
        """Whether a root that was watched no longer is: it was deleted, and may be there again with the same number."""
        watch = self._watches.get(root)
        if watch is None or self._observer is None:
            return False
        return not any(each.watch == watch and each.should_keep_running() for each in self._observer.emitters)

    def watched(self) -> Iterable[Root]:
        """The roots that are watched now."""
        return tuple(self._watches)

    def missing(self, wanted: int) -> int:
        """How many of ``wanted`` folders the system does not watch: its limit may have been reached, without a word.

        Linux says in ``/proc/self/fdinfo`` what an inotify descriptor watches (proc_pid_fdinfo(5)); 0 where it does not.
        """
        counted, seen = 0, False
        for path in glob.glob("/proc/self/fdinfo/*"):
            try:
                with open(path, "rb") as file:
                    lines = sum(line.startswith(b"inotify ") for line in file)
            except OSError:
                continue  # closed meanwhile
            counted += lines
            seen = seen or lines > 0
        return max(0, wanted - counted) if seen or os.path.isdir("/proc/self/fdinfo") else 0

    def close(self) -> None:
        """Stop, and let go of everything."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._log.removeHandler(self._told)
        os.close(self.wake)
        os.close(self._awaken)
