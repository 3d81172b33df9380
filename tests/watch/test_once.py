"""`watch --once` ends even if a log is never free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mind_skills.watch.schedule import Job, Schedule, Settings
from mind_skills.watch.watched_files import Item
from mind_skills.watch.watcher import MAX_TOTAL_WAIT, Clock, inspect_due


class WaitingClock(Clock):
    """A clock on which time passes only while something waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def wait(self, descriptors: list[int], seconds: float) -> list[int]:
        self.now += seconds
        return []


class BlockedWorker:
    """A worker that always finds another one working on the log, and answers at once."""

    is_busy = False

    def __init__(self, clock: WaitingClock) -> None:
        self.clock = clock
        self.asked: list[float] = []

    def start(self, jobs: list[Any], *, paced: bool) -> None:
        assert not paced
        self.asked.append(self.clock.now)


@pytest.mark.parametrize("again", [0.1, 2.0])
def test_a_log_that_is_never_free_is_retried_for_ten_seconds_and_left_in_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: float
) -> None:
    clock = WaitingClock()
    schedule = Schedule(str(tmp_path), Settings(0.0, 0.0, 1800.0), lambda event: None)
    worker = BlockedWorker(clock)
    log = Item("log", str(tmp_path / "s.jsonl"))
    schedule.queue.hasten(log, clock.now, 0.0)

    def take(now: float) -> list[Job]:
        schedule.queue.take_due(now, 9)
        schedule.queue.postpone(log, now, again, 0)
        return [Job(log, 0, None)]

    monkeypatch.setattr(schedule, "take_jobs", take)
    inspect_due(schedule, worker, clock)  # type: ignore[arg-type]
    assert clock.now - 1000.0 <= MAX_TOTAL_WAIT
    assert clock.now - 1000.0 > MAX_TOTAL_WAIT - 2 * again
    assert len(worker.asked) == pytest.approx(MAX_TOTAL_WAIT / again, abs=2)
    assert schedule.queue.find_next_due_time() is not None
