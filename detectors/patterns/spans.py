"""Spans of observations, and the passes at which a span may end."""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Timeline

Span = tuple[int, int]
"""First and last index of an episode."""
MAX_SPAN = 150
"""Maximum difference between the last and the first index of an episode; longer spans include unrelated work."""


def find_ends(timeline: Timeline, start: int, limit: int) -> Iterator[int]:
    """Yield the first pass after index ``start`` and, if that is not a check, the first passed check, both up to index ``limit``."""
    passed = timeline.find_after(timeline.passes, start)
    if passed is not None and passed <= limit:
        yield passed
    check = timeline.find_after(timeline.passed_checks, start)
    if check is not None and check != passed and check <= limit:
        yield check
