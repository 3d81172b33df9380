"""How long somebody worked, by timestamps: pauses do not count."""

from __future__ import annotations

from bisect import bisect_right

MAX_PAUSE_MS = 300_000
"""Five minutes: a longer gap between timestamps counts as a pause."""


class ActiveTime:
    """Sums the periods between timestamps that are at most five minutes apart.

    Timestamps may come in any order: subagents log in parallel with the main agent, and clocks can be set back. A single
    wrong timestamp forms its own period of length zero. Memory use depends on the number of periods, not timestamps.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, timestamp: int | None) -> None:
        """Count one timestamp (UTC ms); None, for an event without a timestamp, is ignored."""
        if timestamp is None:
            return
        starts, ends = self._starts, self._ends
        if ends and ends[-1] <= timestamp <= ends[-1] + MAX_PAUSE_MS:
            ends[-1] = timestamp  # the common case
            return
        index = bisect_right(starts, timestamp)
        if index and timestamp - ends[index - 1] <= MAX_PAUSE_MS:
            ends[index - 1] = max(ends[index - 1], timestamp)
            index -= 1
        else:
            starts.insert(index, timestamp)
            ends.insert(index, timestamp)
        next_index = index + 1
        if next_index < len(starts) and starts[next_index] - ends[index] <= MAX_PAUSE_MS:
            ends[index] = max(ends[index], ends[next_index])
            del starts[next_index], ends[next_index]

    @property
    def milliseconds(self) -> int:
        """The active time so far; 0 until two timestamps are within five minutes of each other."""
        return sum(self._ends) - sum(self._starts)
