"""A JSONL log as numbered lines, streamed: memory does not follow the size of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mind_skills.observations import marks
from mind_skills.observations.codec import Json, loads
from mind_skills.observations.model import Caution, Session

MAX_LINE = 16 * 1024 * 1024
"""Longer lines hold images or whole files, never a message; the largest seen in a real log without one is 115 KB."""
MAX_WARNINGS = 100
_DRAIN = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


def warn(session: Session, line: int, message: str) -> None:
    """Note what was passed over; a log that is broken throughout does not flood its reader."""
    if len(session.warnings) < MAX_WARNINGS:
        session.warnings.append(Caution(line, message))
    elif len(session.warnings) == MAX_WARNINGS:
        session.warnings.append(Caution(0, f"more than {MAX_WARNINGS} warnings; the rest is not listed"))


def numbered_lines(path: Path, session: Session) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, line without its ending) of every line that is neither blank nor too long.

    Of the session's own log, what stands between its head and ``session.since`` is passed over, and marks are noted.

    Raises:
        OSError: the file cannot be opened or read.
    """
    with path.open("rb") as handle:
        for number, line in _within(handle, session, own=session.path == str(path)):
            if stripped := (line.removeprefix(_BOM) if number == 1 else line).strip(b"\r\n\t \x00"):
                yield number, stripped


def _within(handle: BinaryIO, session: Session, *, own: bool) -> Iterator[tuple[int, bytes]]:
    """Every line that is not too long. ``own``: the file is the session's own log, which marks are for."""
    since, due = session.since if own else None, marks.STRIDE
    number = offset = 0
    while True:
        if since is not None and marks.HEAD <= offset < since.offset:
            handle.seek(since.offset)
            session.lines = number = since.line - 1
            offset, since = since.offset, None
        if own and offset >= due:
            session.marks.append(marks.place(handle, offset, number + 1))
            due = offset + marks.STRIDE
        if not (line := handle.readline(MAX_LINE + 1)):
            return
        number += 1
        offset += len(line)
        session.lines = number
        if len(line) <= MAX_LINE:
            yield number, line
            continue
        while not line.endswith(b"\n") and (line := handle.readline(_DRAIN)):
            offset += len(line)
        warn(session, number, f"line longer than {MAX_LINE // 1024 // 1024} MB passed over")


def objects(path: Path, session: Session) -> Iterator[tuple[int, Json]]:
    """Yield (line number, JSON object) of every line that holds one; the others become warnings of the session.

    Raises:
        OSError: the file cannot be opened or read.
    """
    for number, line in numbered_lines(path, session):
        try:
            value = loads(line)
        except ValueError as error:
            warn(session, number, f"not JSON: {error}"[:200])
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            warn(session, number, "not a JSON object")
