"""A process pool that survives the death of a worker and stops at once when interrupted; no standard pool does both."""

from __future__ import annotations

import gc
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
    """A worker process ended without a result: it was killed, or ran out of memory."""


def count_usable_cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_in_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[tuple[int, Result | WorkerDiedError]]:
    """Yield the index and result of each task as completed, in at most ``jobs`` processes; WorkerDiedError if one died.
    ``function`` is at module level and does not raise.
    """
    if jobs <= 1 or len(tasks) <= 1:
        for index, task in enumerate(tasks):
            yield index, function(task)
        return
    pool = _WorkerPool(function)
    try:
        yield from pool.work(tasks, min(jobs, len(tasks)))
    finally:
        pool.stop()


class _WorkerPool:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.context = get_context("spawn")
        self.processes: dict[Connection, BaseProcess] = {}
        self.tasks_by_connection: dict[Connection, int] = {}

    def work(self, tasks: Sequence[Any], jobs: int) -> Iterator[tuple[int, Any]]:
        pending_tasks = iter(enumerate(tasks))
        for _ in range(jobs):
            self._assign_next(self._start_process(), pending_tasks)
        while self.tasks_by_connection:
            for ready in cast(list[Connection], wait(list(self.tasks_by_connection))):
                index = self.tasks_by_connection.pop(ready)
                try:
                    result = ready.recv()
                except (EOFError, ConnectionError):
                    yield index, WorkerDiedError()
                    self._stop_process(ready)
                    self._assign_next(self._start_process(), pending_tasks)
                    continue
                yield index, result
                self._assign_next(ready, pending_tasks)

    def _start_process(self) -> Connection:
        ends: tuple[Any, Any] = self.context.Pipe()  # on Windows, the type is different but has the same methods
        parent_end: Connection = ends[0]
        child_end: Connection = ends[1]
        process = self.context.Process(
            target=_serve, args=(child_end, os.getcwd(), gc.get_threshold(), self.function), daemon=True
        )
        with _block_interrupts(), _in_root_folder():
            process.start()
        child_end.close()
        self.processes[parent_end] = process
        return parent_end

    def _assign_next(self, connection: Connection, pending_tasks: Iterator[tuple[int, Any]]) -> None:
        for index, task in pending_tasks:
            self.tasks_by_connection[connection] = index
            # If the process died while idle, receiving its result fails later.
            with suppress(ConnectionError):
                connection.send(task)
            return
        self._stop_process(connection)

    def _stop_process(self, connection: Connection) -> None:
        process = self.processes.pop(connection)
        connection.close()
        process.join()
        process.close()

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for connection in list(self.processes):
            self._stop_process(connection)


@contextmanager
def _block_interrupts() -> Generator[None]:
    """Block SIGINT in new processes: Ctrl-C reaches the whole process group, but only the parent should handle it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


@contextmanager
def _in_root_folder() -> Generator[None]:
    """Change to the root folder while a process starts: ``python -c`` would import from the working directory."""
    previous = os.getcwd()
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.chdir(previous)


def _serve(
    channel: Connection, folder: str, gc_threshold: tuple[int, int, int], function: Callable[[Any], Any]
) -> None:
    gc.set_threshold(*gc_threshold)  # with Python's own, a replay takes 2 % longer
    os.chdir(folder)  # relative paths in tasks refer to the parent's working directory
    # Only the parent handles Ctrl-C, even if the signal mask was not inherited.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = channel.recv()
        except EOFError:
            return
        channel.send(function(task))
