"""`watch --once` ends, whatever stands in its way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mind_skills.watch import once as module
from mind_skills.watch.known import Known
from mind_skills.watch.noticing import Noticing, Settings
from mind_skills.watch.places import Log


class Clock:
    """Time that passes where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class InTheWay:
    """A worker that finds another one at work on the log, each time; its answers come at once."""

    busy = False

    def __init__(self, clock: Clock, again: float) -> None:
        self.clock, self.again = clock, again
        self.open: set[int] = set()
        self.jobs: list[Any] = []
        self.asked: list[float] = []

    def start(self, jobs: list[Any], details: list[dict[str, Any]], *, paced: bool) -> None:
        assert not paced
        self.asked.append(self.clock.now)
        self.jobs = jobs


@pytest.mark.parametrize("again", [0.1, 2.0])
def test_a_log_that_is_never_free_is_waited_for_ten_seconds_and_then_left_for_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: float
) -> None:
    clock = Clock()
    noticing = Noticing(Known(str(tmp_path)), Settings(0.0, 0.0, 1800.0), lambda event: None)
    worker = InTheWay(clock, again)
    monkeypatch.setattr(module, "time", clock)
    log = Log("log", str(tmp_path / "s.jsonl"))
    noticing.paces.within(log, clock.now, 0.0)

    def take(now: float) -> tuple[list[Any], list[dict[str, Any]]]:
        noticing.paces.take(now, 9)
        noticing.paces.later(log, now, again, 0)
        return [(log, 0, None)], [{}]

    monkeypatch.setattr(noticing, "take", take)
    module._done(noticing, worker)  # type: ignore[arg-type]
    assert clock.now - 1000.0 <= module.HORIZON
    assert clock.now - 1000.0 > module.HORIZON - 2 * again
    assert len(worker.asked) == pytest.approx(module.HORIZON / again, abs=2)
    assert noticing.paces.next() is not None
