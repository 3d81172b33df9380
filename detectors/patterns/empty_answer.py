"""A command ends well and shows nothing, and another command of the same program follows: the first asked wrongly.

Example: `kubectl get pods` lists none, `kubectl get pods -n shop` lists them; a test run finds no tests. Neighbour that is none:
a command that never prints anything, such as `git add`, and another program after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors import noise
from mind_skills.detectors.patterns.other_way import ways
from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline


def propose(line: Timeline) -> Iterator[Span]:
    """From a command that showed nothing to the next that succeed with the same program."""
    for place, index in enumerate(line.runs):
        if noise.showed_nothing(line.observations[index]):
            yield from ways(line, place)
