"""The child process that reads logs for a worker of the scan, so that a log that crashes it does not affect the others.

Its memory is limited on Linux. Its parent enforces the time limit per log (reader.py); except on Windows, an alarm ends the
child if the parent does not. The child also exits when its parent dies, even in the middle of a log.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.fleet.listing import Entry
from mind_skills.fleet.rows import Row, make_failed_row, make_session_row
from mind_skills.observations.find_logs import explain_empty_log, find_logs
from mind_skills.observations.readers import codex_subagents
from mind_skills.staging.analyse import analyse

GRACE_SECONDS = 5.0
"""Seconds after the time limit at which the alarm ends the child. Its parent should have ended it by then."""
POLL_SECONDS = 0.5


class Task(NamedTuple):
    """A file to read, within ``seconds``. ``path`` is the file itself, or the temporary copy of an object in cloud storage."""

    entry: Entry
    path: str
    seconds: float
    key: bytes
    rules: bool
    with_titles: bool


Reader = Callable[[Task], list[Row]]
"""The function that a child runs for a task: ``read_file``, or a test's function in a module that the child can import."""


def main() -> None:
    """Run the pickled tasks that reader.py writes to standard input, until the input ends or memory is exhausted."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything that a reader prints goes to stderr, so that it cannot corrupt the answers
    parent, memory = pickle.load(requests)  # noqa: S301 -- from our own parent
    prepare_child(parent, memory)
    answer: tuple[list[Row], str] = ([], "")
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


def _run_task(read: Reader, task: Task) -> tuple[list[Row], str]:
    try:
        return run_with_alarm(read, task), ""
    except MemoryError:
        return [], "memory"
    except Exception:  # noqa: BLE001 -- a bug in one reader or detector must not end the scan; `replay` shows its report
        return [], "bug"


def prepare_child(parent: int, memory: int) -> None:
    """Ignore Ctrl-C, limit memory to ``memory`` further bytes, and exit once the process ``parent`` has died."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _limit_memory(memory)
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def run_with_alarm(read: Reader, task: Task) -> list[Row]:
    """Run ``read``. The kernel ends this process if that takes ``GRACE_SECONDS`` longer than the task allows."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, task.seconds + GRACE_SECONDS)
    try:
        return read(task)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def read_file(task: Task) -> list[Row]:
    """Return a row for each session of a file, and one for each error that prevented a session from being read.

    The log of a Codex subagent that is read together with its parent's has no rows, unless the user named it. Raises
    MemoryError, and whatever a bug in a reader or detector raises.
    """
    path = Path(task.path)
    if not task.entry.is_named and codex_subagents.is_subagent_log(path):
        return []
    sources = find_logs([task.path])
    rows = [_make_failed_row(task, failure) for _, failure in sources.errors]
    for log in sources.logs:
        try:
            analysis = analyse(log.path, format_name=log.format, include_waiting=False, rules=task.rules)
            problem = explain_empty_log(log, analysis.session, analysis.observation_count)
        except LogError as failure:
            problem = failure
        else:
            if problem is None:
                rows.append(make_session_row(task.entry, task.key, log, analysis, with_titles=task.with_titles))
        if problem is not None:
            rows.append(_make_failed_row(task, problem))
    return rows


def _make_failed_row(task: Task, failure: LogError) -> Row:
    return make_failed_row(task.entry, task.key, failure, with_titles=task.with_titles)


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
