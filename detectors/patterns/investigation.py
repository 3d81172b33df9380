"""The agent makes many calls without changing anything, and then reports what it found.

Example: asked "why is the queue slow?", it reads twelve files and names the lock. A change and a check may follow.
Counterexample: three files are read before an edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mind_skills.detectors.timeline import Span, Timeline

_MIN_CALLS_FOR_ANSWER, _MIN_CALLS = 4, 6
"""Minimum number of calls before an answer to the user, and before any other statement."""
_MIN_STATEMENT_LENGTH = 100
"""Only a statement with more characters than this can report a result."""
_MAX_CHANGE_DISTANCE, _MAX_PASS_DISTANCE = 15, 40
_MAX_STATEMENTS = 3
"""Maximum number of statements that end spans of one search. The last ones are used, since an agent may comment on every call."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a message to its answer, and from the first call of a search to a statement or to a pass after a change."""
    for message in timeline.user_messages:
        stop = timeline.find_turn_end(message)
        answer = timeline.find_before(timeline.agent_messages, stop)
        if answer is None or answer < message or timeline.select(timeline.changes, message, stop):
            continue
        if len(timeline.select(timeline.tool_calls, message, answer)) >= _MIN_CALLS_FOR_ANSWER:
            yield message, answer
    breaks = sorted({-1, len(timeline.observations), *timeline.user_messages, *timeline.changes})
    for start, stop in pairwise(breaks):
        yield from _propose_search(timeline, start, stop)


def _propose_search(timeline: Timeline, start: int, stop: int) -> Iterator[Span]:
    calls = timeline.select(timeline.tool_calls, start + 1, stop)
    if len(calls) < _MIN_CALLS:
        return
    statements = [
        i
        for i in timeline.select(timeline.agent_messages, calls[_MIN_CALLS - 1], stop)
        if timeline.statement_traits[i].size > _MIN_STATEMENT_LENGTH
    ]
    for index in statements[-_MAX_STATEMENTS:]:
        yield calls[0], index
        change = timeline.find_after(timeline.changes, index)
        if change is not None and change - index < _MAX_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_PASS_DISTANCE):
                yield calls[0], end
