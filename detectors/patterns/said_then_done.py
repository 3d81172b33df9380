"""The agent says something, then changes something or runs something, and that ends well.

Example: after a look at the log "the pool is closed before the last write", an edit, a check that passes. The span begins at the
words, or at what they are about: the call before them, a failure or a message of the user that is near.
Neighbour that is none: the change comes after the user has asked for something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline

_CHANGED, _RAN, _ENDED, _BURST = 14, 9, 60, 6
"""Observations to the change, to the run where nothing is changed, to the end, and in which changes are one."""
_FAILED, _ASKED = 15, 30
"""Observations back to the failure and to the message of the user that the words may be about."""


def propose(line: Timeline) -> Iterator[Span]:
    """From words, or from what they are about, to what passes after they were acted on."""
    for index in _acted_on(line):
        limit = min(line.turn_end(index), index + _ENDED)
        change = line.after(line.changes, index)
        if change is not None and change < min(limit, index + _CHANGED):
            stops = {*ends(line, change, limit), line.before(line.changes, min(limit, change + _BURST)) or change}
        else:
            stops = {*line.within(line.passes, index + 1, index + _RAN)[:2]}
        for stop in stops:
            for start in _about(line, index):
                yield start, stop


def _acted_on(line: Timeline) -> Iterator[int]:
    """The words after which the agent did something, those of each pause that say why more than the others of it."""
    best = -1
    for place, index in enumerate(line.said):
        one = line.heard[index]
        if best < 0 or (one.cause, one.size) > (line.heard[best].cause, line.heard[best].size):
            best = index
        following = line.said[place + 1] if place + 1 < len(line.said) else len(line.observations)
        acted = line.after(line.runs, index), line.after(line.changes, index)
        if any(each is not None and each < following for each in acted):
            yield best
            best = -1


def _about(line: Timeline, index: int) -> set[int]:
    starts = {index}
    failure, call, user = line.before(line.failures, index), line.before(line.tools, index), line.before(line.users, index)
    if failure is not None and index - failure <= _FAILED:
        starts.add(failure)
    if call is not None:
        starts.add(call)
    if user is not None and index - user <= _ASKED:
        starts.add(user)
    return starts
