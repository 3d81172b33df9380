"""Where the next checkpoint of a session begins to read: marks of its log (observations/marks.py), kept as a trace.

A hint like every trace: where it is lost, unreadable or of another log, the log is read as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mind_skills.hooks import traces
from mind_skills.observations.marks import Mark, needed, resumable
from mind_skills.observations.read import context, still
from mind_skills.staging.sessions import Seen


def resume(home: str, seen: Seen) -> Mark | None:
    """The mark from which this session's log can be read on, None where all of it must be read.

    Raises OSError where the state folder cannot be read.
    """
    log = Path(seen.log)
    mark = resumable(_kept(home, seen.session_id), seen.size, context(log))
    return mark if mark is not None and still(log, mark) else None


def keep(home: str, seen: Seen, extent: int, marks: Iterable[Mark], *, resumed: bool) -> None:
    """Keep the marks of a log that has been read up to ``extent``; those of a log that was read whole replace all.

    Raises OSError, HomeError.
    """
    every = needed([*(_kept(home, seen.session_id) if resumed else []), *marks], extent, context(Path(seen.log)))
    if every or not resumed:
        lines = "".join(f"{mark.line} {mark.offset} {mark.proof}\n" for mark in every)
        traces.put(home, traces.MARKS, "", seen.session_id, lines)


def _kept(home: str, session_id: str) -> list[Mark]:
    found: list[Mark] = []
    for line in traces.read(home, traces.MARKS, "", session_id).split("\n"):
        first, _, rest = line.partition(" ")
        second, _, proof = rest.partition(" ")
        number, offset = traces.number(first), traces.number(second)
        if number is not None and offset is not None and proof:
            found.append(Mark(number, offset, proof))
    return found
