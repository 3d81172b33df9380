"""The process that watches: it notices, waits, and has one worker look. Its clock is an argument.

One thread waits for whatever comes first: something changed, the worker has an answer, a signal, or it is time.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from mind_skills.errors import INTERRUPTED
from mind_skills.hooks import processes
from mind_skills.hooks.session_state import RUNNING, list_markers
from mind_skills.watch.events import OVERFLOW, Events
from mind_skills.watch.folders import Folders
from mind_skills.watch.installed import Installed, State
from mind_skills.watch.instance import Instance
from mind_skills.watch.known import Known
from mind_skills.watch.noticing import OVER, Noticing, Settings
from mind_skills.watch.places import roots
from mind_skills.watch.worker import Worker

SWEEP = 600.0
"""Seconds between two looks at every log there is, in case the system has not told of a change."""
SHARE = 50
"""Without events each look at every log is followed by this many times its own length in which there is none."""
JUMP = 30.0
"""Seconds by which the clock of the day and that of the machine may part before it counts as a suspend, or a clock that was set."""
WRITERS = os.path.join("watch", "writers")
"""As in writers.py, which the watching process does not import; a test compares."""
PATIENCE = 5.0
"""Seconds that the worker gets to finish when the watch is ended."""
_LAST: dict[State, str] = {"same": "stopped", "changing": "stopped", "other": "upgraded", "gone": "gone"}
"""What is told at the end."""


class Clock:
    """The clocks of this machine, and waiting by them; a test hands in one on which waiting takes no time."""

    def monotonic(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def wait(self, descriptors: list[int], seconds: float) -> list[int]:
        """Wait until some of these can be read, for so long at the most; those."""
        return select.select(descriptors, [], [], seconds)[0]


class Watch:
    """Everything that runs until a signal ends it."""

    def __init__(
        self,
        home: str,
        settings: Settings,
        paths: tuple[str, ...],
        tell: Callable[[dict[str, Any]], None],
        *,
        poll: bool,
        verbose: bool,
        clock: Clock | None = None,
        worker: Worker | None = None,
    ) -> None:
        """``home`` is the state folder, ``paths`` further files and folders; ``verbose`` tells of each change as well."""
        self._home, self._paths, self._tell, self._verbose = home, paths, tell, verbose
        self._clock, self._tick_seconds = clock or Clock(), settings.tick
        self.noticing = Noticing(Known(home), settings, tell)
        self.folders = Folders(self.noticing.problem, poll=poll)
        self.worker = worker or Worker(home, int(settings.ended * 1000))
        self._files = 0
        self._swept_at = self._ticked_at = -1e9
        self._sweep_took = 0.0
        self._apart = self._clock.time() - self._clock.monotonic()
        self._dead: set[str] = set()
        self._ended_by = 0
        self._installed = Installed()
        self._state: State = "same"

    @property
    def upgraded(self) -> bool:
        """Whether it has ended because another version is installed now: what comes next is that one's."""
        return self._state == "other"

    def run(self) -> int:
        """Watch until a signal comes, or until this version is not installed any more; the exit code: 0, or 130 where it
        was interrupted. Raises MindSkillsError, OSError.
        """
        with Instance(self._home, int(self._clock.time() * 1000)) as instance:
            ours, theirs = os.pipe()
            os.set_blocking(ours, False)
            os.set_blocking(theirs, False)
            before = {number: signal.signal(number, self._told_to_end) for number in (signal.SIGTERM, signal.SIGINT)}
            woken = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
            try:
                self._begin(instance)
                while not self._ended_by and self._state in ("same", "changing"):
                    self._step(instance, ours)
            finally:
                self._finish()
                signal.set_wakeup_fd(woken)
                for number, handler in before.items():
                    signal.signal(number, handler)
                os.close(ours)
                os.close(theirs)
        self._tell({"event": _LAST[self._state]})
        return INTERRUPTED if self._ended_by == signal.SIGINT else 0

    def _told_to_end(self, number: int, frame: FrameType | None) -> None:
        self._ended_by = number

    def _begin(self, instance: Instance) -> None:
        self.noticing.known.load()
        self.noticing.named(self._paths)
        self.folders.begin()
        self.noticing.paces.within(OVER, self._clock.monotonic(), 0.0)
        self._tick(instance)
        self._tell({"event": "started", "files": self._files, "polling": self.folders.polling})

    def _step(self, instance: Instance, signals: int) -> None:
        """Wait for what comes first, and do what is due."""
        now = self._clock.monotonic()
        due = self.noticing.paces.next()
        wait = self._ticked_at + self._tick_seconds - now
        if due is not None and not self.worker.busy:
            wait = min(wait, due - now)
        watched = [
            signals,
            *([self.worker.descriptor] if self.worker.busy else []),
            *([self.folders.events.wake] if self.folders.events else []),
        ]
        ready = self._clock.wait(watched, max(0.0, wait))
        if signals in ready:
            return
        now = self._clock.monotonic()
        if self.folders.events is not None and self.folders.events.wake in ready:
            self._noticed(self.folders.events, now)
        if self.worker.busy and self.worker.descriptor in ready:
            self._heard(now)
        if now - self._ticked_at >= self._tick_seconds:
            self._tick(instance)
        if not self.worker.busy and self._state == "same":
            self._dispatch(now)

    def _noticed(self, events: Events, now: float) -> None:
        for path in events.taken():
            if path == OVERFLOW:
                self._swept_at = self._ticked_at = -1e9  # look at everything, at once
                continue
            log = self.noticing.event(path, now)
            if log is not None and self._verbose:
                self._tell({"event": "noticed", "path": log.path})

    def _heard(self, now: float) -> None:
        for answer in self.worker.heard():
            self.noticing.answered(self.worker.jobs[int(answer["job"])], answer, now)
        if not self.worker.busy:  # what it did not answer, it died over
            for number in sorted(self.worker.open):
                job = self.worker.jobs[number]
                self.noticing.answered(
                    job, {"failed": True, "said": [f"{job[0].path or job[0].kind}: the look at it ended early"]}, now
                )
            self.worker.open.clear()

    def _dispatch(self, now: float) -> None:
        jobs, details = self.noticing.take(now)
        if jobs:
            try:
                self.worker.start(jobs, details, paced=True)
            except OSError as error:  # no more processes, or no memory for one
                for job in jobs:
                    self.noticing.answered(
                        job, {"again": self._tick_seconds, "said": [f"no look was possible: {error.strerror}"]}, now
                    )

    def _tick(self, instance: Instance) -> None:
        """What is to be looked at from time to time."""
        self._ticked_at = now = self._clock.monotonic()
        self._state = self._installed.look(now)
        today = self._clock.time()
        if abs(today - now - self._apart) > JUMP:  # the machine has slept, or its clock was set
            self._apart = today - now
            self._swept_at = -1e9
            self.noticing.paces.within(OVER, now, 0.0)
        if not instance.ours():
            instance.__exit__(None, None, None)
            instance.__enter__()
        self.noticing.roots = tuple(roots(self._home, self._paths))
        came = self.folders.came(self.noticing.roots)
        every = SWEEP if not self.folders.polling else max(self._tick_seconds, self._sweep_took * SHARE)
        if now - self._swept_at >= every:
            self._files = self.noticing.swept(self.noticing.roots, now, today)
            self._swept_at, self._sweep_took = now, self._clock.monotonic() - now
            self.folders.check()
        elif came:
            self.noticing.swept(came, now, today)
        self.noticing.skills_swept(now, today)
        if self._processes_gone():
            self.noticing.paces.within(OVER, now, 0.0)
        instance.say(self._files, polling=self.folders.polling)
        self._save()

    def _processes_gone(self) -> bool:
        """Whether a process has ended that ran a session, by what hooks or looks said of it; each is told of once."""
        said = [path for folder in (RUNNING, WRITERS) for path in list_markers(self._home, folder)]
        dead = {path for path in said if processes.runs(_content(path)) is False}
        new = dead - self._dead
        self._dead = dead
        return bool(new)

    def _save(self) -> None:
        if self.noticing.known.changed:
            try:
                self.noticing.known.save()
            except OSError as error:
                self.noticing.problem(f"what was looked at could not be put down: {error.strerror}")

    def _finish(self) -> None:
        self.folders.close()
        until = self._clock.monotonic() + PATIENCE
        while self.worker.busy and (left := until - self._clock.monotonic()) > 0:
            if self._clock.wait([self.worker.descriptor], left):
                self._heard(self._clock.monotonic())
        self.worker.stop()
        self._save()


def _content(path: str) -> str:
    """What a trace says; empty where it has just gone."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096))
    except OSError:
        return ""
