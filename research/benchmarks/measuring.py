"""Code that several benchmarks share: processes with their resource usage, log files, and the slope of a growth."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "sessions"
MIND_SKILLS = str(Path(sys.executable).with_name("mind-skills"))
DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
FIXTURES = ROOT / "fixtures"
LOGS = (".jsonl", ".json", ".traj")


class ProcessUsage(NamedTuple):
    """A finished process: CPU seconds (with children and system time), wall-clock seconds, peak memory in MB."""

    cpu: float
    wall: float
    megabytes: float


def run(command: Sequence[str], home: Path) -> ProcessUsage:
    """Run a command with ``home`` as its home folder and a minimal environment, discarding its output.

    Raises:
        SystemExit: the command failed.
    """
    clean = {"HOME": str(home), "MIND_SKILLS_HOME": str(home / "state"), "PATH": os.environ.get("PATH", "")}
    begin = time.perf_counter()
    with subprocess.Popen(command, env=clean, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"{' '.join(command)[:200]} ended with {process.returncode}")
    return ProcessUsage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def list_logs(folder: Path) -> list[Path]:
    """List the logs below a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix in LOGS and path.is_file())


def list_fixture_logs() -> list[Path]:
    """List the session logs among the fixtures, which are small: for use without real logs."""
    logs = (path for path in list_logs(FIXTURES) if "payloads" not in path.parts)
    return [path for path in logs if path.stat().st_size > 2_000]


@contextmanager
def repeat_logs(logs: Sequence[Path], megabytes: int) -> Iterator[Path]:
    """Create a folder that repeats the logs up to this size in megabytes; repetitions are hard links."""
    size = sum(log.stat().st_size for log in logs)
    with TemporaryDirectory() as temporary:
        for number in range(max(1, round(megabytes * 1_000_000 / size))):
            folder = Path(temporary, f"{number:04}")
            folder.mkdir()
            for log in logs:
                first = Path(temporary, "0000", log.name)
                os.link(first, folder / log.name) if number else shutil.copyfile(log, first)
        yield Path(temporary)


def compute_slope(points: Sequence[tuple[int, float]]) -> float:
    """Return the exponent of a growth, by least squares on logarithms: 1 is linear, 2 is quadratic."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(max(y, 1e-9)) for _, y in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - middle_x) ** 2 for x in xs
    )
