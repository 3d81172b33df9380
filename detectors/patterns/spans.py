"""What patterns propose: a span of observations; and where one that holds a change may end."""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Timeline

Span = tuple[int, int]
"""First and last index of an episode."""
REACH = 150
"""Observations between the ends of an episode: further away, something else was done in between."""


def ends(line: Timeline, change: int, limit: int) -> Iterator[int]:
    """Where what a change began may end, up to ``limit``: the first command that passes, and the first check that does."""
    passed = line.after(line.passes, change)
    if passed is not None and passed <= limit:
        yield passed
    check = line.after(line.checks, change)
    if check is not None and check != passed and check <= limit:
        yield check
