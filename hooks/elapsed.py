"""How much time has passed, for whoever forgets by age: less than the clock says where the clock has jumped.

Between two looks that lie more than a month apart no time has passed, so far as anybody here knows: the clock jumped, or
nothing happened meanwhile that would have to be forgotten. Once the clock has gone on for a month without another jump it
is believed. So one that is wrong for less than a month makes nothing old, and whoever comes back after a long time keeps what
is old a month longer.

The trace ``checked/pruned`` holds three numbers in milliseconds: the clock at the last look (UTC), how far it was ahead of the time
that had passed, and the clock when that was found. One number alone is of an older version.
"""

from __future__ import annotations

from typing import NamedTuple

from mind_skills.hooks import traces

DAY = 24 * 60 * 60_000
MONTH = 30 * DAY
"""Milliseconds."""
STAMP = "pruned"


class Elapsed(NamedTuple):
    """``last``, ``ahead`` and ``since`` as the trace has them; ``past`` are the milliseconds of the clock since the last look,
    negative where it went back, None where there was no look.
    """

    last: int
    ahead: int
    since: int
    past: int | None

    @property
    def now(self) -> int:
        """The time by which ages are counted (UTC ms): never later than the clock's."""
        return self.last - self.ahead


def elapsed(home: str, at: int) -> Elapsed:
    """What is to be believed when the clock says ``at`` (UTC ms). Raises OSError."""
    numbers = [traces.number(word) for word in traces.read(home, traces.CHECKED, "", STAMP).split()]
    if len(numbers) not in (1, 3) or None in numbers:
        return Elapsed(at, 0, at, None)
    last, ahead, since = (number or 0 for number in (numbers if len(numbers) == 3 else (numbers[0], 0, numbers[0])))
    past = at - last
    if past > MONTH:
        return Elapsed(at, ahead + past, at, past)
    if past < 0:
        left = ahead + past
        return Elapsed(at, left if left > MONTH else 0, at, past)  # within a month of it the clock is believed
    return Elapsed(at, ahead if at - since < MONTH else 0, since, past)


def note(home: str, found: Elapsed) -> None:
    """Put a look down. Raises OSError, HomeError."""
    traces.put(home, traces.CHECKED, "", STAMP, f"{found.last} {found.ahead} {found.since}")
