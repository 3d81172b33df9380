"""A command passes before and after a change, but its output differs the second time.

Example: a script prints 9 rows, and 10 after the importer is edited. Counterexample: nothing was changed in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans between consecutive passes of one command if its output differs and a change lies between them."""
    last: dict[str, int] = {}
    for index in timeline.passes:
        command = timeline.observations[index].command
        before = last.get(command)
        changed = before is not None and timeline.select(timeline.changes, before, index)
        if before is not None and changed and timeline.observations[before].text != timeline.observations[index].text:
            yield before, index
        last[command] = index
