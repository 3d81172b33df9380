"""Recovery: one log never blocks another, and no session is given up because of a transient error."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.errors import BusyDatabaseError, LogError
from mind_skills.hooks.recover import is_over, recover_sessions
from mind_skills.hooks.session_state import ENDING, UNANSWERED, SessionMarkers, announce_end, list_markers
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import MAX_ATTEMPTS
from mind_skills.store import processes
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, rereading
from tests.testkit.paths import ROOT

HOUR = 3_600_000
Read = Callable[[Path], Analysis]
TRANSIENT = [
    OSError(errno.EMFILE, "Too many open files"),
    OSError(errno.ENOSPC, "No space left on device"),
    MemoryError(),
    LogError("unreadable", "Input/output error", ""),
    BusyDatabaseError("held by other processes"),
    RuntimeError("a fault of ours"),
]


def failing(error: Exception) -> Read:
    def read(path: Path) -> Analysis:
        raise error

    return read


def counting(read: Read, into: list[str]) -> Read:
    def read_and_count(path: Path) -> Analysis:
        into.append(path.stem)
        return read(path)

    return read_and_count


@pytest.mark.parametrize("error", TRANSIENT, ids=lambda error: repr(error)[:40])
def test_a_transient_error_leaves_a_session_open_for_the_next_start(world: World, error: Exception) -> None:
    world.tell("A starts\nA learns x")
    (problem,) = recover_sessions(world.home, world.now + HOUR, analyse_log=failing(error))
    assert (type(error).__name__ in problem, world.unfinished()) == (True, ["A"])
    assert recover_sessions(world.home, world.now + HOUR, analyse_log=world.read) == []
    assert (world.unfinished(), world.pending()) == ([], {"x": False})


@pytest.mark.parametrize("code", ["unknown_format", "no_permission", "directory", "too_large"])
def test_a_log_that_is_permanently_unreadable_closes_its_session_at_once(world: World, code: str) -> None:
    world.tell("A starts\nA answers")
    problems = recover_sessions(world.home, world.now + HOUR, analyse_log=failing(LogError(code, "no", "")))
    assert (problems, world.unfinished()) == (["session A could not be recovered: LogError: no"], [])


def test_three_failed_attempts_close_a_session_with_one_message_and_settle_its_offer(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers")
    reads: list[str] = []
    read = counting(failing(OSError(errno.EIO, "Input/output error")), reads)
    reports = [
        recover_sessions(world.home, world.now + 24 * HOUR + turn, analyse_log=read) for turn in range(MAX_ATTEMPTS + 2)
    ]
    yet = "session B could not be recovered yet: OSError: [Errno 5] Input/output error"
    given_up = "session B could not be recovered: LogError: gave up after 3 failed attempts to read its log"
    assert reports == [[yet], [yet], [yet], [given_up], []]
    assert (reads, world.unfinished(), world.history(), world.pending()) == (["B"] * 3, [], {"x": "ignored"}, {})


@pytest.mark.process
def test_a_log_that_kills_its_reader_does_not_prevent_recovery_of_other_sessions(world: World) -> None:
    world.tell("P starts\nP answers\nA starts\nA learns x\nQ starts\nQ answers")
    code = """if True:
        import os, sys
        from pathlib import Path
        from tests.hooks.lifecycle_world import lessons
        from mind_skills.hooks.recover import recover_sessions

        def read(path):
            if path.stem in "PQ":
                os._exit(9)  # as the system ends a process that works for too long, or takes too much memory
            return lessons(path)

        print(recover_sessions(sys.argv[1], int(sys.argv[2]), analyse_log=read))
    """
    line = [sys.executable, "-c", code, world.home, str(world.now + HOUR)]
    done = [subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT) for _ in range(8)]
    assert [one.returncode for one in done] == [9] * 6 + [0, 0]
    assert done[6].stdout.count("could not be recovered: LogError") == 2
    assert (world.unfinished(), world.pending()) == ([], {"x": False})
    with Ledger.open(world.home) as ledger:
        found = {name: ledger.find_session(name) for name in "PAQ"}
    assert {name: seen and seen.attempts for name, seen in found.items()} == {"P": 3, "A": 1, "Q": 3}


def test_a_checkpoint_leaves_the_last_attempt_to_the_end(world: World) -> None:
    world.tell("A starts\nA learns x")
    from mind_skills.hooks.idle import run_checkpoint

    for turn in range(MAX_ATTEMPTS - 1):
        world.now += 120_000
        with pytest.raises(OSError, match=f"turn {turn}"):
            run_checkpoint(
                world.home,
                world.make_call("A"),
                analyse_increment=rereading(failing(OSError(errno.EIO, f"turn {turn}"))),
            )
    world.now += 120_000
    assert (
        run_checkpoint(
            world.home, world.make_call("A"), analyse_increment=rereading(failing(OSError(errno.EIO, "read again")))
        )
        == []
    )
    world.tell("A ends")
    assert (world.reads, world.pending()) == (["A"], {"x": False})


def test_successful_attempts_do_not_count_towards_the_limit(world: World) -> None:
    world.tell("A starts")
    for _ in range(2 * MAX_ATTEMPTS):
        world.tell("A answers\nlater A idles")
    world.tell("A learns x\nA ends")
    assert world.pending() == {"x": False}


def test_an_empty_log_does_not_count_as_a_failed_attempt(world: World) -> None:
    world.tell("A starts")
    world.log("A").touch()
    world.tell("later A idles\nlater A idles\nlater A idles\nA learns x\nlater A idles")
    assert world.pending() == {"x": False}


def test_an_offer_of_a_start_that_died_before_registering_is_made_again_after_half_a_day(world: World) -> None:
    world.tell("A learns x\nA ends\nB answers\nB ends")
    call = world.make_call("B", "resume")
    from mind_skills.hooks.start import handle_session_start

    assert handle_session_start(world.home, call) is not None  # and the hook dies: nobody registers the session
    SessionMarkers(world.home, "B", next(iter(Path(world.home, UNANSWERED).iterdir())).name).unanswered.remove()
    assert world.tell("C starts") == ["-"]
    world.now += 13 * HOUR
    assert world.tell("D starts\nE starts") == ["-", "x"]


def test_growth_after_the_end_is_learned_from_even_if_the_project_waits_for_longer_than_a_day(world: World) -> None:
    world.tell("A starts\nA answers\nA ends\nA learns x")
    assert recover_sessions(world.home, world.now + HOUR, analyse_log=world.read, is_active=lambda _: False) == []
    assert (world.unfinished(), world.pending()) == (["A"], {})
    assert recover_sessions(world.home, world.now + 48 * HOUR, analyse_log=world.read) == []
    assert (world.unfinished(), world.pending()) == ([], {"x": False})


class TestOver:
    """Whether a session is over: its process shows it if that can be checked, else silence does."""

    def is_session_over(self, world: World, session: str = "A") -> bool:
        with Ledger.open(world.home) as ledger:
            seen = ledger.find_session(session)
        assert seen is not None
        return is_over(world.home, seen, world.now)

    def test_a_session_is_over_at_once_if_its_process_on_this_machine_is_dead(self, world: World) -> None:
        world.tell("A runs\nA starts\nA answers\nA dies")
        assert self.is_session_over(world)

    def test_a_process_number_of_another_container_does_not_end_a_session_with_a_fresh_log(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.tell("A runs\nA starts\nA answers")
        monkeypatch.setattr(processes, "_read_namespace", lambda: "another boot pid:[1]")
        world.tell("A dies")
        assert not self.is_session_over(world)
        world.now += HOUR
        assert self.is_session_over(world)

    def test_a_live_process_here_does_not_keep_a_session_of_another_container_open(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.tell("A runs\nA starts\nA answers")
        monkeypatch.setattr(processes, "_read_namespace", lambda: "another boot pid:[1]")
        world.now += HOUR
        assert self.is_session_over(world)

    def test_a_session_resumed_by_an_unknown_process_is_not_judged_by_its_former_process(self, world: World) -> None:
        world.tell("A runs\nA starts\nA answers\nA dies")
        world.pids.clear()
        world.tell("A starts resume")
        assert not self.is_session_over(world)

    def test_a_session_registered_in_another_container_keeps_its_recorded_process(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from mind_skills.hooks.recover import register_missed_sessions

        world.tell("A runs\nA starts\nA answers")
        before = SessionMarkers(world.home, "A").running.read()
        monkeypatch.setattr(processes, "_read_namespace", lambda: "another boot pid:[1]")
        world.tell("A dies")
        register_missed_sessions(world.home, [world.make_call("A")])
        assert SessionMarkers(world.home, "A").running.read() == before


def test_an_announced_end_of_an_unregistered_session_is_forgotten_after_ten_minutes(world: World) -> None:
    place = resolve_project(str(world.project)).id
    for name, age in (("died", 601), ("reads", 599)):
        announce_end(world.home, world.make_call(name))
        at = (world.now + 1_000) / 1000 - age
        os.utime(SessionMarkers(world.home, name, place).ending.path, (at, at))
    world.tell("A starts")
    assert list_markers(world.home, ENDING, place) == [SessionMarkers(world.home, "reads", place).ending.path]
