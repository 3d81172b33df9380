"""Something fails, and one of the next commands succeeds: a pitfall of a tool or an environment, and the way around it.

Example: `make` fails because a variable is not set; the next command exports it, and `make` runs. A call that the host
could not carry out counts as a failure, too. Counterexample: the next pass is more than thirty observations later.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge

from mind_skills.detectors.timeline import Span, Timeline

_MAX_PASS_DISTANCE, _MAX_PASSES = 30, 4
"""Maximum number of observations from a failure to a pass, and of passes that end spans of one failure."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failure to each of the next few passes."""
    for failure in merge(timeline.failures, timeline.other_failures):
        for end in timeline.select(timeline.passes, failure + 1, failure + _MAX_PASS_DISTANCE + 1)[:_MAX_PASSES]:
            yield failure, end
