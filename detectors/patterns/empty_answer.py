"""A command finds nothing without failing, and another command of the same program succeeds: the first query was wrong.

Example: `kubectl get pods` lists none, `kubectl get pods -n shop` lists them; a test run finds no tests.
Counterexample: a command that never prints anything, such as `git add`, followed by another program.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors import noise
from mind_skills.detectors.patterns.other_way import find_alternatives
from mind_skills.detectors.timeline import Span, Timeline


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a command that found nothing to the next successful commands of the same program."""
    for position, index in enumerate(timeline.runs):
        if noise.found_nothing(timeline.observations[index]):
            yield from find_alternatives(timeline, position)
