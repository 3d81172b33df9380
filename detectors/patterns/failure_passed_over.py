"""Something fails, and one of the next commands ends well: the trap of a tool or an environment, and the way past it.

Example: `make` fails for want of a variable, the next line exports it and `make` runs. Calls that the host itself refused count
as well. Neighbour that is none: thirty observations later something passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge

from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline

_SOON, _ENDS = 30, 4
"""Observations to what passes, and how many passes may be the end."""


def propose(line: Timeline) -> Iterator[Span]:
    """From a failure to each of the next few passes."""
    for failure in merge(line.failures, line.refused):
        for end in line.within(line.passes, failure + 1, failure + _SOON + 1)[:_ENDS]:
            yield failure, end
