"""A call fails before it takes effect, and the same tool succeeds soon after.

Example: an edit whose old text does not match is repeated after the file was formatted. Counterexample: a file that was
not found is read under another name.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline

_MAX_DISTANCE = 20
"""The successful call must follow the failed one by fewer observations than this."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failed call to the next successful call of the same tool, except for reads and searches."""
    for failure in timeline.other_failures:
        name = timeline.observations[failure].tool
        for index in timeline.select(timeline.tool_calls, failure + 1, failure + _MAX_DISTANCE):
            observation = timeline.observations[index]
            if observation.tool == name and observation.outcome == "ok":
                if observation.action not in ("read", "search"):
                    yield failure, index
                break
