"""A JSONL log as numbered lines, streamed: memory does not follow the size of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mind_skills.observations import marks
from mind_skills.observations.codec import Data, Json, integer, items, loads
from mind_skills.observations.model import Caution, Session
from mind_skills.observations.opening import opened

MAX_LINE = 16 * 1024 * 1024
"""Longer lines hold images or whole files, never a message; the largest seen in a real log without one is 115 KB."""
MAX_WARNINGS = 100
_BLOCK = 256 * 1024
_OPENS, _CLOSES = b"{}"
"""What a line begins and ends with that has nothing to be taken off it."""
_BOM = b"\xef\xbb\xbf"


class RewrittenError(Exception):
    """A log is not the one any more that was read before, though it looked like it."""


def warn(session: Session, line: int, message: str) -> None:
    """Note what was passed over; a log that is broken throughout does not flood its reader."""
    if len(session.warnings) < MAX_WARNINGS:
        session.warnings.append(Caution(line, message))
    elif len(session.warnings) == MAX_WARNINGS:
        session.warnings.append(Caution(0, f"more than {MAX_WARNINGS} warnings; the rest is not listed"))


def numbered_lines(path: Path, session: Session) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, line without its ending) of every line that is neither blank nor too long.

    The session's own log is read from where its ``progress`` says, and how far is noted there.

    Raises:
        OSError: the file cannot be opened or read.
    """
    for number, line in _said(path, session):
        yield number, bytes(line)


def _said(path: Path, session: Session) -> Iterator[tuple[int, Data]]:
    """The same, each as it stands in what was read, without a copy where it can be."""
    progress = session.progress if session.path == str(path) else None
    with opened(path) as handle:
        for number, offset, size, line, ended in _lines(handle, progress.mark if progress else None):
            if progress is not None:
                progress.place = (number, offset)
                if not ended:  # all lines before are told, and what follows may become another one yet
                    progress.settled(marks.place(handle, offset, number))
                    progress = None
            session.lines = number if size else number - 1
            if size > MAX_LINE:
                warn(session, number, f"line longer than {MAX_LINE // 1024 // 1024} MB passed over")
            elif line and line[0] == _OPENS and line[-1] == _CLOSES:
                yield number, line
            elif stripped := bytes(line).removeprefix(_BOM if number == 1 else b"").strip(b"\r\n\t \x00"):
                yield number, stripped


def _lines(handle: BinaryIO, mark: marks.Mark | None) -> Iterator[tuple[int, int, int, Data, bool]]:
    """Every line: its number, where it begins, its size with the ending, itself, and whether it has ended.

    Of one that is too long there is only a part. Last comes a line of size 0 that has not begun: where the log ends.
    """
    number = offset = dropped = 0
    if mark is not None:
        handle.seek(mark.offset)
        number, offset = mark.line - 1, mark.offset
    begun: list[bytes] = []  # parts of a line whose end was not read yet
    while block := handle.read(_BLOCK):
        view, place, end = memoryview(block), 0, block.find(b"\n")
        if end < 0:
            begun.append(block)
            if (held := sum(map(len, begun))) > MAX_LINE:
                dropped, begun = dropped + held, []
            continue
        line: Data = b"".join([*begun, view[:end]]) if begun else view[:end]
        while end >= 0:
            size = len(line) + 1 + dropped
            dropped, number = 0, number + 1
            yield number, offset, size, line, True
            offset, place = offset + size, end + 1
            end = block.find(b"\n", place)
            line = view[place:end]
        begun = [block[place:]]
    if size := len(last := b"".join(begun)) + dropped:
        number, offset = number + 1, offset + size
        yield number, offset - size, size, last, False
    yield number + 1, offset, 0, b"", False


def read_again(path: Path, progress: marks.Progress) -> Iterator[tuple[int, Json]]:
    """Yield (line number, JSON object) of the lines of ``state["lines"]``, each a number and where it begins.

    Raises:
        OSError: the file cannot be opened or read.
        RewrittenError: no object begins there any more.
    """
    with opened(path) as handle:
        for place in items(progress.state.get("lines")):
            number, offset = (integer(each) or 0 for each in items(place))
            progress.place = (number, offset)
            handle.seek(offset)
            try:
                value = loads(handle.readline().removeprefix(_BOM).strip(b"\r\n\t \x00"))
            except ValueError as error:
                raise RewrittenError from error
            if not isinstance(value, dict):
                raise RewrittenError
            yield number, value


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
