"""A command on a pseudo-terminal: what a user sees, and types when prompted."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 60.0
"""Seconds without output after which a program counts as hung. Starting may take many seconds on a loaded machine."""
PROGRAM = "from mind_skills.plugin.cli import main; main()"


class Terminal:
    """A running command, used as a context manager; ``screen`` is its output so far.

    With ``errors=False``, output on stderr, such as a progress bar, is dropped.
    """

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        lines: int = 24,
        env: Mapping[str, str] | None = None,
        errors: bool = True,
    ) -> None:
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower if errors else subprocess.DEVNULL,
            env={**plain, "TERM": "dumb", "NO_COLOR": "1", **(env or {})},
            cwd=Path.cwd(),
            start_new_session=True,
        )
        os.close(follower)
        self.screen = ""
        self._typed = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.leader)

    def wait_for(self, end: str) -> None:
        """Read until the output since the last input ends with ``end``."""
        while len(self.screen) <= self._typed or not self.screen.endswith(end):
            assert self._read(), f"it ended without {end!r}:\n{self.screen}"

    def type(self, keys: str, after: str = "\n> ") -> None:
        """Type ``keys`` after the output ends with ``after``."""
        self.wait_for(after)
        self._typed = len(self.screen)
        os.write(self.leader, keys.encode())

    def finish(self) -> int:
        """Read the remaining output, and return the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        assert select.select([self.leader], [], [], PATIENCE)[0], f"no more output:\n{self.screen}"
        try:
            data = os.read(self.leader, 1 << 16)
        except OSError:  # the program has closed the other end
            return False
        self.screen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
