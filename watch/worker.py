"""The process that inspects logs and exits when its jobs are done, and the watch's interface to that process.

The memory for reading logs is freed when the process exits, so that the watch itself needs little. Jobs and results are
JSON: one request on stdin, and one line per job on stdout. The standard library's pools are not used: their processes
wait forever if SIGKILL ends their parent, and do not free the memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from mind_skills.plugin import command
from mind_skills.store.database import describe_set_aside, list_set_aside
from mind_skills.watch.schedule import Job, JobResult
from mind_skills.watch.watched_files import Item

MAX_RESULT_BYTES = 8 << 20
"""Maximum size of a result in bytes; a process that writes more is killed."""
JOB_TIMEOUT_SECONDS = 300
"""Maximum seconds for one job, as for detached hook processes; then the system ends the process (not on Windows)."""
NICE = 10


class Worker:
    """Runs at most one process at a time.

    ``descriptor`` becomes readable when the process writes a result or ends; it is -1 if no process runs.
    """

    def __init__(self, home: str, ended_after_ms: int) -> None:
        """``home`` is the state folder; a session counts as over after ``ended_after_ms`` milliseconds of inactivity."""
        self._home, self._ended_after_ms = home, ended_after_ms
        self._process: subprocess.Popen[bytes] | None = None
        self._jobs: list[Job] = []
        self._unread_data = b""

    @property
    def descriptor(self) -> int:
        return -1 if self._process is None or self._process.stdout is None else self._process.stdout.fileno()

    @property
    def is_busy(self) -> bool:
        return self._process is not None

    def start(self, jobs: list[Job], *, paced: bool) -> None:
        """Start a process for these jobs. Raises OSError if the system is out of processes or memory.

        ``paced`` enforces the minimum interval between two inspections of a session.
        """
        command_line = [sys.executable, *command.list_isolation_options(), "-m", "mind_skills.watch.worker"]
        pipe, devnull = subprocess.PIPE, subprocess.DEVNULL
        # In a process group of its own, so that Ctrl-C ends only the watch, which then lets its worker finish.
        process = subprocess.Popen(
            command_line, stdin=pipe, stdout=pipe, stderr=devnull, start_new_session=True, cwd=os.sep
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(self._build_request(jobs, paced=paced))
            process.stdin.close()
        except BrokenPipeError:
            pass  # the process died immediately, which ``read_results`` reports
        os.set_blocking(process.stdout.fileno(), False)
        self._process, self._jobs, self._unread_data = process, list(jobs), b""

    def _build_request(self, jobs: list[Job], *, paced: bool) -> bytes:
        return json.dumps({"home": self._home, "ended": self._ended_after_ms, "paced": paced, "jobs": jobs}).encode()

    def read_results(self) -> list[tuple[Job, JobResult]]:
        """Return new results; if the process has ended or is killed here, also a failure for each job without one."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        data = os.read(process.stdout.fileno(), 1 << 16)
        *lines, self._unread_data = (self._unread_data + data).split(b"\n")
        results: list[tuple[Job, JobResult]] = [(self._jobs.pop(0), json.loads(line)) for line in lines]
        if not data or len(self._unread_data) > MAX_RESULT_BYTES:
            self.stop()
            for job in self._jobs:
                name = job.item.path or job.item.kind
                results.append((job, {"failed": True, "problems": [f"{name}: the inspection was interrupted"]}))
        return results

    def stop(self) -> None:
        """Kill the process, if there is one. Items of jobs without a result are inspected later."""
        process, self._process = self._process, None
        if process is not None and process.stdout is not None:
            process.kill()
            process.wait()
            process.stdout.close()


def main() -> int:
    """Run every job of the request on stdin, in order, and write the results to stdout."""
    request: Any = json.loads(sys.stdin.buffer.read())
    if hasattr(os, "nice"):
        os.nice(NICE)
    for item, *rest in request["jobs"]:
        if os.name == "posix":
            import signal

            signal.alarm(JOB_TIMEOUT_SECONDS)
        sys.stdout.write(json.dumps(do_job(request, Job(Item(*item), *rest), time.time_ns() // 1_000_000)) + "\n")
        sys.stdout.flush()
    return 0


def do_job(request: dict[str, Any], job: Job, at: int, advance: Callable[[], None] = lambda: None) -> JobResult:
    """Run one job of a request and return its result; ``at`` is UTC milliseconds. Only raises if logging fails.

    If the job finishes sessions, ``advance`` is called for each log that it reads.
    """
    known_paths = list_set_aside(request["home"])
    result = _do_job(request, job, at, advance)
    new = [describe_set_aside(path) for path in list_set_aside(request["home"]) if path not in known_paths]
    return result | {"problems": list(dict.fromkeys([*new, *result.get("problems", ())]))} if new else result


def _do_job(request: dict[str, Any], job: Job, at: int, advance: Callable[[], None]) -> JobResult:
    from mind_skills.watch import jobs

    home, item, paced = request["home"], job.item, request["paced"]
    try:
        if item.kind == "log":
            return jobs.inspect_log(home, item.path, at, paced=paced)
        if item.kind == "database":
            return jobs.inspect_database(home, item.path, at, job.since, paced=paced)
        if item.kind == "spool":
            return jobs.import_spool(home)
        if item.kind == "skill":
            return jobs.link_skill(home, item.path, job.project, at)
        if item.kind == "pending":
            return jobs.restore_pending_file(home, job.project, at)
        return jobs.finish_sessions(home, at, request["ended"], advance)
    except Exception as error:  # noqa: BLE001 -- one failing job must not stop the others
        return jobs.log_failure(home, at, f"watch {item.kind}", item.path or item.kind, error)


if __name__ == "__main__":
    sys.exit(main())
