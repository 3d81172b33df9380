"""The one process that inspects logs, and the watch's end of its pipes; it ends when its jobs are done.

What it read goes with it, so that the process that watches stays small. Jobs and answers are JSON between processes of
one version: a list on stdin, and a line on stdout for each job in turn. No pool of the standard library: its processes
wait for ever where a signal 9 ends their parent, and they would keep what they read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

from mind_skills.plugin import command
from mind_skills.watch.schedule import Answer, Job
from mind_skills.watch.watched_files import Item

LONGEST_LINE = 8 << 20
"""Bytes of one answer; a process that writes more is ended."""
LIFETIME = 300
"""Seconds that one job may take, as for the work behind a hook; the system ends the process then."""
NICE = 10


class Worker:
    """At most one process at a time. ``descriptor`` is readable when it has answered; -1 while there is none."""

    def __init__(self, home: str, ended: int) -> None:
        """``home`` is the state folder, ``ended`` the milliseconds of silence after which a session is over."""
        self._home, self._ended = home, ended
        self._process: subprocess.Popen[bytes] | None = None
        self._jobs: list[Job] = []
        self._unread = b""

    @property
    def descriptor(self) -> int:
        """Where its answers come."""
        return -1 if self._process is None or self._process.stdout is None else self._process.stdout.fileno()

    @property
    def busy(self) -> bool:
        """Whether it is at work."""
        return self._process is not None

    def start(self, jobs: list[Job], *, paced: bool) -> None:
        """Begin with these. Raises OSError where no process can be started: the system is out of them, or of memory.

        ``paced`` keeps the least time between two looks at a session.
        """
        line = [sys.executable, *command.alone(), "-m", "mind_skills.watch.worker"]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        # A session of its own: what is typed on a terminal ends the watch, which then lets its worker finish.
        process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True, cwd=os.sep)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(self._request(jobs, paced=paced))
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has died at once, which its silence will say
        os.set_blocking(process.stdout.fileno(), False)
        self._process, self._jobs, self._unread = process, list(jobs), b""

    def _request(self, jobs: list[Job], *, paced: bool) -> bytes:
        return json.dumps({"home": self._home, "ended": self._ended, "paced": paced, "jobs": jobs}).encode()

    def read_answers(self) -> list[tuple[Job, Answer]]:
        """The answers that have come; once it has ended, also one for each job that it died over."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        data = os.read(process.stdout.fileno(), 1 << 16)
        *lines, self._unread = (self._unread + data).split(b"\n")
        answers: list[tuple[Job, Answer]] = [(self._jobs.pop(0), json.loads(line)) for line in lines]
        if not data or len(self._unread) > LONGEST_LINE:
            self.stop()
            for job in self._jobs:
                what = job.item.path or job.item.kind
                answers.append((job, {"failed": True, "problems": [f"{what}: the look at it ended early"]}))
        return answers

    def stop(self) -> None:
        """End it, if it is at work. What it has not answered is inspected another time."""
        process, self._process = self._process, None
        if process is not None and process.stdout is not None:
            process.kill()
            process.wait()
            process.stdout.close()


def main() -> int:
    """Do every job of the request on stdin, in order."""
    request: Any = json.loads(sys.stdin.buffer.read())
    if hasattr(os, "nice"):
        os.nice(NICE)
    for item, *rest in request["jobs"]:
        if os.name == "posix":
            import signal

            signal.alarm(LIFETIME)
        sys.stdout.write(json.dumps(do_job(request, Job(Item(*item), *rest), time.time_ns() // 1_000_000)) + "\n")
        sys.stdout.flush()
    return 0


def do_job(request: dict[str, Any], job: Job, at: int) -> Answer:
    """What came of one job of a request; ``at`` is UTC milliseconds. Never raises."""
    from mind_skills.watch import jobs

    home, item, paced = request["home"], job.item, request["paced"]
    try:
        if item.kind == "log":
            return jobs.inspect_log(home, item.path, at, paced=paced)
        if item.kind == "database":
            return jobs.inspect_database(home, item.path, at, job.since, paced=paced)
        if item.kind == "spool":
            return jobs.take_spool(home, at, paced=paced)
        if item.kind == "skill":
            return jobs.accept_skill(home, item.path, job.project, at)
        if item.kind == "pending":
            return jobs.restore_pending(home, job.project, at)
        return jobs.finish_sessions(home, at, request["ended"])
    except Exception as error:  # noqa: BLE001 -- one bad job must not keep the others waiting
        return jobs.describe_failure(home, at, f"watch {item.kind}", item.path or item.kind, error)


if __name__ == "__main__":
    sys.exit(main())
