"""The watch process: waits for changes and has a single worker inspect them. Tests can pass another clock.

One thread waits for the next event: a change, a result from the worker, a signal, or a deadline.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, Literal

from mind_skills.errors import INTERRUPTED
from mind_skills.hooks.session_state import RUNNING, list_markers
from mind_skills.store import processes
from mind_skills.watch.file_events import OVERFLOW, FileEvents
from mind_skills.watch.instance import Instance
from mind_skills.watch.schedule import ENDED_SESSIONS, WRITERS_FOLDER, Schedule, Settings
from mind_skills.watch.watched_files import list_roots
from mind_skills.watch.worker import Worker

SWEEP_INTERVAL = 600.0
"""Seconds between full scans of all logs, in case a file event was missed."""
POLL_PAUSE_FACTOR = 50
"""When polling, the time between the starts of two sweeps is at least this many times the duration of the first."""
MAX_CLOCK_DRIFT = 30.0
"""Seconds of drift between wall clock and monotonic clock that show that the system was suspended or its clock set."""
SHUTDOWN_TIMEOUT = 5.0
"""Maximum seconds that the watch waits for its worker when it ends."""
MAX_TOTAL_WAIT = 10.0
"""Maximum seconds in total that one call to ``inspect_due`` waits for items that are not due yet."""
MIN_WAIT = 0.001
"""Minimum seconds that are counted for a wait, so that the number of waits is limited."""
UPGRADE_SETTLE_TIME = 5.0
"""Seconds without a change to our files after which an upgrade counts as complete; an installer writes for a second or
two.
"""
UNINSTALL_TIMEOUT = 60.0
"""Seconds after which mind-skills counts as uninstalled if all of our files are missing."""
CodeState = Literal["same", "changing", "other", "gone"]
"""State of the files of the running code: unchanged, being replaced or removed, of another version, or uninstalled."""
_LAST_EVENT: dict[CodeState, str] = {"same": "stopped", "changing": "stopped", "other": "upgraded", "gone": "gone"}
Emit = Callable[[dict[str, Any]], None]


class Clock:
    """System clocks and waiting; tests pass a fake whose waits return immediately."""

    def monotonic(self) -> float:
        """Return the monotonic time in seconds."""
        return time.monotonic()

    def time(self) -> float:
        """Return the seconds since the epoch."""
        return time.time()

    def wait(self, descriptors: list[int], seconds: float) -> list[int]:
        """Wait up to ``seconds`` for descriptors to become readable and return those that are."""
        return select.select(descriptors, [], [], seconds)[0]


class InstalledCode:
    """Detects whether the files of the running code have been replaced or removed.

    That matters because a watch runs for weeks and starts its workers from these files.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """``paths`` are the files to check; by default, the files of all our modules that are loaded."""
        modules = [module for name, module in sys.modules.items() if name.startswith("mind_skills.")]
        loaded = {path for module in modules if (path := getattr(module, "__file__", None))}
        self._paths = tuple(paths) or tuple(sorted(loaded))
        self._initial_stats = self._last_stats = self._stat_files()
        self._changed_at = 0.0

    def check(self, now: float) -> CodeState:
        """Return the state of the files at ``now`` (monotonic seconds)."""
        stats = self._stat_files()
        if stats != self._last_stats:
            self._last_stats, self._changed_at = stats, now
        if stats == self._initial_stats:
            return "same"
        if not any(stats):
            return "gone" if now - self._changed_at >= UNINSTALL_TIMEOUT else "changing"
        return "other" if now - self._changed_at >= UPGRADE_SETTLE_TIME else "changing"

    def _stat_files(self) -> list[tuple[int, int, int] | None]:
        stats: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                status = os.stat(path)
                stats.append((status.st_ino, status.st_size, status.st_mtime_ns))
            except OSError:
                stats.append(None)
        return stats


class Watcher:
    """The watch loop; ``run`` says when it ends."""

    def __init__(
        self,
        home: str,
        settings: Settings,
        paths: tuple[str, ...],
        emit: Emit,
        *,
        poll: bool,
        verbose: bool,
        clock: Clock | None = None,
        worker: Worker | None = None,
    ) -> None:
        """``home`` is the state folder; ``paths`` are additional files and folders; ``verbose`` emits each change as well."""
        self._home, self._paths, self._emit, self._verbose = home, paths, emit, verbose
        self._clock, self._tick_seconds = clock or Clock(), settings.tick
        self.schedule = Schedule(home, settings, emit)
        self.events = FileEvents(self.schedule.report_problem, poll=poll)
        self.worker = worker or Worker(home, int(settings.ended_after * 1000))
        self._file_count = 0
        self._swept_at = self._ticked_at = -1e9
        self._sweep_duration = 0.0
        self._clock_offset = self._clock.time() - self._clock.monotonic()
        self._dead_markers: set[str] = set()
        self._signal = 0
        self._code = InstalledCode()
        self._code_state: CodeState = "same"

    @property
    def was_upgraded(self) -> bool:
        """Whether the loop stopped because another version was installed, which should continue the watch."""
        return self._code_state == "other"

    def run(self) -> int:
        """Watch until a signal arrives or this version is no longer installed.

        Returns the exit code: 0, or 130 if interrupted. Raises MindSkillsError, OSError.
        """
        with Instance(self._home, int(self._clock.time() * 1000)) as instance:
            read_fd, write_fd = os.pipe()
            os.set_blocking(read_fd, False)
            os.set_blocking(write_fd, False)
            previous_handlers = {
                number: signal.signal(number, self._record_signal) for number in (signal.SIGTERM, signal.SIGINT)
            }
            previous_wakeup_fd = signal.set_wakeup_fd(write_fd, warn_on_full_buffer=False)
            try:
                self.begin(instance)
                while not self._signal and self._code_state in ("same", "changing"):
                    self.step(instance, read_fd)
            finally:
                self.finish()
                signal.set_wakeup_fd(previous_wakeup_fd)
                for number, handler in previous_handlers.items():
                    signal.signal(number, handler)
                os.close(read_fd)
                os.close(write_fd)
        self._emit({"event": _LAST_EVENT[self._code_state]})
        return INTERRUPTED if self._signal == signal.SIGINT else 0

    def _record_signal(self, number: int, frame: FrameType | None) -> None:
        self._signal = number

    def begin(self, instance: Instance) -> None:
        """Load the inspected states and start watching. Raises MindSkillsError if none of the given paths exists."""
        self.schedule.states.load()
        self.schedule.check_named_paths(self._paths)
        self.schedule.check_compressed_logs(self._home)
        self.events.open()
        self.schedule.queue.hasten(ENDED_SESSIONS, self._clock.monotonic(), 0.0)
        self._tick(instance)
        self._emit({"event": "started", "files": self._file_count, "polling": self.events.polling})

    def step(self, instance: Instance, signal_descriptor: int) -> None:
        """Wait for the next event and run whatever is due; ``signal_descriptor`` becomes readable when a signal arrives."""
        now = self._clock.monotonic()
        due = self.schedule.queue.find_next_due_time()
        wait = self._ticked_at + self._tick_seconds - now
        if due is not None and not self.worker.is_busy:
            wait = min(wait, due - now)
        descriptors = (signal_descriptor, self.worker.descriptor, self.events.wake_descriptor)
        ready = self._clock.wait([each for each in descriptors if each >= 0], max(0.0, wait))
        if signal_descriptor in ready:
            return
        now = self._clock.monotonic()
        if self.events.wake_descriptor in ready:
            self._add_events(now)
        if self.worker.descriptor in ready:
            self._process_results(now)
        if now - self._ticked_at >= self._tick_seconds:
            self._tick(instance)
        if not self.worker.is_busy and self._code_state == "same":
            self._start_worker(now)

    def _add_events(self, now: float) -> None:
        for path in self.events.take():
            if path == OVERFLOW:
                self._swept_at = self._ticked_at = -1e9  # sweep everything, at once
            elif (item := self.schedule.add_event(path, now)) is not None and self._verbose:
                self._emit({"event": "noticed", "path": item.path})

    def _process_results(self, now: float) -> None:
        for job, result in self.worker.read_results():
            self.schedule.process_result(job, result, now)

    def _start_worker(self, now: float) -> None:
        if jobs := self.schedule.take_jobs(now):
            try:
                self.worker.start(jobs, paced=True)
            except OSError as error:  # out of processes or memory
                problems = [f"could not start the worker: {error.strerror}"]
                for job in jobs:
                    self.schedule.process_result(job, {"again": self._tick_seconds, "problems": problems}, now)

    def _tick(self, instance: Instance) -> None:
        """Poll everything that does not report its own changes."""
        self._ticked_at = now = self._clock.monotonic()
        self._code_state = self._code.check(now)
        wall_time = self._clock.time()
        if abs(wall_time - now - self._clock_offset) > MAX_CLOCK_DRIFT:
            # The system was suspended, or its clock was set.
            self._clock_offset = wall_time - now
            self._swept_at = -1e9
            self.schedule.queue.hasten(ENDED_SESSIONS, now, 0.0)
        instance.renew()
        self.schedule.roots = tuple(list_roots(self._home, self._paths))
        new_roots = self.events.update_roots(self.schedule.roots)
        sweep_interval = SWEEP_INTERVAL
        if self.events.polling:
            sweep_interval = max(self._tick_seconds, self._sweep_duration * POLL_PAUSE_FACTOR)
        if now - self._swept_at >= sweep_interval:
            self._file_count = self.schedule.sweep_logs(self.schedule.roots, now, wall_time)
            self._swept_at, self._sweep_duration = now, self._clock.monotonic() - now
            self.events.verify_watches()
        elif new_roots:
            self.schedule.sweep_logs(new_roots, now, wall_time)
        self.schedule.sweep_skills(now, wall_time)
        if self._swept_at == now:
            self.schedule.discard_unused_states()
        if self._has_process_ended():
            self.schedule.queue.hasten(ENDED_SESSIONS, now, 0.0)
        instance.publish(self._file_count, polling=self.events.polling)
        self._save()

    def _has_process_ended(self) -> bool:
        """Return whether a recorded process of a session has ended since the last call."""
        markers = [path for folder in (RUNNING, WRITERS_FOLDER) for path in list_markers(self._home, folder)]
        dead_markers = {path for path in markers if processes.is_running(_read_marker(path)) is False}
        newly_dead, self._dead_markers = dead_markers - self._dead_markers, dead_markers
        return bool(newly_dead)

    def _save(self) -> None:
        if self.schedule.states.has_changes:
            try:
                self.schedule.states.save()
            except OSError as error:
                self.schedule.report_problem(f"could not save the inspected states: {error.strerror}")

    def finish(self) -> None:
        """Give the worker time to finish, then release all resources."""
        self.events.close()
        deadline = self._clock.monotonic() + SHUTDOWN_TIMEOUT
        while self.worker.is_busy and (remaining := deadline - self._clock.monotonic()) > 0:
            if self._clock.wait([self.worker.descriptor], remaining):
                self._process_results(self._clock.monotonic())
        self.worker.stop()
        self._save()


def inspect_once(home: str, ended_after: float, paths: tuple[str, ...], emit: Emit) -> Schedule:
    """Inspect everything that changed since the last run, and finish sessions that are over.

    ``ended_after`` is the seconds of inactivity after which a session whose process cannot be checked counts as over.
    Raises MindSkillsError, OSError.
    """
    clock, worker = Clock(), Worker(home, int(ended_after * 1000))
    with Instance(home, int(clock.time() * 1000)):
        schedule = Schedule(home, Settings(0.0, 0.0, ended_after), emit)
        schedule.states.load()
        schedule.roots = tuple(list_roots(home, paths))
        schedule.check_named_paths(paths)
        schedule.check_compressed_logs(home)
        try:
            schedule.sweep_logs(schedule.roots, clock.monotonic(), clock.time())
            inspect_due(schedule, worker, clock)
            # The result also names the projects whose skills are to be swept.
            schedule.queue.hasten(ENDED_SESSIONS, clock.monotonic(), 0.0)
            inspect_due(schedule, worker, clock)
            schedule.sweep_skills(clock.monotonic(), clock.time())
            schedule.discard_unused_states()
            inspect_due(schedule, worker, clock)
        finally:
            worker.stop()
            schedule.states.save()
        return schedule


def inspect_due(schedule: Schedule, worker: Worker, clock: Clock) -> None:
    """Inspect due items, waiting no more than MAX_TOTAL_WAIT in total: another process may never release an item."""
    remaining = MAX_TOTAL_WAIT
    while (due := schedule.queue.find_next_due_time()) is not None and (
        wait := max(due - clock.monotonic(), MIN_WAIT)
    ) < remaining:
        remaining -= wait
        clock.wait([], wait)
        if jobs := schedule.take_jobs(clock.monotonic()):
            worker.start(jobs, paced=False)
        while worker.is_busy:
            if clock.wait([worker.descriptor], SHUTDOWN_TIMEOUT):
                for job, result in worker.read_results():
                    schedule.process_result(job, result, clock.monotonic())


def _read_marker(path: str) -> str:
    """Return the content of a marker; empty if it has just been deleted."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096))
    except OSError:
        return ""
