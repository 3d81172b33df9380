"""The watch as a real process: what it learns from every host's log, how it ends, and that nothing counts twice."""

from __future__ import annotations

import json
import signal
import time

import pytest

from tests.watch.machine import HOSTS, LESSON, OTHER, Machine

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"
pytestmark = pytest.mark.process


@pytest.mark.parametrize("host", HOSTS)
def test_a_watch_learns_from_the_log_of_every_host_without_hooks(real: Machine, host: str) -> None:
    real.find_log_path(host, FIRST).parent.mkdir(parents=True)
    real.watch(ended=1.0)
    real.write(host, FIRST)
    look = real.wait_for_inspection(FIRST)
    real.until(lambda event: event["event"] == "ended")
    assert (look["host"], look["project"], look["candidates"]) == (host, str(real.project), 1)
    assert [(each.kind, each.sessions) for each in real.pending()] == [("error_fix", (FIRST,))]
    assert real.is_finished(FIRST)
    assert real.stop() == 0


def test_a_watch_does_not_inspect_a_session_that_hooks_have_finished(real: Machine) -> None:
    log = real.write("claude-code", FIRST)
    for name in ("SessionStart", "Stop", "SessionEnd"):
        payload = {
            "session_id": FIRST,
            "transcript_path": str(log),
            "cwd": str(real.project),
            "hook_event_name": name,
        }
        done = real.run("hook", "claude-code", stdin=json.dumps({**payload, "source": "startup", "reason": "other"}))
        assert (done.returncode, done.stderr) == (0, "")
    real.eventually(lambda: real.is_finished(FIRST))
    before = real.counts()
    real.watch()
    real.write("claude-code", SECOND, OTHER)
    real.wait_for_inspection(SECOND)
    real.stop()
    with_the_other = real.counts()
    assert before["staged"] == 1
    assert with_the_other["staged"] == 2
    assert [event["session"] for event in real.seen if event["event"] == "looked"] == [SECOND]
    assert real.is_finished(FIRST)


def test_a_session_reported_by_hooks_and_a_watch_counts_once(real: Machine) -> None:
    real.watch(ended=1.0)
    log = real.write("claude-code", FIRST)
    real.wait_for_inspection(FIRST)
    for name in ("Stop", "SessionEnd"):
        payload = {
            "session_id": FIRST,
            "transcript_path": str(log),
            "cwd": str(real.project),
            "hook_event_name": name,
        }
        real.run("hook", "claude-code", stdin=json.dumps({**payload, "reason": "other"}))
    real.eventually(lambda: real.is_finished(FIRST))
    real.stop()
    assert real.counts()["staged"] == 1
    assert [each.sessions for each in real.pending()] == [(FIRST,)]


def test_a_watch_that_is_killed_and_restarted_loses_and_duplicates_nothing(real: Machine) -> None:
    real.watch(quiet=3600.0, longest=3600.0)  # so that it notices the log, but does not inspect it yet
    real.write("claude-code", FIRST)
    assert real.stop(signal.SIGKILL) == -signal.SIGKILL
    real.write("codex", SECOND, OTHER)  # while no watch is running
    real.watch()
    assert {real.until(lambda event: event["event"] == "looked")["session"] for _ in range(2)} == {FIRST, SECOND}
    assert real.stop(signal.SIGKILL) == -signal.SIGKILL
    before = real.counts()
    real.watch(ended=1.0)
    real.until(lambda event: event["event"] == "ended")
    assert real.stop() == 0
    assert real.counts()["staged"] == before["staged"] == 2


def test_a_watch_ends_cleanly_on_sigterm_and_sigint(real: Machine) -> None:
    real.watch()
    assert real.stop(signal.SIGTERM) == 0
    assert (real.errors, real.events.queue[-2]["event"]) == ("", "stopped")
    real.watch()
    assert real.stop(signal.SIGINT) == 130


def test_a_second_watch_is_refused_with_the_id_of_the_first(real: Machine) -> None:
    real.watch()
    assert real.process is not None
    done = real.run("watch", "--json")
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (1, "already_watching")
    assert error["message"].startswith(f"process {real.process.pid} has been watching since 20")
    assert real.json("watch", "--once")["watching"] == real.process.pid
    assert real.json("status")["watching"]["pid"] == real.process.pid
    real.stop()
    assert real.json("status")["watching"] is None


def test_a_log_that_is_written_steadily_is_inspected_nevertheless(real: Machine) -> None:
    path = real.find_log_path("claude-code", FIRST)
    path.parent.mkdir(parents=True)
    real.watch("--verbose", quiet=2.0, longest=2.5)
    lines = real.render_story("claude-code", FIRST).splitlines(keepends=True)
    real.append(path, "".join(lines))
    deadline = time.monotonic() + 60
    while not any(event["event"] == "looked" for event in real.seen):
        assert time.monotonic() < deadline, real.seen
        real.append(path, "\n")  # more often than every ``quiet`` seconds, so that the log is never quiet
        real.until(lambda event: event["event"] in ("noticed", "looked"))


def test_a_folder_that_is_moved_away_and_recreated_is_watched_again(real: Machine) -> None:
    real.watch()
    real.write("claude-code", FIRST)
    real.wait_for_inspection(FIRST)
    top = real.home / ".claude"
    top.rename(real.home / "elsewhere")
    real.write("claude-code", SECOND, OTHER)
    real.wait_for_inspection(SECOND)
    third = SECOND[:-1] + "3"
    real.write("claude-code", third, LESSON)
    real.wait_for_inspection(third)


def test_a_rotated_log_is_noticed_under_its_name(real: Machine) -> None:
    real.watch("--verbose")
    path = real.write("claude-code", FIRST)
    real.wait_for_inspection(FIRST)
    path.rename(path.with_suffix(".old"))
    new = path.with_suffix(".new")
    new.write_text(real.render_story("claude-code", FIRST, OTHER) + "\n" * 100)
    new.rename(path)
    assert real.until(lambda event: event["event"] == "noticed")["path"] == str(path)


def test_a_polling_watch_finds_new_logs_without_events(real: Machine) -> None:
    started = real.watch("--poll")
    real.write("claude-code", FIRST)
    assert (started["polling"], real.wait_for_inspection(FIRST)["candidates"]) == (True, 1)
    assert real.json("status")["watching"]["polling"] is True
