"""Positions in a growing log from which a reader can resume, and the state that it needs to do so."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

PART_STRIDE, PART_CONTEXT = 50, 400
"""The minimum distance between two marks in OpenCode's database, and the minimum number of parts at the end that are read again,
because a part is rewritten when it ends. Both are in parts of the session; the part of a tool call has about 2.5 kB."""
PROOF_BYTES = 4096
"""Maximum number of bytes that are compared at the beginning of a file and before a mark."""

Position = tuple[int, int]
"""The number of a line, and the line's offset in bytes."""
State = dict[str, object]
"""A reader's state at a mark: strings, numbers, booleans, and nested lists of these. It contains no message text."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A position before a line: the line's number, its offset (in bytes or, in a database, in parts of the session), and a proof.

    The proof is a checksum of the bytes before the offset or, in a database, the message's id. It shows whether the file was rewritten.
    """

    line: int
    offset: int
    proof: str


class Progress:
    """Progress of an incremental read (observations/incremental.py), passed to a reader as part of the session.

    Reading starts at ``mark``, with the ``state`` that the reader had there; at the beginning of the log, ``mark`` is None and
    ``state`` is empty. During the read, ``position`` is the number and offset of the current line in the session's own log. A reader
    that has restored its state calls ``register_state_function`` with a function that returns its current state. ``add_mark`` is called
    when everything before a mark has been processed.
    """

    __slots__ = ("add_mark", "mark", "position", "register_state_function", "state")

    def __init__(
        self,
        register_state_function: Callable[[Callable[[], State]], object],
        add_mark: Callable[[Mark], object],
        mark: Mark | None = None,
        state: State | None = None,
    ) -> None:
        self.register_state_function, self.add_mark = register_state_function, add_mark
        self.mark = mark
        self.state: State = state or {}
        self.position: Position = (0, 0)


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
