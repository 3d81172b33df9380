"""Reads log files: streamed in constant memory, as numbered JSON lines, or in full, as one JSON document."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from mind_skills.errors import LogError
from mind_skills.observations.codec import (
    JsonBytes,
    JsonObject,
    as_integer,
    as_list,
    as_object,
    find_whole_objects,
    parse_json,
)
from mind_skills.observations.model import LogWarning, Mark, Progress, Session
from mind_skills.observations.open_file import COMPRESSED_SUFFIX, open_log_file
from mind_skills.observations.secret_values import note_record
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Maximum length of a line in bytes, without the images and documents in it. The longest line without these in real logs has 115 KB."""
MAX_DOCUMENT_BYTES = 48 * 1024 * 1024
"""Maximum size of a document in bytes. The largest real document seen has 0.6 MB. A document cannot be streamed, and parsing it takes
up to eight times its size in memory: about 400 MB at this limit."""
MAX_WARNINGS = 100
"""Maximum number of warnings per session, apart from the one that says that there were more."""
PROOF_BYTES = 4096
"""Maximum number of bytes that are compared at the beginning of a file and before a mark."""
_BLOCK_BYTES = 256 * 1024
_OPENING_BRACE, _CLOSING_BRACE = b"{}"
"""The first and last byte of a line that needs no stripping."""
_BLANKS = b"\xef\xbb\xbf\r\n\t \x00"
"""Bytes around a line that mean nothing, wherever the line is: files may be joined, and each may begin with a byte order mark."""
_BOM = b"\xef\xbb\xbf"
_MEDIA = compile_lazily(rb"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/=_-]{8192,}")
"""The base64 of an image or a document. The lookbehind makes the search linear."""
_COMMENT = compile_lazily(rb"[ \t\r\xef\xbb\xbf]*(?://|#|--|;|\r?\n)")
"""Matches the start of a comment line, which people add to logs, or a blank line."""


class RewrittenError(Exception):
    """The log has been replaced since the last read, although the checksums match."""


def add_warning(session: Session, line: int, message: str) -> None:
    """Add a warning to the session, up to a limit: an entirely broken log must not flood the user."""
    if len(session.warnings) < MAX_WARNINGS:
        session.warnings.append(LogWarning(line, message))
    elif len(session.warnings) == MAX_WARNINGS:
        session.warnings.append(LogWarning(0, f"more than {MAX_WARNINGS} warnings; the others are not listed"))


def read_numbered_lines(path: Path, session: Session) -> Iterator[tuple[int, JsonBytes]]:
    """Yield (1-based number, line without its ending) for every line that is neither blank nor too long, nor a comment at the start.

    If ``path`` is the session's own log, reading starts at the mark in ``session.progress``, which is updated. Lines are views of the
    read buffer if possible. Raises OSError.
    """
    progress = session.progress if session.path == str(path) else None
    if progress is not None and path.name.endswith(COMPRESSED_SUFFIX):
        progress = None  # it does not grow
    is_start = progress is None or progress.mark is None
    with open_log_file(path) as handle:
        for line_number, offset, size, line, is_complete in _split_lines(handle, progress.mark if progress else None):
            if progress is not None:
                progress.position = (line_number, offset)
                if not is_complete:  # all earlier lines are complete, but this one may grow
                    progress.add_mark(make_mark(handle, offset, line_number))
                    progress = None
            session.lines = line_number if size else line_number - 1
            if line is None:
                add_warning(session, line_number, f"skipped a line longer than {MAX_LINE_BYTES // 1024 // 1024} MB")
            elif line and line[0] == _OPENING_BRACE and line[-1] == _CLOSING_BRACE:
                is_start = False
                yield line_number, line
            elif stripped := bytes(line).strip(_BLANKS):
                is_start = is_start and bool(_COMMENT.match(stripped))
                if not is_start:
                    yield line_number, stripped


def _split_lines(handle: BinaryIO, mark: Mark | None) -> Iterator[tuple[int, int, int, JsonBytes | None, bool]]:
    """Yield (number, offset, size including the line ending, line, whether it has a line ending) for every line.

    A line that is too long lacks its images and documents; it is None if it is too long without them. The last item has size 0 and
    represents the end of the log.
    """
    line_number = offset = 0
    if mark is not None:
        handle.seek(mark.offset)
        line_number, offset = mark.line - 1, mark.offset
    unfinished = _UnfinishedLine()
    while block := handle.read(_BLOCK_BYTES):
        view, line_start, end = memoryview(block), 0, block.find(b"\n")
        if end < 0:
            unfinished.append(block)
            continue
        line: JsonBytes | None = view[:end]
        size = end + 1
        if unfinished.size:
            unfinished.append(block[:end])
            line, size = unfinished.get_line(), unfinished.size + 1
        while end >= 0:
            line_number += 1
            yield line_number, offset, size, line, True
            offset, line_start = offset + size, end + 1
            end = block.find(b"\n", line_start)
            line, size = view[line_start:end], end + 1 - line_start
        unfinished = _UnfinishedLine()
        unfinished.append(block[line_start:])
    if unfinished.size:
        line_number, offset = line_number + 1, offset + unfinished.size
        yield line_number, offset - unfinished.size, unfinished.size, unfinished.get_line(), False
    yield line_number + 1, offset, 0, b"", False


class _UnfinishedLine:
    """A line whose end has not been read yet. ``size`` is its size in the file, in bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] | None = []
        """None if the line is too long."""
        self._length = self.size = 0

    def append(self, part: bytes) -> None:
        self.size += len(part)
        if self._parts is not None:
            self._parts.append(part)
            self._length += len(part)
            if self._length > MAX_LINE_BYTES:
                self._shorten(self._parts)

    def _shorten(self, parts: list[bytes]) -> None:
        """Remove images and documents from a long line; remove everything if it is too long without them."""
        line = _MEDIA.sub(b"", b"".join(parts))
        self._parts, self._length = ([line], len(line)) if len(line) <= MAX_LINE_BYTES else (None, 0)

    def get_line(self) -> bytes | None:
        """Return the line; None if it is too long."""
        return None if self._parts is None else b"".join(self._parts)


def skip_comments(data: bytes) -> bytes:
    """Return the data without comment lines and blank lines at the start; empty if there is nothing else."""
    start = 0
    while _COMMENT.match(data, start):
        start = data.find(b"\n", start) + 1
        if not start:
            return b""
    return data[start:]


def make_mark(handle: BinaryIO, offset: int, line: int) -> Mark:
    """Create a mark in an open file, without changing the file's read position. Raises OSError."""
    return Mark(line, offset, compute_checksum(handle, max(0, offset - PROOF_BYTES), offset))


def compute_checksum(handle: BinaryIO, begin: int, end: int) -> str:
    """Compute a checksum of the bytes between two offsets; empty if the file ends before the second offset.

    The read position does not change. Raises OSError.
    """
    descriptor = handle.fileno()
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, begin, os.SEEK_SET)
    data = os.read(descriptor, end - begin)
    os.lseek(descriptor, position, os.SEEK_SET)
    return f"{zlib.crc32(data):08x}" if len(data) == end - begin else ""


def reread_lines(path: Path, progress: Progress) -> Iterator[tuple[int, JsonObject]]:
    """Yield (line number, JSON object) for the lines in ``progress.state["lines"]``, which are pairs of number and offset.

    Raises OSError, and RewrittenError if there is no JSON object at one of the offsets.
    """
    with open_log_file(path) as handle:
        for position in as_list(progress.state.get("lines")):
            line_number, offset = (as_integer(value) or 0 for value in as_list(position))
            progress.position = (line_number, offset)
            _, _, _, line, _ = next(_split_lines(handle, Mark(line_number, offset, "")))
            entries = parse_entries(bytes(line or b"").strip(_BLANKS), Session(), line_number)
            if not entries:
                raise RewrittenError
            for entry in entries:
                yield line_number, entry


def read_objects(path: Path, session: Session) -> Iterator[tuple[int, JsonObject]]:
    """Yield (line number, JSON object) for every whole JSON object; any other text, unless it is blank, adds a warning.

    Usually, each line is one object. Raises OSError.
    """
    for line_number, line in read_numbered_lines(path, session):
        for entry in parse_entries(line, session, line_number):
            yield line_number, entry


def parse_entries(data: JsonBytes, session: Session, line: int) -> list[JsonObject]:
    """Parse the JSON objects of a line; add a warning about the line if it contains anything else.

    A line has several objects if a client died, or if several clients wrote at the same time. Then the rest of the line may be a part
    of an object.
    """
    try:
        value = parse_json(data)
    except ValueError:
        entries, is_complete = find_whole_objects(bytes(data))
        if not (entries and is_complete):
            # Without the parser's words: there are two parsers, and which of them reads a line depends on what was read before.
            add_warning(session, line, "not valid JSON")
        for entry in entries:
            note_record(entry)
        return entries
    if isinstance(value, dict):
        record = as_object(cast(object, value))
        note_record(record)
        return [record]
    add_warning(session, line, "not a JSON object")
    return []


def read_document(path: Path, session: Session) -> JsonObject:
    """Read a file that is one JSON object. Only hosts with small sessions write their logs in this form.

    If the file is not a JSON object, add a warning to the session and return an empty object.
    Raises OSError, and LogError if the file is larger than ``MAX_DOCUMENT_BYTES``.
    """
    with open_log_file(path) as handle:
        if os.fstat(handle.fileno()).st_size > MAX_DOCUMENT_BYTES:
            is_export = session.host == "opencode"
            advice = "pass opencode.db instead: reading this file" if is_export else "leave the file out: reading it"
            raise LogError(
                "too_large",
                f"larger than {MAX_DOCUMENT_BYTES // 1024 // 1024} MB, which is the limit for a single JSON document",
                f"{advice} would take up to eight times its size in memory",
            )
        data = handle.read(MAX_DOCUMENT_BYTES)
    try:
        value = parse_json(skip_comments(data.removeprefix(_BOM)).strip(_BLANKS))
    except ValueError:
        add_warning(session, 0, "the document is not valid JSON")
        return {}
    if not isinstance(value, dict):
        add_warning(session, 0, "the document is not a JSON object")
        return {}
    document = as_object(cast(object, value))
    note_record(document)
    return document
