"""Changes to files below the roots, from watchdog; if the system cannot watch every folder, the caller polls.

The watchdog thread only records a path and wakes the main loop: inspecting a log takes long, and events would be lost
in that time.
"""

from __future__ import annotations

import glob
import logging
import os
import threading
from collections.abc import Callable, Iterable

from watchdog import events as watchdog_events
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from mind_skills.watch.watched_files import Root, list_folders

WATCHED_EVENTS: list[type[FileSystemEvent]] = [
    *(watchdog_events.DirCreatedEvent, watchdog_events.DirMovedEvent),
    *(watchdog_events.FileCreatedEvent, watchdog_events.FileModifiedEvent, watchdog_events.FileMovedEvent),
]
"""Other events are not requested, because files are opened and closed far too often."""
OVERFLOW = "*"
"""A path that stands for all paths: the system has dropped events, so anything may have changed."""


class FileEvents:
    """The watched roots and the changes below them. ``wake_descriptor`` becomes readable after a change."""

    def __init__(self, report_problem: Callable[[str], None], *, poll: bool) -> None:
        """``report_problem`` is called with messages for the user; ``poll`` disables events."""
        self._report_problem = report_problem
        self.polling = poll
        self.wake_descriptor = self._wake_writer = -1
        self._observer: BaseObserver | None = None
        self._watches: dict[Root, ObservedWatch] = {}
        self._identities: dict[Root, tuple[int, int]] = {}
        self._unreadable_roots: set[Root] = set()
        self._lock = threading.Lock()
        self._changed_paths: dict[str, None] = {}
        self._has_new_folder = False
        self._overflow = _OverflowHandler(self)

    def open(self) -> None:
        """Request events from the system, unless polling. Raises OSError."""
        if not self.polling:
            self.wake_descriptor, self._wake_writer = os.pipe()
            os.set_blocking(self.wake_descriptor, False)
            log = logging.getLogger("watchdog")
            log.propagate = False  # logging's last-resort handler would print its messages
            log.addHandler(self._overflow)

    def put(self, path: str, *, is_folder: bool = False) -> None:
        """Record a change at ``path``; called by the watchdog thread."""
        with self._lock:
            self._has_new_folder = self._has_new_folder or is_folder
            if not self._changed_paths:
                os.write(self._wake_writer, b"!")
            self._changed_paths[path] = None

    def take(self) -> list[str]:
        """Return the paths that changed since the last call, without duplicates."""
        with self._lock:
            paths, self._changed_paths = self._changed_paths, {}
            if paths:
                os.read(self.wake_descriptor, 16)
        return list(paths)

    def update_roots(self, roots: Iterable[Root]) -> list[Root]:
        """Watch the existing roots, stop watching removed ones, and return those that are new or were replaced."""
        new_roots: list[Root] = []
        current_roots = tuple(roots)
        for root in current_roots:
            identity = _read_identity(root.real)
            if identity == self._identities.get(root) and not self._has_stopped(root):
                continue
            self._unwatch(root)
            if identity is not None and self._watch(root):
                self._identities[root] = identity
                new_roots.append(root)
        # A root is removed, for example, if the target of a link has changed.
        for root in [root for root in self._identities if root not in current_roots]:
            self._unwatch(root)
        if self._has_new_folder:
            self._has_new_folder = False
            self.verify_watches()
        return new_roots

    def verify_watches(self) -> None:
        """Start polling if the system does not watch every folder, since it does not report that a limit was reached."""
        if not self.polling:
            folder_count = len({path for root in self._watches for path in list_folders(root)})
            if (missing := count_unwatched(folder_count)) > 0:
                self._switch_to_polling(f"the system does not watch {missing} of {folder_count} folders")

    def close(self) -> None:
        """Stop watching and release all resources."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None
        self._watches.clear()
        logging.getLogger("watchdog").removeHandler(self._overflow)
        if self.wake_descriptor >= 0:
            os.close(self.wake_descriptor)
            os.close(self._wake_writer)
            self.wake_descriptor = self._wake_writer = -1

    def _watch(self, root: Root) -> bool:
        """Watch a root, and return whether it is watched or polled now. An unreadable root can be neither."""
        if self.polling:
            return True
        try:
            self._schedule(root)
        except (PermissionError, FileNotFoundError) as error:
            if root not in self._unreadable_roots:
                self._report_problem(f"{root.path} is not watched: {error.strerror or error}")
            self._unreadable_roots.add(root)
            return False
        except OSError as error:
            self._switch_to_polling(f"{root.path} cannot be watched: {error.strerror or error}")
        self._unreadable_roots.discard(root)
        return True

    def _schedule(self, root: Root) -> None:
        if self._observer is None:
            observer = Observer()
            observer.daemon = True
            observer.start()
            self._observer = observer
        self._watches[root] = self._observer.schedule(
            _ChangeHandler(self), root.real, recursive=not root.name, event_filter=WATCHED_EVENTS
        )

    def _unwatch(self, root: Root) -> None:
        watch = self._watches.pop(root, None)
        if watch is not None and self._observer is not None:
            self._observer.unschedule(watch)
        self._identities.pop(root, None)

    def _has_stopped(self, root: Root) -> bool:
        """Return whether a root's events have stopped because the root was deleted; a new one may have the same inode."""
        watch = self._watches.get(root)
        if watch is None or self._observer is None:
            return False
        return not any(emitter.watch == watch and emitter.should_keep_running() for emitter in self._observer.emitters)

    def _switch_to_polling(self, reason: str) -> None:
        """Continue without events permanently: a limit that was reached once will be reached again."""
        self.close()
        self.polling = True
        self._report_problem(f"polling all logs from now on, because {reason}")


class _ChangeHandler(FileSystemEventHandler):
    def __init__(self, events: FileEvents) -> None:
        self._events = events

    def dispatch(self, event: FileSystemEvent) -> None:
        self._events.put(os.fsdecode(event.dest_path or event.src_path), is_folder=event.is_directory)


class _OverflowHandler(logging.Handler):
    """Records ``OVERFLOW`` when events are dropped, which watchdog reports only in its log."""

    def __init__(self, events: FileEvents) -> None:
        super().__init__(logging.WARNING)
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.msg:
            self._events.put(OVERFLOW)


def count_unwatched(expected: int) -> int:
    """Return how many of ``expected`` folders the system does not watch.

    Linux lists the watches of an inotify descriptor in ``/proc/self/fdinfo`` (proc_pid_fdinfo(5)). Returns 0 on systems
    without that folder.
    """
    if not os.path.isdir("/proc/self/fdinfo"):
        return 0
    watched = 0
    for path in glob.glob("/proc/self/fdinfo/*"):
        try:
            with open(path, "rb") as file:
                watched += sum(line.startswith(b"inotify ") for line in file)
        except OSError:
            continue  # closed in the meantime
    return max(0, expected - watched)


def _read_identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
