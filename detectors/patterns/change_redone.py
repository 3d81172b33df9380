"""A change of the session's own is taken back or made another way, and something passes: the first way was wrong.

Example: a retry is added, removed again, and a timeout set instead. Neighbour that is none: two edits of one file that share no row.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline

_BACK, _ENDED, _REVERTED = 120, 30, 60
"""Observations back to the change that is redone, to what passes behind, and from a change that is reverted to that."""
_ROW = 12
"""Characters of a row that no other change has by chance."""


def propose(line: Timeline) -> Iterator[Span]:
    """From a change to what passes after its rows were removed again."""
    added: dict[str, int] = {}  # of each row of a file the last change that wrote it
    for change in line.changes:
        one = line.observations[change]
        name = one.files[0] if one.files else ""
        rows = one.change.split("\n")
        gone = [f"{name}\0{row[1:].strip()}" for row in rows if row.startswith("-") and len(row.strip()) > _ROW]
        wrote = max((added[row] for row in gone if row in added), default=None)
        if wrote is not None and change - wrote <= _BACK:
            for end in ends(line, change, change + _ENDED):
                yield wrote, end
                break
        for row in rows:
            if row.startswith("+") and len(row.strip()) > _ROW:
                added[f"{name}\0{row[1:].strip()}"] = change
    for revert in line.reverts:
        wrote, end_ = line.before(line.changes, revert), line.after(line.passes, revert)
        if wrote is not None and end_ is not None and end_ - wrote < _REVERTED:
            yield wrote, end_
