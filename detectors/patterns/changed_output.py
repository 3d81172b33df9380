"""The same command prints something else after a change, without having failed before.

Example: a script prints 9 rows, the importer is edited, it prints 10. Neighbour that is none: nothing was changed in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span
from mind_skills.detectors.timeline import Timeline


def propose(line: Timeline) -> Iterator[Span]:
    """From a run that passes to the next of the same words, where it printed something else and a change lies between."""
    last: dict[str, int] = {}
    for index in line.passes:
        command = line.observations[index].command
        before = last.get(command)
        changed = before is not None and line.within(line.changes, before, index)
        if before is not None and changed and line.observations[before].text != line.observations[index].text:
            yield before, index
        last[command] = index
