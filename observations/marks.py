"""Marks: places in a growing log from which it can be read on, without what stands before them.

A log that is looked at again and again must not cost more the longer it gets. While it is read, a mark is noted every
``STRIDE``; the next look begins at one that lies ``CONTEXT`` before the end of the last look, so that what the new lines
complete is still seen from its beginning.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

STRIDE, CONTEXT = 128 * 1024, 1024 * 1024
"""Bytes. Of 64 sessions that were measured, 57 are shorter than the context; the 33 largest, looked at twelve times while
they grew, all came to the findings of one look at the end, which with a quarter of this context three did not."""
PART_STRIDE, PART_CONTEXT = 50, 400
"""The same in parts, for sessions in a database; a part of a tool call holds about 2.5 kB."""
HEAD = 64 * 1024
"""Bytes at the beginning that are read all the same: the header of a log stands there."""
_PROOF = 256


@dataclass(frozen=True, slots=True)
class Mark:
    """A place before a line: its number, its offset (bytes; for a database, parts of the session), and a proof.

    The proof is a checksum of the bytes before it, by which a file that was rewritten is told; or the message's id.
    """

    line: int
    offset: int
    proof: str


def place(handle: BinaryIO, offset: int, line: int) -> Mark:
    """A mark in a file that is being read; where it is read is not changed. Raises OSError."""
    return Mark(line, offset, _proof(handle.fileno(), offset))


def holds(handle: BinaryIO, mark: Mark) -> bool:
    """Whether the file is still the one that was marked, as far as its bytes just before the mark can tell."""
    return _proof(handle.fileno(), mark.offset) == mark.proof


def _proof(descriptor: int, offset: int) -> str:
    start = max(0, offset - _PROOF)
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, start, os.SEEK_SET)
    before = os.read(descriptor, offset - start)
    os.lseek(descriptor, position, os.SEEK_SET)
    return f"{zlib.crc32(before):08x}" if len(before) == offset - start else ""


def resumable(marks: Sequence[Mark], extent: int, context: int) -> Mark | None:
    """The last mark that leaves ``context`` before ``extent``, how far was read; None where all must be read again."""
    fitting = [mark for mark in marks if mark.offset <= extent - context]
    return max(fitting, key=lambda mark: mark.offset, default=None)


def needed(marks: Sequence[Mark], extent: int, context: int) -> list[Mark]:
    """Those from which a later look may begin, once ``extent`` has been read; ascending."""
    first = resumable(marks, extent, context)
    return sorted((m for m in set(marks) if first is None or m.offset >= first.offset), key=lambda mark: mark.offset)
