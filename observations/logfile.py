"""A log as numbered lines of JSON, streamed, so that memory does not follow the size of the file; or as one JSON document."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from mind_skills.errors import LogError
from mind_skills.observations import marks
from mind_skills.observations.codec import Data, Json, integer, items, loads, mapping
from mind_skills.observations.model import Caution, Session
from mind_skills.observations.opening import opened

MAX_LINE = 16 * 1024 * 1024
"""Longer lines hold images or whole files, never a message; the largest seen in a real log without one is 115 KB."""
MAX_DOCUMENT = 48 * 1024 * 1024
"""Bytes. The largest real one seen has 0.6 MB. It cannot be streamed, and parsing takes up to eight times its size:
where this limit is reached, a run stays about 400 MB."""
_HINT = "it can only be read whole, which takes up to eight times its size in memory"
_HINTS = {"opencode": f"{_HINT}; opencode.db has the same session and is read piece by piece"}
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


def document(path: Path, session: Session) -> Json:
    """The JSON object that a file holds, read whole, since only hosts whose sessions are small write such logs.

    An empty one, with a warning of the session, where it holds none.

    Raises:
        OSError: the file cannot be read.
        LogError: it is larger than ``MAX_DOCUMENT``.
    """
    with opened(path) as handle:
        if os.fstat(handle.fileno()).st_size > MAX_DOCUMENT:
            raise LogError(
                "too_large",
                f"larger than {MAX_DOCUMENT // 1024 // 1024} MB, which is the limit for a single JSON document",
                _HINTS.get(session.host, _HINT),
            )
        data = handle.read(MAX_DOCUMENT)
    try:
        value = loads(data.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n\t \x00"))
    except ValueError as error:
        warn(session, 0, f"the document is not JSON: {error}"[:200])
        return {}
    if not isinstance(value, dict):
        warn(session, 0, "the document is not a JSON object")
        return {}
    return mapping(cast(object, value))
