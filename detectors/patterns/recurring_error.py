"""One error comes up more than once, under whatever command, and then something passes.

Example: "cannot import name x" stops two commands, then the second of them runs. Neighbour that is none: "exit code 1" of a task
runner, which names no error.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import REACH, Span, ends
from mind_skills.detectors.timeline import Timeline
from mind_skills.observations.errors import names_nothing


def propose(line: Timeline) -> Iterator[Span]:
    """From the first failure with an error to what passes after the last one."""
    places: dict[str, list[int]] = {}
    for index in line.failures:
        if line.observations[index].error_signature:
            places.setdefault(line.observations[index].error_signature, []).append(index)
    for again in places.values():
        if len(again) > 1 and not names_nothing(line.observations[again[0]].error):
            for end in ends(line, again[-1], again[0] + REACH):
                yield again[0], end
