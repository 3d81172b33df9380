"""A change made in the session is reverted or replaced, and then something passes: the first approach was wrong.

Example: a retry is added, then removed again, and a timeout is set instead. Counterexample: two edits to a file that share
no line.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline
from mind_skills.observations.model import Observation

_MAX_CHANGE_DISTANCE, _MAX_PASS_DISTANCE, _MAX_REVERT_SPAN = 120, 30, 60
"""Maximum number of observations from the first change to the second, and from the second change to the pass; and number of
observations within which a reverted change must be followed by the pass."""
_MIN_ROW_LENGTH = 12
"""Minimum number of characters of a line that is compared; shorter ones may recur in unrelated changes by chance."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a change to the first pass after a line that it added was removed or the change was reverted."""
    added: dict[str, int] = {}  # line of a file -> last change that added it
    for change in timeline.changes:
        observation = timeline.observations[change]
        redone_change = max((added[row] for row in _list_rows(observation, "-") if row in added), default=None)
        if redone_change is not None and change - redone_change <= _MAX_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_PASS_DISTANCE):
                yield redone_change, end
                break
        added.update(dict.fromkeys(_list_rows(observation, "+"), change))
    for revert in timeline.reverts:
        redone_change = timeline.find_before(timeline.changes, revert)
        passed = timeline.find_after(timeline.passes, revert)
        if redone_change is not None and passed is not None and passed - redone_change < _MAX_REVERT_SPAN:
            yield redone_change, passed


def _list_rows(observation: Observation, sign: str) -> list[str]:
    """Return the lines of a change that begin with ``sign``, each after the name of the changed file."""
    name = observation.files[0] if observation.files else ""
    rows = (row[1:].strip() for row in observation.change.split("\n") if row.startswith(sign))
    return [f"{name}\0{row}" for row in rows if len(row) >= _MIN_ROW_LENGTH]
