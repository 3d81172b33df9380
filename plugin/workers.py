"""Work over several processes that survives the death of one of them and ends at once when interrupted.

The standard pools do neither: one waits for ever for a task whose worker was killed, the other cannot be stopped in the middle of a task.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerDiedError(Exception):
    """The process that worked on a task ended without an answer: killed, or out of memory."""


def usable_cpus() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_each(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[tuple[int, Result | WorkerDiedError]]:
    """Yield (index of the task, its result) in the order in which they are done; at most ``jobs`` at a time.

    ``function`` must be a module's own function and must not raise. With one job, or one task, it runs in this process.
    """
    if jobs <= 1 or len(tasks) <= 1:
        for index, task in enumerate(tasks):
            yield index, function(task)
        return
    crew = _Crew(function)
    try:
        yield from crew.work(tasks, min(jobs, len(tasks)))
    finally:
        crew.stop()


class _Crew:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.context = get_context("spawn")
        self.members: dict[Connection, BaseProcess] = {}
        self.busy: dict[Connection, int] = {}

    def work(self, tasks: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
        todo = iter(enumerate(tasks))
        for _ in range(jobs):
            self._next(self._hire(), todo)
        while self.busy:
            for ready in cast(list[Connection], wait(list(self.busy))):
                index = self.busy.pop(ready)
                try:
                    result = ready.recv()
                except (EOFError, ConnectionError):
                    yield index, WorkerDiedError()
                    self._dismiss(ready)
                    self._next(self._hire(), todo)
                    continue
                yield index, result
                self._next(ready, todo)

    def _hire(self) -> Connection:
        ends: tuple[Any, Any] = self.context.Pipe()  # another type on Windows, with the same methods
        ours: Connection = ends[0]
        theirs: Connection = ends[1]
        process = self.context.Process(target=_serve, args=(theirs, os.getcwd(), self.function), daemon=True)
        with _interruption_held(), _away():
            process.start()
        theirs.close()
        self.members[ours] = process
        return ours

    def _next(self, member: Connection, todo: Iterator[tuple[int, Any]]) -> None:
        for index, task in todo:
            self.busy[member] = index
            # If it died while it was idle, receiving from it says so, and the task counts as lost.
            with suppress(BrokenPipeError, ConnectionError):
                member.send(task)
            return
        self._dismiss(member)

    def _dismiss(self, member: Connection) -> None:
        process = self.members.pop(member)
        member.close()
        process.join()
        process.close()

    def stop(self) -> None:
        for process in self.members.values():
            process.terminate()
        for member in list(self.members):
            self._dismiss(member)


@contextmanager
def _interruption_held() -> Generator[None]:
    """Ctrl-C reaches the whole process group: a worker that inherits this never sees it, the parent sees it after."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _away() -> Generator[None]:
    """Stand in the root folder: multiprocessing starts its processes by ``python -c``, which imports what lies where it
    stands before anything else, and where the user stands that is a repository's code.
    """
    before = os.getcwd()
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.chdir(before)


def _serve(channel: Connection, folder: str, function: Callable[[Any], Any]) -> None:
    os.chdir(folder)  # what is imported from here on is looked for where the parent looks
    # Where no mask could be inherited: the parent alone decides what Ctrl-C means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = channel.recv()
        except EOFError:
            return
        channel.send(function(task))
