"""A machine with the watch in this process, on a clock that skips the time that it would wait."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from mind_skills.plugin.cli import run
from mind_skills.watch import jobs as watch_jobs
from mind_skills.watch import watcher, worker
from mind_skills.watch.instance import Instance
from mind_skills.watch.schedule import Job, Settings
from mind_skills.watch.watched_files import Item
from mind_skills.watch.watcher import Clock, Watcher
from mind_skills.watch.worker import Worker
from tests.testkit.command import confirm
from tests.watch.machine import Event, Machine

STEPS = 2_000
"""Far more steps than any test takes: after them, a watch that never does what a test waits for fails, under any load."""


class SkippingClock(Clock):
    """The clocks of this machine, but waiting only moves them forward."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.skipped

    def time(self) -> float:
        return time.time() + self.skipped

    def wait(self, descriptors: list[int], seconds: float) -> list[int]:
        ready = select.select(descriptors, [], [], 0)[0]
        if not ready:
            self.skipped += seconds
        return ready


class FinishedProcess:
    """In place of a worker process: it has ended, and its answers are on stdout."""

    def __init__(self) -> None:
        self.stdout = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 -- the reader closes it

    def wait(self) -> int:
        return 0

    kill = wait


class InProcessWorker(Worker):
    """Inspects at once, in this process, with the function that the worker process calls."""

    def __init__(self, home: str, ended: int, clock: Clock) -> None:
        super().__init__(home, ended)
        self._clock = clock

    def start(self, jobs: list[Job], *, paced: bool) -> None:
        watch_jobs._list_open_files.cache_clear()
        request: Any = json.loads(self._build_request(jobs, paced=paced))
        answers = FinishedProcess()
        for item, *rest in request["jobs"]:
            answer = worker.do_job(request, Job(Item(*item), *rest), int(self._clock.time() * 1000))
            answers.stdout.write(json.dumps(answer).encode() + b"\n")
        answers.stdout.seek(0)
        self._process, self._jobs, self._unread_data = cast("subprocess.Popen[bytes]", answers), list(jobs), b""


class InProcessMachine(Machine):
    """A machine whose watch and commands, except hooks, run in this process. It polls, because events come in real time."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        super().__init__(folder)
        self._patch, self._capfd, self.clock, self._running = patch, capfd, SkippingClock(), ExitStack()
        self._into_environment()
        patch.chdir(self.project)
        patch.setattr(watcher, "Worker", lambda home, ended: InProcessWorker(home, ended, self.clock))
        self._told: list[Event] = []
        self._watch: Watcher | None = None

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def _into_environment(self) -> None:
        for name, value in self.environment.items():
            self._patch.setenv(name, value)

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        if arguments[0] == "hook":
            return super().run(*arguments, stdin=stdin)
        self._into_environment()
        self._capfd.readouterr()
        code = run(confirm(list(arguments)))
        said = self._capfd.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    def watch(
        self,
        *arguments: str,
        before: Sequence[str] = (),
        quiet: float = 0.2,
        longest: float = 1.0,
        ended: float = 3600.0,
        tick: float = 5.0,
    ) -> Event:
        assert not before
        self._told, self.seen = [], []
        paths = tuple(word for word in arguments if not word.startswith("--"))
        settings, state = Settings(quiet, longest, ended, tick), str(self.state)
        self._watch = Watcher(
            *(state, settings, paths, self._told.append),
            poll=True,
            verbose="--verbose" in arguments,
            clock=self.clock,
            worker=InProcessWorker(state, int(ended * 1000), self.clock),
        )
        self.state.mkdir(mode=0o700, exist_ok=True)
        self._instance = self._running.enter_context(Instance(state, int(self.clock.time() * 1000)))
        self._running.callback(self._watch.finish)
        signals, self._signal = os.pipe()
        self._running.callback(os.close, signals)
        self._running.callback(os.close, self._signal)
        self._signals = signals
        self._watch.begin(self._instance)
        return self.until(lambda event: event["event"] == "started")

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        for _ in range(STEPS):
            while self._told:
                event = self._told.pop(0)
                self.seen.append(event)
                if wanted(event):
                    return event
            self.step()
        raise AssertionError(f"the expected event never came; events so far: {self.seen}")

    def step(self) -> None:
        """Let the watch wait for the next event or due time, and do what is due."""
        assert self._watch is not None
        self._watch.step(self._instance, self._signals)

    def stop(self, number: int = 0) -> int:
        self._running.close()
        self.seen += self._told
        self.errors = ""
        return 0

    def eventually(self, true: Callable[[], bool]) -> None:
        for _ in range(STEPS):
            if true():
                return
            self.step()
        raise AssertionError(self.seen)
