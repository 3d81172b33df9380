"""How each log was when it was last looked at: 16 bytes a log, kept over the end of the process.

It says only what need not be looked at again. Losing it costs looks that find nothing new, never a learning: what was
learned, and from how much of a log, stands in the database.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from struct import Struct

from mind_skills.store.home import FILE_MODE, ensure

FOLDER, NAME = "watch", "known"
_HEAD = b"mind-skills watch 1\n"
_PAIR = Struct("<QQ")
MOST = 1_000_000
"""Logs; more are forgotten, and looked at again."""


class Known:
    """By a digest of each log's path, a digest of its state; or a number that is kept for a name."""

    def __init__(self, home: str) -> None:
        """``home`` is the state folder. Nothing is read yet."""
        self._path = os.path.join(home, FOLDER, NAME)
        self._states: dict[int, int] = {}
        self.changed = False

    def __len__(self) -> int:
        return len(self._states)

    def load(self) -> bool:
        """Read what was saved; False where there is nothing, or nothing that can be read: then nothing is known."""
        try:
            with open(self._path, "rb") as file:
                data = file.read(len(_HEAD) + MOST * _PAIR.size)
        except OSError:
            return False
        body = data[len(_HEAD) :]
        if not data.startswith(_HEAD) or len(body) % _PAIR.size:
            return False
        self._states = dict(_PAIR.iter_unpack(body))
        return True

    def save(self) -> None:
        """Write it, in one step; nothing is synced, since it may be lost. Raises OSError, HomeError."""
        ensure(os.path.dirname(self._path))
        temporary = f"{self._path}.{os.getpid()}"
        data = b"".join((_HEAD, *(_PAIR.pack(*pair) for pair in self._states.items())))
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise
        self.changed = False

    def state(self, name: str) -> int | None:
        """What is kept for a path or a name."""
        return self._states.get(key(name))

    def put(self, name: str, state: int) -> None:
        """Keep ``state`` (64 bits) for a path or a name."""
        number = key(name)
        if self._states.get(number) != state:
            self._states[number] = state
            self.changed = True

    def keep_only(self, keys: Iterable[int]) -> None:
        """Forget every path whose ``key`` is not among these."""
        wanted = set(keys)
        if len(self._states) > len(wanted) or len(self._states) > MOST:
            self._states = {number: state for number, state in self._states.items() if number in wanted}
            self.changed = True


def key(name: str) -> int:
    """The number that stands for a path or a name."""
    return int.from_bytes(blake2b(os.fsencode(name), digest_size=8).digest(), "little")


def fold(*numbers: int) -> int:
    """Several numbers as one of 64 bits: inode, size and mtime of a file as its state."""
    return hash(numbers) & 0xFFFF_FFFF_FFFF_FFFF  # of integers alone, which no seed changes
