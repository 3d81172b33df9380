"""A command fails, and another command of the same program succeeds: it was called the wrong way.

Example: `gh pr edit --body x` fails, `gh api ... --field body=x` works. Neighbour that is none: the same words pass when said
again, which red_to_green.py proposes.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline

_RUNS, _SOON, _ENDS = 12, 40, 2
"""Commands and observations in which the other way is tried, and how many may be the end."""


def propose(line: Timeline) -> Iterator[Span]:
    """From a failing command to the next that succeed with the same program and other words."""
    failed = set(line.failures)
    for place, index in enumerate(line.runs):
        if index in failed:
            yield from ways(line, place)


def ways(line: Timeline, place: int) -> Iterator[Span]:
    """From the command at this place of ``runs`` to the next that succeed with one of its programs and other words."""
    begin = line.runs[place]
    mine = programs(line, begin)
    found = 0
    passes = set(line.within(line.passes, begin, begin + _SOON + 1))
    for index in line.runs[place + 1 : place + 1 + _RUNS]:
        other = index in passes and line.observations[index].command != line.observations[begin].command
        if other and mine & programs(line, index):
            yield begin, index
            found += 1
            if found == _ENDS:
                return


def programs(line: Timeline, index: int) -> set[str]:
    """The programs of a command line."""
    return {part.split(" ", 1)[0] for part in line.observations[index].signature.split(" && ")}
