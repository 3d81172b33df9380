"""A command fails, and later the same command passes with what failed still in it, whether or not anything was edited.

Example: `pytest tests/test_a.py` fails, `a.py` is edited, `pytest` passes. The span begins at the first failure, and at the last.
Neighbour that is none: another test file passes; the failing test was deselected.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import REACH, Span
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import cures

_TRIED = 4
"""Later runs of a command that are looked at: of those that are narrower than what failed there may be many."""


def propose(line: Timeline) -> Iterator[Span]:
    """From a failure, and from the last of its kind, to the run that passes."""
    passes: dict[str, list[int]] = {}
    for index in line.passes:
        for part in _parts(line, index):
            passes.setdefault(part, []).append(index)
    failures: dict[str, list[int]] = {}
    for index in line.failures:
        for part in _parts(line, index):
            failures.setdefault(part, []).append(index)
    for failure in line.failures:
        for part in _parts(line, failure):
            tried = 0
            green = line.after(passes.get(part, []), failure)
            while green is not None and green - failure <= REACH and tried < _TRIED:
                if cures(line, failure, green):
                    yield failure, green
                    last = line.before(failures[part], green)
                    if last is not None:
                        yield last, green
                    break
                green = line.after(passes[part], green)
                tried += 1


def _parts(line: Timeline, index: int) -> list[str]:
    signature = line.observations[index].signature
    return list(dict.fromkeys(signature.split(" && "))) if signature else []
