"""Scans whose processes are killed: what was written remains, the next scan reads the rest, and no process is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet.scanning import list_findings, read_rows, run_scan
from tests.testkit.paths import ROOT
from tests.testkit.processes import wait_for_processes

pytestmark = pytest.mark.extras
WAIT = 60.0
"""Seconds until a test gives up; on a machine in use the start of a cluster takes a dozen."""


class Scene:
    """Processes that share a state folder, by which remaining ones are found."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.logs, self.out, self.state, self.marks = logs, folder / "scan", folder / "state", folder / "marks"
        self.marks.mkdir()
        self.environment = os.environ | {"MIND_SKILLS_HOME": str(self.state), "FLEET_MARKS": str(self.marks)}
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.started.append(process)
        return process

    def start_scan(self, workers: int, scheduler: str = "") -> subprocess.Popen[bytes]:
        arguments = ("read_slowly", str(self.out), str(workers), scheduler, str(self.logs))
        return self.start("-m", "tests.fleet.scanning", *arguments)

    def start_scheduler(self) -> tuple[subprocess.Popen[bytes], str]:
        """Start a scheduler of its own; returns it with its address."""
        scheduler = self.start(
            "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show"
        )
        address = ""
        while not address and scheduler.stdout is not None and (line := scheduler.stdout.readline()):
            found = re.search(rb"tcp://127\.0\.0\.1:\d+", line)
            address = found[0].decode() if found else ""
        return scheduler, address

    def start_worker(self, address: str) -> subprocess.Popen[bytes]:
        return self.start(
            *("-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"),
            # It ends so long after its scheduler, and has so long to start.
            *("--death-timeout", str(WAIT / 2)),
        )

    def wait_for_mark(self, count: int = 1) -> tuple[int, int]:
        """Wait until so many files are begun; returns the process ids of a child and of its worker."""
        end = time.monotonic() + WAIT
        while len(found := sorted(self.marks.iterdir(), key=lambda path: path.stat().st_mtime_ns)) < count:
            assert time.monotonic() < end, [process.poll() for process in self.started]
            time.sleep(0.01)
        child, worker, _ = found[-1].name.split("-", 2)
        return int(child), int(worker)

    def finish(self, tmp_path: Path) -> None:
        """Complete the scan, and compare it with an undisturbed one."""
        wait_for_processes(self.state, WAIT)
        run_scan(self.logs, self.out)
        run_scan(self.logs, tmp_path / "clean")
        assert list_findings(self.out) == list_findings(tmp_path / "clean")
        assert len(read_rows(self.out)) == 12


@pytest.fixture
def scene(tmp_path: Path, logs: Path) -> Iterator[Scene]:
    made = Scene(tmp_path, logs)
    yield made
    for process in made.started:
        process.kill()
        process.communicate()


def test_a_scan_completes_after_a_worker_was_killed(scene: Scene, tmp_path: Path) -> None:
    scan = scene.start_scan(2)
    _, worker = scene.wait_for_mark()
    os.kill(worker, signal.SIGKILL)
    printed = scan.communicate(timeout=2 * WAIT)[0]
    assert (scan.returncode, len(read_rows(scene.out))) == (0, 12), printed
    scene.finish(tmp_path)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_scan_whose_client_was_ended_is_completed_by_the_next_one(
    scene: Scene, tmp_path: Path, sent: signal.Signals
) -> None:
    scan = scene.start_scan(1)
    scene.wait_for_mark(2)
    scan.send_signal(sent)
    printed = scan.communicate(timeout=WAIT)[0]
    assert scan.returncode == (-sent if sent == signal.SIGKILL else 130), printed
    scene.finish(tmp_path)


def test_a_scan_whose_scheduler_was_killed_fails_and_is_completed_by_the_next_one(scene: Scene, tmp_path: Path) -> None:
    scheduler, address = scene.start_scheduler()
    worker = scene.start_worker(address)
    scan = scene.start_scan(0, address)
    scene.wait_for_mark(2)
    scheduler.kill()
    printed = scan.communicate(timeout=2 * WAIT)[0]
    assert scan.returncode == 1
    assert b"the connection to the scheduler was lost" in printed
    worker.terminate()
    worker.communicate(timeout=WAIT)
    scene.finish(tmp_path)
