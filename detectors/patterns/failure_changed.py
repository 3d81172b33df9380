"""A command fails, something is changed, and a command passes, another one perhaps.

Example: a build fails, a setting is edited, the program starts. The span ends at the first pass, and at the first check.
Neighbour that is none: the change comes forty observations later, when something else is in hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline

_CHANGED, _ENDED = 40, 80
"""Observations from the failure to the change that answers it, and to what ends it."""


def propose(line: Timeline) -> Iterator[Span]:
    """From a failure to what passes after the next change."""
    for failure in line.failures:
        change = line.after(line.changes, failure)
        if change is not None and change - failure < _CHANGED:
            for end in ends(line, change, failure + _ENDED):
                yield failure, end
