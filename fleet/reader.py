"""The worker's side of the child process that reads logs: starts the child, sends it files, and ends it if it exceeds a limit."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from typing import Any, NamedTuple

from mind_skills.errors import LogError
from mind_skills.fleet import child
from mind_skills.fleet.rows import Row

START_SECONDS = 120.0
"""How long a child may take to start, including its imports."""
ATTEMPTS = 2
"""Attempts per log: a child may also end for a reason other than its log, such as a machine that is short of memory."""
_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from mind_skills.fleet.child import main; main()"
)


class _Answer(NamedTuple):
    """The rows of a file, or the ``reason`` that there are none: timeout, memory, worker_died or bug."""

    rows: list[Row]
    reason: str = ""


class LogReader:
    """A child process, started when first needed, that reads files in the order in which they are sent.

    Its standard input and output carry pickles. multiprocessing cannot be used: Dask's workers are daemonic processes by
    default, which it does not allow to have children.
    """

    def __init__(self, memory: int) -> None:
        """``memory`` is the number of bytes that the child may allocate."""
        self.memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: deque[tuple[child.Reader, child.Task]] = deque()

    def send(self, read: child.Reader, task: child.Task) -> None:
        """Send a file to the child. Only a few may be sent ahead of ``receive``, since a pipe holds 64 kB."""
        self._sent.append((read, task))
        if self._process is not None:
            self._write(self._sent[-1])

    def receive(self) -> list[Row]:
        """Wait for the rows of the file that was sent first.

        Raises LogError if it cannot be read, in which case the others still can, and RuntimeError if the child does not start.
        """
        reason = ""
        for _ in range(ATTEMPTS):
            if self._process is None:
                self._start()
            answer = self._read(self._sent[0][1].seconds)
            reason = answer.reason
            if not reason:
                self._sent.popleft()
                return answer.rows
            if reason == "bug":
                break
            self._end()
            if reason == "timeout":
                break
        _, task = self._sent.popleft()
        raise _make_failure(reason, task)

    def stop(self) -> None:
        """End the child and discard the files that it has not read."""
        self._sent.clear()
        self._end()

    def _start(self) -> None:
        """Start a child and send it the files that have no answer yet. Raises RuntimeError if the child does not start."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._write(sys.path)
        self._write((os.getpid(), self.memory))
        ready = self._read(START_SECONDS)
        if ready.reason:
            self._end()
            raise RuntimeError(f"the process that reads logs did not start: {ready.reason}")
        for request in self._sent:
            self._write(request)

    def _write(self, request: Any) -> None:
        if self._process is not None and self._process.stdin is not None:
            try:
                pickle.dump(request, self._process.stdin)
                self._process.stdin.flush()
            except OSError:
                return  # the child has ended, as the next read will find

    def _read(self, seconds: float) -> _Answer:
        process = self._process
        if process is None or process.stdout is None:
            return _Answer([], "worker_died")
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            answer = _Answer(*pickle.load(process.stdout))  # noqa: S301 -- from our own child
        except (EOFError, pickle.UnpicklingError):
            is_late = not timer.is_alive() or process.wait() == -getattr(signal, "SIGALRM", 0)
            return _Answer([], "timeout" if is_late else "worker_died")
        finally:
            timer.cancel()
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # there is unflushed data, and the child has ended
        process.wait()


def _make_failure(reason: str, task: child.Task) -> LogError:
    if reason == "timeout":
        return LogError(
            "timeout", f"{task.entry.uri} takes longer than {task.seconds:g} seconds", "Raise --time-limit."
        )
    if reason == "memory":
        return LogError("memory", f"{task.entry.uri} takes more memory than --memory allows", "Raise --memory.")
    if reason == "worker_died":
        return LogError(
            "worker_died",
            f"{task.entry.uri} crashes the process that reads it",
            "Inspect it with `mind-skills replay`.",
        )
    return LogError(
        "bug",
        f"{task.entry.uri} triggers a bug in a reader or detector",
        "Run `mind-skills replay` on it, and report the bug.",
    )
