"""Nothing is lost and nothing counts twice: bursts, and a watch that is killed again and again."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.watch.machine import HOSTS, LESSON, OTHER, Event, Machine

pytestmark = pytest.mark.process


def make_session_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def list_learned(real: Machine) -> list[tuple[str, tuple[str, ...]]]:
    """Each pending candidate with the sessions in which it was seen, and how often each was staged."""
    with Ledger.open(real.state) as ledger:
        found = ledger.list_pending(resolve_project(project_folder=str(real.project)))
        staged = [receipt.candidate for receipt in ledger.list_receipts() if receipt.event == "staged"]
    return sorted((each.fingerprint, tuple(sorted(each.sessions))) for each in found) + [
        (id_, (str(staged.count(id_)),)) for id_ in sorted(set(staged))
    ]


def test_every_byte_is_read_after_a_burst_of_appends_to_many_logs(real: Machine) -> None:
    logs = [real.write("claude-code", make_session_id(number)) for number in range(20)]
    for log in logs:
        os.utime(log, (1_600_000_000, 1_600_000_000))  # ended long ago, until the burst
    real.watch(quiet=0.2, longest=1.0)
    descriptors = [os.open(log, os.O_WRONLY | os.O_APPEND) for log in logs]
    for number in range(4_000):
        os.write(descriptors[number % len(logs)], b"\n")
    for descriptor in descriptors:
        os.close(descriptor)

    def is_every_byte_read() -> bool:
        with Ledger.open(real.state) as ledger:
            seen = [ledger.find_session(log.stem) for log in logs]
        return [each.size if each else 0 for each in seen] == [log.stat().st_size for log in logs]

    real.run("config", "set", "idle_seconds", "10")
    real.eventually(is_every_byte_read)
    assert real.stop() == 0


def _is(wanted: str) -> Callable[[Event], bool]:
    return lambda event: event["event"] == wanted


def test_a_watch_that_is_killed_repeatedly_learns_the_same_as_one_inspection_at_the_end(real: Machine) -> None:
    number = 0
    for killed_at in ("started", "noticed", "looked", "noticed", "looked"):
        real.watch("--verbose", ended=1.0)
        for host in HOSTS:
            number += 1
            real.write(host, make_session_id(number), LESSON if number % 3 else OTHER)
        if killed_at != "started":
            real.until(_is(killed_at))
        assert real.stop(signal.SIGKILL) == -signal.SIGKILL
    real.watch(ended=1.0)
    real.eventually(lambda: all(real.is_finished(make_session_id(each + 1)) for each in range(number)))
    assert real.stop() == 0
    seen = list_learned(real)
    real.state.rename(real.state.with_name("first"))
    real.json("watch", "--once")
    assert seen == list_learned(real)
    assert sum(len(sessions) for _, sessions in seen[:2]) == number
