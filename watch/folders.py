"""The folders that are watched: they come and go, and where the system watches no more of them, all are looked at instead."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from mind_skills.watch.events import Events
from mind_skills.watch.places import Root
from mind_skills.watch.sweep import folders


class Folders:
    """What is watched, and how: by ``events`` of the system, or, ``polling``, without."""

    def __init__(self, problem: Callable[[str], None], *, poll: bool) -> None:
        """``problem`` hears what people should; ``poll`` does without events from the beginning."""
        self._problem = problem
        self.polling = poll
        self.events: Events | None = None
        self._places: dict[Root, tuple[int, int]] = {}
        self._refused: set[Root] = set()

    def begin(self) -> None:
        """Ask the system for events, unless there are to be none. Raises OSError."""
        if not self.polling:
            self.events = Events()

    def came(self, wanted: Iterable[Root]) -> list[Root]:
        """Begin to watch the folders that have come, or were replaced, and say which; let go of those that are gone."""
        came: list[Root] = []
        roots = tuple(wanted)
        for root in roots:
            place = _place(root.real)
            if place == self._places.get(root) and not (self.events is not None and self.events.deaf(root)):
                continue
            self._forget(root)
            if place is not None and self._watched(root):
                self._places[root] = place
                came.append(root)
        for root in [root for root in self._places if root not in roots]:  # a link leads elsewhere now
            self._forget(root)
        if self.events is not None and self.events.grown:
            self.events.grown = False
            self.check()
        return came

    def check(self) -> None:
        """Whether the system watches every folder that it was asked to: it says nothing where its limit is reached."""
        if self.events is not None:
            wanted = len({path for root in self.events.watched() for path in folders(root)})
            if (missing := self.events.missing(wanted)) > 0:
                self._poll(f"the system watches {missing} of {wanted} folders less than it was asked to")

    def close(self) -> None:
        """Let go of everything."""
        if self.events is not None:
            self.events.close()
            self.events = None

    def _watched(self, root: Root) -> bool:
        """Whether this root is watched now: its logs cannot be looked at either where it may not be read."""
        if self.events is None:
            return True
        try:
            self.events.watch(root)
        except (PermissionError, FileNotFoundError) as error:
            if root not in self._refused:
                self._problem(f"{root.path} is not watched: {error.strerror or error}")
            self._refused.add(root)
            return False
        except OSError as error:
            self._poll(f"{root.path}: {error.strerror or error}")
        self._refused.discard(root)
        return True

    def _forget(self, root: Root) -> None:
        if self.events is not None:
            self.events.forget(root)
        self._places.pop(root, None)

    def _poll(self, why: str) -> None:
        """Go on without events, for good: a limit that was reached once is reached again."""
        self.close()
        self.polling = True
        self._problem(f"looking at all logs every few seconds from now on, because {why}")


def _place(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
