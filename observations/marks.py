"""How far a log that grows has been read, and what its reader knew there: what is needed to read on from that place."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

PART_STRIDE, PART_CONTEXT = 50, 400
"""Parts of a session in OpenCode's database: how far apart its marks stand, and how much before its end it is read again,
since a part is written when it begins and once more when it ends. A part of a tool call holds about 2.5 kB."""
PROOF = 4096
"""Bytes that are compared at the beginning of a file, and as many before a mark."""

State = dict[str, object]
"""What a reader knows at a mark beside what it has told: strings, numbers, and lists of them. Nothing of what was said."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place before a line: its number, its offset (bytes; for a database, parts of the session), and a proof.

    The proof is a checksum of the bytes before it, by which a file that was rewritten is told; or the message's id.
    """

    line: int
    offset: int
    proof: str


class Progress:
    """Given to a reader with a session (observations/model.py) by who wants to read on later (observations/following.py).

    ``mark`` and ``state`` are where reading begins, and what the reader knew there; None and empty for the beginning. While
    it reads, ``place`` is where the line begins that it has in hand, in the session's own log: its number and its offset.
    A reader that has taken in the state calls ``begun`` with a function that gives what it knows by then; ``settled`` is
    called where all before a mark has been told.
    """

    __slots__ = ("begun", "mark", "place", "settled", "state")

    def __init__(
        self,
        begun: Callable[[Callable[[], State]], object],
        settled: Callable[[Mark], object],
        mark: Mark | None = None,
        state: State | None = None,
    ) -> None:
        self.begun, self.settled = begun, settled
        self.mark = mark
        self.state: State = state or {}
        self.place: tuple[int, int] = (0, 0)


def place(handle: BinaryIO, offset: int, line: int) -> Mark:
    """A mark in a file that is being read; where it is read is not changed. Raises OSError."""
    return Mark(line, offset, checksum(handle, max(0, offset - PROOF), offset))


def checksum(handle: BinaryIO, begin: int, end: int) -> str:
    """A checksum of the bytes between two offsets, empty where they are not there. Where it is read is not changed.

    Raises OSError.
    """
    descriptor = handle.fileno()
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, begin, os.SEEK_SET)
    data = os.read(descriptor, end - begin)
    os.lseek(descriptor, position, os.SEEK_SET)
    return f"{zlib.crc32(data):08x}" if len(data) == end - begin else ""
