"""Something is looked up outside the project, then something is changed, and a command passes.

Example: the manual of a library is fetched, a call is rewritten, the build passes. Counterexample: the change comes
twenty observations later.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline

_MAX_CHANGE_DISTANCE, _MAX_PASS_DISTANCE = 20, 30


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a lookup to the pass after the next change."""
    for lookup in timeline.web_calls:
        change = timeline.find_after(timeline.changes, lookup)
        if change is not None and change - lookup < _MAX_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_PASS_DISTANCE):
                yield lookup, end
                break
