"""Something fails, and one of the next commands succeeds: a pitfall of a tool or an environment, and the way around it.

Example: `make` fails because a variable is not set, the next line exports it and `make` runs. Calls that the host
refused count as failures too. Counterexample: something passes thirty observations later.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge

from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline

_MAX_PASS_DISTANCE, _MAX_PASSES = 30, 4
"""Maximum number of observations from the failure to a pass, and of passes that may end a span of the same failure."""


def propose(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failure to each of the next few passes."""
    for failure in merge(timeline.failures, timeline.refusals):
        for end in timeline.select(timeline.passes, failure + 1, failure + _MAX_PASS_DISTANCE + 1)[:_MAX_PASSES]:
            yield failure, end
