"""Something fails, something is changed, and a command passes, not necessarily the one that failed.

Example: a build fails, a setting is edited, the program starts. The span ends at the first pass or at the first passed check.
Counterexample: the change comes forty observations later, during other work.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline

_MAX_CHANGE_DISTANCE, _MAX_PASS_DISTANCE = 40, 80
"""The change must follow the failure by fewer observations than the first number, the pass by at most the second."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failure to the first pass and to the first passed check after the next change."""
    for failure in timeline.failures:
        change = timeline.find_after(timeline.changes, failure)
        if change is not None and change - failure < _MAX_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, failure + _MAX_PASS_DISTANCE):
                yield failure, end
