"""The child process that reads logs for a worker of the scan, limited in memory (Linux) and time, so that a log that
crashes it does not affect others. It exits with the worker, even in the middle of a log.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.errors import LogError
from mind_skills.fleet.folder import make_findings_version
from mind_skills.fleet.listing import Entry
from mind_skills.fleet.rows import Row, make_failed_row, make_session_row
from mind_skills.observations.find_logs import explain_empty_log, find_logs, is_subagent_log
from mind_skills.staging.analyse import analyse

GRACE_SECONDS = 5.0
"""Seconds after the time limit at which the alarm ends the child. Its parent should have ended it by then."""
POLL_SECONDS = 0.5
START_SECONDS = 120.0
"""How long a child may take to start, including its imports."""
ATTEMPTS = 2
"""Attempts per log: a child may also end for a reason other than its log, such as a machine that is short of memory."""
_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from mind_skills.fleet.child import main; main()"
)


class Task(NamedTuple):
    """A file to read, within ``seconds``. ``path`` is the file itself, or the temporary copy of an object in cloud storage."""

    entry: Entry
    path: str
    seconds: float
    key: bytes
    with_titles: bool


Reader = Callable[[Task], list[Row]]
"""The function that a child runs for a task: ``read_file``, or a test's function in a module that the child can import."""
Answer = tuple[list[Row], str]
"""The rows of a file, and the reason if there are none: timeout, memory, worker_died, unreadable or bug."""


def main() -> None:
    """Run the pickled tasks on standard input until it ends or memory is exhausted. The first answer has this program's
    version.
    """
    try:
        _answer_requests()
    except BrokenPipeError:  # the worker has died
        os._exit(1)


def _answer_requests() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything that a reader prints goes to stderr, so that it cannot corrupt the answers
    parent, memory = pickle.load(requests)  # noqa: S301 -- from our own parent
    _prepare_child(parent, memory)
    answer: Answer = ([{"version": make_findings_version()}], "")
    while answer[1] != "memory":  # the remaining memory may not be enough for the next file
        pickle.dump(answer, answers)
        answers.flush()
        try:
            read, task = pickle.load(requests)  # noqa: S301
        except EOFError:
            return
        answer = _run_task(read, task)
    pickle.dump(answer, answers)
    answers.flush()


def _run_task(read: Reader, task: Task) -> Answer:
    """Run ``read``. The kernel ends this process if that takes ``GRACE_SECONDS`` longer than the task allows."""
    _set_alarm(task.seconds + GRACE_SECONDS)
    try:
        return read(task), ""
    except MemoryError:
        return [], "memory"
    except OSError:
        return [], "unreadable"
    except Exception:  # noqa: BLE001 -- a bug in one reader or detector must not end the scan; `replay` shows its report
        return [], "bug"
    finally:
        _set_alarm(0)


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _prepare_child(parent: int, memory: int) -> None:
    """Ignore Ctrl-C, limit memory to ``memory`` further bytes, and exit once the process ``parent`` has died."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _limit_memory(memory)
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def read_file(task: Task) -> list[Row]:
    """Return a row for each session of a file, and for each error; none for a subagent's log read with its parent's,
    unless it was named. Raises MemoryError, and whatever a bug raises.
    """
    path = Path(task.path)
    if not task.entry.is_named and is_subagent_log(path):
        return []
    sources = find_logs([task.path])
    rows = [
        make_failed_row(task.entry, task.key, failure, with_titles=task.with_titles) for _, failure in sources.errors
    ]
    for log in sources.logs:
        try:
            analysis = analyse(log.path, format_name=log.format)
            problem = explain_empty_log(log, analysis.session, analysis.observation_count)
        except LogError as failure:
            problem = failure
        else:
            if problem is None:
                rows.append(make_session_row(task.entry, task.key, log, analysis, with_titles=task.with_titles))
        if problem is not None:
            rows.append(make_failed_row(task.entry, task.key, problem, with_titles=task.with_titles))
    if path.exists() and path.stat().st_size < task.entry.size:
        raise OSError(f"{path} is shorter than when it was listed")
    return rows


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return  # macOS ignores the limit
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    address_space = pages * resource.getpagesize() + limit
    resource.setrlimit(
        resource.RLIMIT_AS, (address_space if hard == resource.RLIM_INFINITY else min(address_space, hard), hard)
    )


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


class LogReader:
    """A child process, started when first needed, that reads files in the order in which they are sent. Dask's daemonic
    workers cannot use multiprocessing.
    """

    def __init__(self, memory: int) -> None:
        """``memory`` is the number of bytes that the child may allocate."""
        self.memory = memory
        self.version = ""
        """What the child reads logs with (folder.make_findings_version): its program may be newer than this process's."""
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: deque[tuple[Reader, Task]] = deque()

    def send(self, read: Reader, task: Task) -> None:
        """Send a file to the child. Only a few may be sent ahead of ``receive``, since a pipe holds 64 kB."""
        self._sent.append((read, task))
        if self._process is not None:
            self._write(self._sent[-1])

    def receive(self) -> list[Row]:
        """Wait for the rows of the file sent first. Raises LogError if it cannot be read, RuntimeError if the child
        does not start.
        """
        reason = ""
        for _ in range(ATTEMPTS):
            if self._process is None:
                self._start()
            rows, reason = self._read(self._sent[0][1].seconds)
            if not reason:
                self._sent.popleft()
                return rows
            if reason in ("bug", "unreadable"):
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
        rows, reason = self._read(START_SECONDS)
        if reason:
            self._end()
            raise RuntimeError(f"the process that reads logs did not start: {reason}")
        self.version = rows[0]["version"]
        for request in self._sent:
            self._write(request)

    def _write(self, request: Any) -> None:
        if self._process is not None and self._process.stdin is not None:
            try:
                pickle.dump(request, self._process.stdin)
                self._process.stdin.flush()
            except OSError:
                return  # the child has ended, as the next read will find

    def _read(self, seconds: float) -> Answer:
        process = self._process
        if process is None or process.stdout is None:
            return [], "worker_died"
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            answer: Answer = pickle.load(process.stdout)  # noqa: S301 -- from our own child
        except (EOFError, pickle.UnpicklingError):
            is_late = not timer.is_alive() or process.wait() == -getattr(signal, "SIGALRM", 0)
            return [], "timeout" if is_late else "worker_died"
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


def _make_failure(reason: str, task: Task) -> LogError:
    problem, hint = _FAILURES[reason]
    return LogError(reason, f"{task.entry.uri} {problem.format(seconds=task.seconds)}", hint)


_FAILURES = {
    "timeout": ("takes longer than {seconds:g} seconds", "Raise --time-limit."),
    "memory": ("takes more memory than --memory allows", "Raise --memory."),
    "worker_died": ("crashes the process that reads it", "Inspect it with `mind-skills replay`."),
    "unreadable": ("cannot be read", "Check the file and its disk."),
    "bug": ("triggers a bug in a reader or detector", "Run `mind-skills replay` on it, and report the bug."),
}
"""What is wrong with a log, and what to do, by the reason."""
