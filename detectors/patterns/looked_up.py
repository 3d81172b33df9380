"""Something is looked up outside of the project, then something is changed, and a command passes.

Example: the manual of a library is fetched, a call is rewritten, the build passes. Neighbour that is none: the change comes much later.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline

_CHANGED, _ENDED = 20, 30


def propose(line: Timeline) -> Iterator[Span]:
    """From a look outside to what passes after the next change."""
    for look in line.web:
        change = line.after(line.changes, look)
        if change is not None and change - look < _CHANGED:
            for end in ends(line, change, change + _ENDED):
                yield look, end
                break
