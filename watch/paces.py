"""When what was noticed is looked at: after a quiet step, but never later than the longest wait. Pure.

Times are seconds of a clock that never goes back. Without the longest wait a log that is written to all the time would
never be looked at; without the quiet step one that is written in bursts would be looked at in the middle of each.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class _Pace:
    __slots__ = ("first", "last", "not_before", "tries")

    def __init__(self, now: float) -> None:
        self.first = self.last = now
        self.not_before = 0.0
        self.tries = 0


class Paces(Generic[K]):
    """What waits to be looked at, each once however often it was noticed."""

    def __init__(self, quiet: float, longest: float) -> None:
        """``quiet`` and ``longest`` in seconds."""
        self._quiet, self._longest = quiet, max(quiet, longest)
        self._waiting: dict[K, _Pace] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, key: K) -> bool:
        return key in self._waiting

    def noticed(self, key: K, now: float) -> bool:
        """Something was written; True if nothing waited here before."""
        known = self._waiting.get(key)
        if known is None:
            self._waiting[key] = _Pace(now)
            return True
        known.last = now
        return False

    def later(self, key: K, now: float, seconds: float, tries: int = 0) -> None:
        """Look again in ``seconds`` at the earliest; ``tries`` is for the caller to count by."""
        pace = self._waiting.setdefault(key, _Pace(-math.inf))
        pace.not_before, pace.tries = now + seconds, tries

    def within(self, key: K, now: float, seconds: float) -> None:
        """Look in ``seconds``, whatever is quiet, unless a look is due before."""
        known = self._waiting.get(key)
        self.later(key, now, seconds if known is None else min(seconds, known.not_before - now))

    def forget(self, key: K) -> None:
        """It need not be looked at any more."""
        self._waiting.pop(key, None)

    def next(self) -> float | None:
        """When the next look is due; None where nothing waits."""
        return min(map(self._due, self._waiting.values()), default=None)

    def take(self, now: float, most: int) -> list[tuple[K, int]]:
        """What is due, those first that have waited longest, each with its ``tries``; taken, it no longer waits."""
        due = [(pace.first, key, pace.tries) for key, pace in self._waiting.items() if self._due(pace) <= now]
        due.sort(key=lambda each: each[0])
        taken = [(key, tries) for _, key, tries in due[:most]]
        for key, _ in taken:
            del self._waiting[key]
        return taken

    def _due(self, pace: _Pace) -> float:
        return max(min(pace.last + self._quiet, pace.first + self._longest), pace.not_before)
