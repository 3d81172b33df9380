"""The same error occurs more than once, in any command, and then something passes.

Example: two commands fail with "cannot import name x", then the second of them passes. Counterexample: "exit code 1" from a
task runner, which identifies no error.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import MAX_SPAN, Span, Timeline
from mind_skills.observations.results import is_runner_message


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from the first failure with an error to the first pass and passed check after the last one."""
    indexes_by_error: dict[str, list[int]] = {}
    for index in timeline.failures:
        if timeline.observations[index].error_signature:
            indexes_by_error.setdefault(timeline.observations[index].error_signature, []).append(index)
    for indexes in indexes_by_error.values():
        if len(indexes) > 1 and not is_runner_message(timeline.observations[indexes[0]].error):
            for end in timeline.find_ends(indexes[-1], indexes[0] + MAX_SPAN):
                yield indexes[0], end
