"""The one process that looks, from its start to its last answer; while it is at work everything else waits its turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from mind_skills.plugin import command
from mind_skills.watch.places import Log

TOO_MUCH = 8 << 20
"""Bytes of answers that are taken from one process."""


class Worker:
    """At most one process at a time. ``descriptor`` is readable when it has said something; -1 while there is none."""

    def __init__(self, home: str, ended: int) -> None:
        """``home`` is the state folder, ``ended`` the milliseconds of silence after which a session is over."""
        self._home, self._ended = home, ended
        self._process: subprocess.Popen[bytes] | None = None
        self._said = b""
        self.jobs: list[tuple[Log, int, int | None]] = []
        """What it was asked for: each with the tries before, and the state it was in."""
        self.open: set[int] = set()
        """The numbers of those that it has not answered."""

    @property
    def descriptor(self) -> int:
        """Where it speaks."""
        return -1 if self._process is None or self._process.stdout is None else self._process.stdout.fileno()

    @property
    def busy(self) -> bool:
        """Whether it is at work."""
        return self._process is not None

    def start(self, jobs: list[tuple[Log, int, int | None]], details: list[dict[str, Any]], *, paced: bool) -> None:
        """Have these done. Raises OSError where no process can be started: the system is out of them, or of memory."""
        form = {"home": self._home, "ended": self._ended, "paced": paced, "jobs": details}
        line = [sys.executable, *command.alone(), "-m", "mind_skills.watch.looking"]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        # A session of its own: what is typed on a terminal ends the watch, which then lets its worker finish.
        process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True, cwd=os.sep)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(form).encode())
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has died at once, which its silence will say
        os.set_blocking(process.stdout.fileno(), False)
        self._process, self._said = process, b""
        self.jobs, self.open = jobs, set(range(len(jobs)))

    def heard(self) -> list[dict[str, Any]]:
        """The answers that have come; at the end of the last one the process is collected."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        data = os.read(process.stdout.fileno(), 1 << 16)
        self._said += data
        *lines, self._said = self._said.split(b"\n")
        answers: list[dict[str, Any]] = []
        for text in lines:
            answer: dict[str, Any] = json.loads(text)
            self.open.discard(int(answer["job"]))
            answers.append(answer)
        if not data or len(self._said) > TOO_MUCH:
            process.stdout.close()
            process.wait()
            self._process = None
        return answers

    def stop(self) -> None:
        """End it, if it is still at work. What it has not answered is looked at another time."""
        process, self._process = self._process, None
        if process is not None and process.stdout is not None:
            process.kill()
            process.wait()
            process.stdout.close()
