"""The process that watches: it waits, notes what changed, and has one worker inspect it. Its clock is an argument.

One thread waits for whatever comes first: a change, an answer of the worker, a signal, or the next time that something is
due.
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
from mind_skills.hooks import processes
from mind_skills.hooks.session_state import RUNNING, list_markers
from mind_skills.watch.file_events import OVERFLOW, FileEvents
from mind_skills.watch.instance import Instance
from mind_skills.watch.schedule import ENDED, Schedule, Settings
from mind_skills.watch.watched_files import list_roots
from mind_skills.watch.worker import Worker

SWEEP = 600.0
"""Seconds between two looks at the state of every log, in case the system has not reported a change."""
SHARE = 50
"""Without events each sweep is followed by this many times its own length in which there is none."""
JUMP = 30.0
"""Seconds by which the clocks of day and machine may part before it counts as a suspend, or a clock that was set."""
WRITERS = os.path.join("watch", "writers")
"""As in jobs.py, which the watching process does not import; a test compares."""
PATIENCE = 5.0
"""Seconds that the worker gets to finish when the watch is ended."""
HORIZON = 10.0
"""Seconds that one sweep waits for items that another process is at work on; what takes longer is for the next time."""
SHORTEST = 0.001
"""Seconds that count as waited in any case."""
SETTLED = 5.0
"""Seconds that our files must not change before another version counts as complete: an installer writes for a second or two."""
GONE = 60.0
"""Seconds without any of our files before it is no upgrade any more."""
State = Literal["same", "changing", "other", "gone"]
_LAST_EVENT: dict[State, str] = {"same": "stopped", "changing": "stopped", "other": "upgraded", "gone": "gone"}
Emit = Callable[[dict[str, Any]], None]


class Clock:
    """The clocks of this machine, and waiting by them; a test passes one on which waiting takes no time."""

    def monotonic(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def wait(self, descriptors: list[int], seconds: float) -> list[int]:
        """Wait until some of these can be read, for so long at the most; those."""
        return select.select(descriptors, [], [], seconds)[0]


class InstalledCode:
    """Whether the code that runs is the code that is installed: a watch runs for weeks, and starts workers from that."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """``paths`` are the files; by default those of all our modules that are loaded now."""
        modules = [module for name, module in sys.modules.items() if name.startswith("mind_skills.")]
        loaded = {path for module in modules if (path := getattr(module, "__file__", None))}
        self._paths = tuple(paths) or tuple(sorted(loaded))
        self._ours = self._last = self._stat_files()
        self._since = 0.0

    def check(self, now: float) -> State:
        """The state of the files at ``now``, in seconds of a clock that never goes back."""
        found = self._stat_files()
        if found != self._last:
            self._last, self._since = found, now
        if found == self._ours:
            return "same"
        if not any(found):
            return "gone" if now - self._since >= GONE else "changing"
        return "other" if now - self._since >= SETTLED else "changing"

    def _stat_files(self) -> list[tuple[int, int, int] | None]:
        found: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                file = os.stat(path)
                found.append((file.st_ino, file.st_size, file.st_mtime_ns))
            except OSError:
                found.append(None)
        return found


class Watcher:
    """Everything that runs until a signal ends it."""

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
        """``home`` is the state folder, ``paths`` further files and folders; ``verbose`` emits each change as well."""
        self._home, self._paths, self._emit, self._verbose = home, paths, emit, verbose
        self._clock, self._tick_seconds = clock or Clock(), settings.tick
        self.schedule = Schedule(home, settings, emit)
        self.events = FileEvents(self.schedule.report_problem, poll=poll)
        self.worker = worker or Worker(home, int(settings.ended * 1000))
        self._files = 0
        self._swept_at = self._ticked_at = -1e9
        self._sweep_took = 0.0
        self._clock_offset = self._clock.time() - self._clock.monotonic()
        self._dead: set[str] = set()
        self._signal = 0
        self._code = InstalledCode()
        self._state: State = "same"

    @property
    def upgraded(self) -> bool:
        """Whether it has ended because another version is installed now, which is to go on."""
        return self._state == "other"

    def run(self) -> int:
        """Watch until a signal comes, or until this version is not installed any more; the exit code: 0, or 130 where it
        was interrupted. Raises MindSkillsError, OSError.
        """
        with Instance(self._home, int(self._clock.time() * 1000)) as instance:
            ours, theirs = os.pipe()
            os.set_blocking(ours, False)
            os.set_blocking(theirs, False)
            before = {number: signal.signal(number, self._take_signal) for number in (signal.SIGTERM, signal.SIGINT)}
            woken = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
            try:
                self.begin(instance)
                while not self._signal and self._state in ("same", "changing"):
                    self.step(instance, ours)
            finally:
                self.finish()
                signal.set_wakeup_fd(woken)
                for number, handler in before.items():
                    signal.signal(number, handler)
                os.close(ours)
                os.close(theirs)
        self._emit({"event": _LAST_EVENT[self._state]})
        return INTERRUPTED if self._signal == signal.SIGINT else 0

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        self._signal = number

    def begin(self, instance: Instance) -> None:
        """Load what was inspected, and begin to watch. Raises MindSkillsError where no path that was named exists."""
        self.schedule.states.load()
        self.schedule.check_named_paths(self._paths)
        self.events.open()
        self.schedule.queue.hasten(ENDED, self._clock.monotonic(), 0.0)
        self._tick(instance)
        self._emit({"event": "started", "files": self._files, "polling": self.events.polling})

    def step(self, instance: Instance, signals: int) -> None:
        """Wait for what comes first, and do what is due; ``signals`` is readable when a signal has come."""
        now = self._clock.monotonic()
        due = self.schedule.queue.next_due()
        wait = self._ticked_at + self._tick_seconds - now
        if due is not None and not self.worker.busy:
            wait = min(wait, due - now)
        watched = [each for each in (signals, self.worker.descriptor, self.events.wake) if each >= 0]
        ready = self._clock.wait(watched, max(0.0, wait))
        if signals in ready:
            return
        now = self._clock.monotonic()
        if self.events.wake in ready:
            self._add_events(now)
        if self.worker.descriptor in ready:
            self._add_answers(now)
        if now - self._ticked_at >= self._tick_seconds:
            self._tick(instance)
        if not self.worker.busy and self._state == "same":
            self._start_worker(now)

    def _add_events(self, now: float) -> None:
        for path in self.events.take():
            if path == OVERFLOW:
                self._swept_at = self._ticked_at = -1e9  # sweep everything, at once
            elif (item := self.schedule.add_event(path, now)) is not None and self._verbose:
                self._emit({"event": "noticed", "path": item.path})

    def _add_answers(self, now: float) -> None:
        for job, answer in self.worker.read_answers():
            self.schedule.add_answer(job, answer, now)

    def _start_worker(self, now: float) -> None:
        if jobs := self.schedule.take_jobs(now):
            try:
                self.worker.start(jobs, paced=True)
            except OSError as error:  # no more processes, or no memory for one
                problems = [f"no look was possible: {error.strerror}"]
                for job in jobs:
                    self.schedule.add_answer(job, {"again": self._tick_seconds, "problems": problems}, now)

    def _tick(self, instance: Instance) -> None:
        """Look at what reports no change by itself."""
        self._ticked_at = now = self._clock.monotonic()
        self._state = self._code.check(now)
        today = self._clock.time()
        if abs(today - now - self._clock_offset) > JUMP:  # the machine has slept, or its clock was set
            self._clock_offset = today - now
            self._swept_at = -1e9
            self.schedule.queue.hasten(ENDED, now, 0.0)
        instance.renew()
        self.schedule.roots = tuple(list_roots(self._home, self._paths))
        came = self.events.update_roots(self.schedule.roots)
        every = SWEEP if not self.events.polling else max(self._tick_seconds, self._sweep_took * SHARE)
        if now - self._swept_at >= every:
            self._files = self.schedule.sweep_logs(self.schedule.roots, now, today)
            self._swept_at, self._sweep_took = now, self._clock.monotonic() - now
            self.events.verify()
        elif came:
            self.schedule.sweep_logs(came, now, today)
        self.schedule.sweep_skills(now, today)
        if self._has_process_ended():
            self.schedule.queue.hasten(ENDED, now, 0.0)
        instance.publish(self._files, polling=self.events.polling)
        self._save()

    def _has_process_ended(self) -> bool:
        """Whether a process that ran a session, as recorded by hooks or the worker, has ended since the last call."""
        recorded = [path for folder in (RUNNING, WRITERS) for path in list_markers(self._home, folder)]
        dead = {path for path in recorded if processes.is_running(_read_trace(path)) is False}
        new, self._dead = dead - self._dead, dead
        return bool(new)

    def _save(self) -> None:
        if self.schedule.states.changed:
            try:
                self.schedule.states.save()
            except OSError as error:
                self.schedule.report_problem(f"what was looked at could not be put down: {error.strerror}")

    def finish(self) -> None:
        """Release everything; the worker gets a moment to finish."""
        self.events.close()
        until = self._clock.monotonic() + PATIENCE
        while self.worker.busy and (left := until - self._clock.monotonic()) > 0:
            if self._clock.wait([self.worker.descriptor], left):
                self._add_answers(self._clock.monotonic())
        self.worker.stop()
        self._save()


def inspect_once(
    home: str,
    ended: float,
    paths: tuple[str, ...],
    emit: Emit,
    clock: Clock | None = None,
    worker: Worker | None = None,
) -> Schedule:
    """Inspect all that has changed since the last time, and finish what is over. Raises MindSkillsError, OSError.

    ``ended`` is the seconds of silence after which a session is over whose process is not known.
    """
    clock, worker = clock or Clock(), worker or Worker(home, int(ended * 1000))
    with Instance(home, int(clock.time() * 1000)):
        schedule = Schedule(home, Settings(0.0, 0.0, ended), emit)
        schedule.states.load()
        schedule.roots = tuple(list_roots(home, paths))
        schedule.check_named_paths(paths)
        try:
            schedule.sweep_logs(schedule.roots, clock.monotonic(), clock.time())
            inspect_due(schedule, worker, clock)
            schedule.queue.hasten(ENDED, clock.monotonic(), 0.0)  # whose answer also names the projects with skills
            inspect_due(schedule, worker, clock)
            schedule.sweep_skills(clock.monotonic(), clock.time())
            inspect_due(schedule, worker, clock)
        finally:
            worker.stop()
            schedule.states.save()
        return schedule


def inspect_due(schedule: Schedule, worker: Worker, clock: Clock) -> None:
    """Inspect everything that is due before the waits add up to the horizon: what is in the way may stay there for good."""
    left = HORIZON
    while (due := schedule.queue.next_due()) is not None and (wait := max(due - clock.monotonic(), SHORTEST)) < left:
        left -= wait
        clock.wait([], wait)
        if jobs := schedule.take_jobs(clock.monotonic()):
            worker.start(jobs, paced=False)
        while worker.busy:
            if clock.wait([worker.descriptor], PATIENCE):
                for job, answer in worker.read_answers():
                    schedule.add_answer(job, answer, clock.monotonic())


def _read_trace(path: str) -> str:
    """The content of a trace; empty where it has just gone."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096))
    except OSError:
        return ""
