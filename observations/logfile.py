"""A JSONL log as numbered lines, streamed: memory does not follow the size of the file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mind_skills.observations import marks
from mind_skills.observations.codec import Data, Json, loads
from mind_skills.observations.model import Caution, Session
from mind_skills.observations.opening import opened

MAX_LINE = 16 * 1024 * 1024
"""Longer lines hold images or whole files, never a message; the largest seen in a real log without one is 115 KB."""
MAX_WARNINGS = 100
_BLOCK = 256 * 1024
_OPENS, _CLOSES = b"{}"
"""What a line begins and ends with that has nothing to be taken off it."""
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
    for number, line in _said(path, session):
        yield number, bytes(line)


def _said(path: Path, session: Session) -> Iterator[tuple[int, Data]]:
    """The same, each as it stands in what was read, without a copy where it can be."""
    own = session.path == str(path)
    due = marks.STRIDE if own else sys.maxsize
    with opened(path) as handle:
        for number, offset, size, line in _lines(handle, session.since if own else None):
            if offset >= due:
                session.marks.append(marks.place(handle, offset, number))
                due = offset + marks.STRIDE
            session.lines = number if size else number - 1
            if size > MAX_LINE:
                warn(session, number, f"line longer than {MAX_LINE // 1024 // 1024} MB passed over")
            elif line and line[0] == _OPENS and line[-1] == _CLOSES:
                yield number, line
            elif stripped := bytes(line).removeprefix(_BOM if number == 1 else b"").strip(b"\r\n\t \x00"):
                yield number, stripped


def _lines(handle: BinaryIO, since: marks.Mark | None) -> Iterator[tuple[int, int, int, Data]]:
    """Every line: its number, where it begins, its size with the ending, and itself; of one that is too long only a part.

    Once the head is read it goes on at ``since``. Last comes a line of size 0: where the log ends.
    """
    number = offset = dropped = 0
    begun: list[bytes] = []  # parts of a line whose end was not read yet
    while block := handle.read(_BLOCK):
        view, place, end = memoryview(block), 0, block.find(b"\n")
        if end < 0:
            begun.append(block)
            if (held := sum(map(len, begun))) > MAX_LINE:
                dropped, begun = dropped + held, []
            continue
        line: Data = b"".join([*begun, view[:end]]) if begun else view[:end]
        while end >= 0 and (since is None or not marks.HEAD <= offset < since.offset):
            size = len(line) + 1 + dropped
            dropped, number = 0, number + 1
            yield number, offset, size, line
            offset, place = offset + size, end + 1
            end = block.find(b"\n", place)
            line = view[place:end]
        begun = [block[place:]]
        if since is not None and marks.HEAD <= offset < since.offset:
            handle.seek(since.offset)
            number, offset, dropped, begun, since = since.line - 1, since.offset, 0, [], None
    if size := len(last := b"".join(begun)) + dropped:
        number, offset = number + 1, offset + size
        yield number, offset - size, size, last
    yield number + 1, offset, 0, b""


def objects(path: Path, session: Session) -> Iterator[tuple[int, Json]]:
    """Yield (line number, JSON object) of every line that holds one; the others become warnings of the session.

    Raises:
        OSError: the file cannot be opened or read.
    """
    for number, line in _said(path, session):
        try:
            value = loads(line)
        except ValueError as error:
            warn(session, number, f"not JSON: {error}"[:200])
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            warn(session, number, "not a JSON object")
