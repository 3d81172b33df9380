from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.store.process_pool import WorkerDiedError, run_in_processes

pytestmark = pytest.mark.process

INTERRUPTIBLE = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where these tests run behind nohup or a script's &
from mind_skills.store.process_pool import run_in_processes

work = run_in_processes(time.sleep, [0, 3600], 2)
try:
    next(work)
    print("ready", flush=True)
    next(work)
except KeyboardInterrupt:
    work.close()
    print("interrupted")
"""


PATIENCE = 120
"""Seconds; only reached if something hangs."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """No wait in these tests, on a pipe or for a process, lasts forever."""

    def over(*_: object) -> None:
        raise TimeoutError(f"still waiting after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def double(number: int) -> int:
    return 2 * number


def die_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def mark_and_wait(path: str) -> int:
    Path(path).write_text(str(os.getpid()), encoding="utf-8")
    signal.pause()
    return 0


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_done_once_and_named_by_its_index(jobs: int) -> None:
    assert sorted(run_in_processes(double, range(10), jobs)) == [(number, 2 * number) for number in range(10)]


def test_an_empty_list_of_tasks_gives_no_results() -> None:
    assert list(run_in_processes(double, [], 4)) == []


def test_the_death_of_a_worker_loses_only_its_own_task() -> None:
    results = dict(run_in_processes(die_at_three, range(8), 2))
    assert isinstance(results.pop(3), WorkerDiedError)
    assert results == {number: number for number in range(8) if number != 3}


def test_stopping_early_ends_the_processes_that_are_working(tmp_path: Path) -> None:
    marks = [tmp_path / "a", tmp_path / "b"]
    os.mkfifo(marks[1])
    work = run_in_processes(first_ends, [str(mark) for mark in marks], 2)
    assert next(work) == (0, 0)
    pid = int(marks[1].read_text(encoding="utf-8"))
    assert alive(pid)
    work.close()
    assert not alive(pid)


def test_an_interrupt_of_the_whole_process_group_reaches_only_the_parent() -> None:
    command = [sys.executable, "-c", INTERRUPTIBLE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == b"ready\n"
            os.killpg(child.pid, signal.SIGINT)
            assert (*child.communicate(), child.returncode) == (b"interrupted\n", b"", 0)
        finally:
            if child.poll() is None:  # else leaving the block would wait for it
                os.killpg(child.pid, signal.SIGKILL)


def first_ends(path: str) -> int:
    return 0 if path.endswith("a") else mark_and_wait(path)
