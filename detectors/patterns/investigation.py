"""The agent looks at much and changes nothing, and then says what it found.

Example: "why is the queue slow?", twelve files are read, the answer names the lock; what follows may be a change and a check.
Neighbour that is none: three files are read before an edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline

_ASKED, _LOOKED = 4, 6
"""Calls that make an answer to the user one of search, and that make any statement one."""
_TEXT = 100
"""Characters of a statement that can say what was found."""
_CHANGED, _ENDED = 15, 40
_LATEST = 3
"""Statements of one search that may be its end, the last ones: an agent that speaks between all its looks ends none of them."""


def propose(line: Timeline) -> Iterator[Span]:
    """From the user's question to the answer, and from the first look to a statement and to what is done about it."""
    for user in line.users:
        stop = line.turn_end(user)
        answer = line.before(line.aloud, stop)
        if answer is None or answer < user or line.within(line.changes, user, stop):
            continue
        if len(line.within(line.tools, user, answer)) >= _ASKED:
            yield user, answer
    breaks = sorted({-1, len(line.observations), *line.users, *line.changes})
    for begin, stop in pairwise(breaks):
        yield from _search(line, begin, stop)


def _search(line: Timeline, begin: int, stop: int) -> Iterator[Span]:
    calls = line.within(line.tools, begin + 1, stop)
    if len(calls) < _LOOKED:
        return
    told = [i for i in line.within(line.aloud, calls[_LOOKED - 1], stop) if line.heard[i].size > _TEXT]
    for index in told[-_LATEST:]:
        yield calls[0], index
        change = line.after(line.changes, index)
        if change is not None and change - index < _CHANGED:
            for end in ends(line, change, change + _ENDED):
                yield calls[0], end
