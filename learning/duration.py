"""How long a session was worked on, from the stamps of what happened in it."""

from __future__ import annotations

from bisect import bisect_right

PAUSE_MS = 300_000
"""Five minutes: between two stamps further apart than this nobody was working, as far as the log shows."""


class ActiveTime:
    """Adds up the stretches between stamps at most five minutes apart.

    The stamps may come in any order: subagents are logged beside the main agent, and clocks are set back. A single stamp
    from the future stands alone, and so counts nothing. What is kept is one pair a stretch, not one number a stamp.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, at: int | None) -> None:
        """Count one stamp, in UTC milliseconds; None, where the log names no time, is passed over."""
        if at is None:
            return
        starts, ends = self._starts, self._ends
        if ends and ends[-1] <= at <= ends[-1] + PAUSE_MS:
            ends[-1] = at  # as nearly always
            return
        place = bisect_right(starts, at)
        if place and at - ends[place - 1] <= PAUSE_MS:
            ends[place - 1] = max(ends[place - 1], at)
            place -= 1
        else:
            starts.insert(place, at)
            ends.insert(place, at)
        following = place + 1
        if following < len(starts) and starts[following] - ends[place] <= PAUSE_MS:
            ends[place] = max(ends[place], ends[following])
            del starts[following], ends[following]

    @property
    def milliseconds(self) -> int:
        """The time worked so far; 0 while fewer than two stamps are near each other."""
        return sum(self._ends) - sum(self._starts)
