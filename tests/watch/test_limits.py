"""Limits of the system: too few watches, no inotify, dropped events, clocks that jump."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.watch.file_events import OVERFLOW, FileEvents, count_unwatched
from mind_skills.watch.schedule import Schedule, Settings
from mind_skills.watch.watched_files import Root, list_folders, list_roots
from mind_skills.watch.watcher import Watcher
from tests.watch.machine import Machine, can_limit, limit_command

FIRST = "00000000-0000-4000-8000-0000000000a1"


@pytest.mark.process
@pytest.mark.parametrize(("setting", "value"), [("max_inotify_watches", 3), ("max_inotify_instances", 0)])
def test_a_watch_polls_and_reports_it_if_an_inotify_limit_is_reached_at_its_start(
    real: Machine, setting: str, value: int
) -> None:
    if not can_limit():
        pytest.skip("needs user namespaces")
    for number in range(5):
        (real.home / ".claude" / "projects" / f"p{number}").mkdir(parents=True)
    started = real.watch(before=limit_command(setting, value))
    real.write("claude-code", FIRST)
    look = real.wait_for_inspection(FIRST)
    (problem,) = [event["message"] for event in real.seen if event["event"] == "problem"]
    assert (started["polling"], look["candidates"]) == (True, 1)
    assert problem.startswith("polling all logs from now on, because ")
    assert real.json("status")["watching"]["polling"] is True
    assert real.stop() == 0


@pytest.mark.process
def test_a_suspended_watch_inspects_missed_logs_when_it_continues(real: Machine) -> None:
    real.find_log_path("claude-code", FIRST).parent.mkdir(parents=True)
    real.watch()
    assert real.process is not None
    real.process.send_signal(signal.SIGSTOP)
    real.write("claude-code", FIRST)
    real.process.send_signal(signal.SIGCONT)
    assert real.wait_for_inspection(FIRST)["candidates"] == 1


def test_all_logs_are_swept_again_after_a_jump_of_the_wall_clock(
    real: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "MIND_SKILLS_HOME"):
        monkeypatch.setenv(name, real.environment[name])
    real.write("claude-code", FIRST)
    watch = Watcher(str(real.state), Settings(1.0, 1.0, 3600.0), (), lambda event: None, poll=True, verbose=False)
    begin = UnlockedInstance()
    watch.begin(begin)  # type: ignore[arg-type]
    before = (len(watch.schedule.queue), watch._swept_at)
    watch.schedule.queue.take_due(float("inf"), 10)
    watch._clock_offset -= 3600.0
    watch._swept_at = before[1]
    watch._tick(begin)  # type: ignore[arg-type]
    assert (before[0], len(watch.schedule.queue)) == (2, 2)  # the log, and the search for ended sessions
    assert watch._swept_at > before[1]


class UnlockedInstance:
    """An instance that holds no lock."""

    def renew(self) -> None:
        """Nothing to renew: its folder is never moved."""

    def publish(self, files: int, *, polling: bool) -> None:
        self.said = (files, polling)


def test_an_inotify_overflow_is_reported_as_an_overflow_event() -> None:
    events = FileEvents(print, poll=False)
    events.open()
    try:
        import logging

        logging.getLogger("watchdog.observers.inotify_c").warning(
            "Inotify queue overflowed; filesystem events were lost"
        )
        assert events.take() == [OVERFLOW]
    finally:
        events.close()


def test_missing_inotify_watches_are_counted(tmp_path: Path) -> None:
    for name in ("a/b", "c"):
        (tmp_path / name).mkdir(parents=True)
    events = FileEvents(print, poll=False)
    events.open()
    try:
        events.update_roots([Root("", str(tmp_path), str(tmp_path))])
        assert (count_unwatched(4), count_unwatched(6)) == (0, 2)
    finally:
        events.close()


@pytest.mark.parametrize(
    ("number", "polling", "said"),
    [
        (errno.EACCES, False, ["/logs is not watched: no"]),
        (errno.ENOENT, False, ["/logs is not watched: no"]),
        (errno.ENOSPC, True, ["polling all logs from now on, because /logs cannot be watched: no"]),
        (errno.EMFILE, True, ["polling all logs from now on, because /logs cannot be watched: no"]),
    ],
)
def test_a_folder_that_cannot_be_watched_is_reported_once_and_only_a_limit_starts_polling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, polling: bool, said: list[str]
) -> None:
    def refuse(self: FileEvents, root: Root) -> None:
        raise OSError(number, "no")

    problems: list[str] = []
    events, root = FileEvents(problems.append, poll=False), Root("", "/logs", str(tmp_path))
    events.open()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(FileEvents, "_schedule", refuse)
            first, second = events.update_roots([root]), events.update_roots([root])
        third = events.update_roots([root])
        assert (first + second + third, events.polling, problems) == ([root], polling, said)
    finally:
        events.close()


def test_unreadable_folders_are_not_listed_for_watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("open/a", "shut/b"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, mode: "shut" not in path)
    found = [each[len(str(tmp_path)) :] for each in list_folders(Root("", str(tmp_path), str(tmp_path)))]
    assert found == ["", "/open", "/open/a"]


def test_a_sweep_ignores_links_pipes_and_logs_of_other_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    top = tmp_path / ".claude" / "projects" / "p"
    top.mkdir(parents=True)
    (top / "one.jsonl").write_text("{}\n")
    (top / "link.jsonl").symlink_to(top / "one.jsonl")
    os.mkfifo(top / "pipe.jsonl")
    schedule = Schedule(str(tmp_path / "state"), Settings(1, 1, 1), lambda event: None)
    schedule.roots = tuple(list_roots(str(tmp_path / "state")))
    now = (top / "one.jsonl").stat().st_mtime
    assert schedule.sweep_logs(schedule.roots, 0.0, now) == 1
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert schedule.sweep_logs(schedule.roots, 0.0, now) == 0


def test_the_watching_process_imports_no_expensive_module() -> None:
    program = "import sys, mind_skills.watch.watcher; print(*sorted(m for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"sqlite3", "pydantic", "rich", "orjson", "mind_skills.observations.read", "mind_skills.staging.ledger"}
    assert heavy & set(done.stdout.split()) == set()
