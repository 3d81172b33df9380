"""A call is refused or fails before it does anything, and the same tool succeeds soon after.

Example: an edit whose old text is not there is made again after the file was formatted. Neighbour that is none: a file that was
not found is read under another name.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline

_SOON = 20


def propose(line: Timeline) -> Iterator[Span]:
    """From a refused call to the next of the same tool that is done."""
    for refused in line.refused:
        name = line.observations[refused].tool
        for index in line.within(line.tools, refused + 1, refused + _SOON):
            one = line.observations[index]
            if one.tool == name and one.outcome == "ok":
                if one.action not in ("read", "search"):
                    yield refused, index
                break
