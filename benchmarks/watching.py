"""Cost of `mind-skills watch`: the latency of noticing an append, idle CPU time, memory, and missed appends.

python -m benchmarks.watching [--files N] [--appends N] [--seconds N] [--json] [--check]

The real `mind-skills watch` runs in its own home with the given number of session files. The latency ends with its line
on a pipe, so it includes writing and reading that line. To find missed appends, a burst goes to 200 of the files in
turn as fast as this process can write; in the end each file must have been read to its last byte.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mind_skills.staging.ledger import Ledger

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
TARGETS = {"p90": 5.0, "idle": 0.1, "megabytes": 45.0, "missed": 0}
"""Milliseconds from append to event, percent of a core, MB of resident memory, appends."""
SAMPLES = 400
BURST = 200
"""Number of files in a burst."""
Figures = dict[str, float]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure `mind-skills watch`.")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--appends", type=int, default=60_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of idle time")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    given = parser.parse_args()
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        files = _sessions(home, given.files)
        with _watch(home, "--verbose", "--quiet", "3600", "--longest", "3600") as process:
            figures |= _noticed(process, files)
            figures |= {"idle": _idle(process.pid, given.seconds), "megabytes": _megabytes(process.pid)}
        with _watch(home, "--quiet", "1", "--longest", "5") as process:
            threading.Thread(target=_drain, args=(process,), daemon=True).start()
            figures |= _missed(home, files[-BURST:], given.appends)
            figures["megabytes after"] = _megabytes(process.pid)
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            target = f"   target: {TARGETS[name]}" if name in TARGETS else ""
            print(f"{name:>16} {value:12.3f}{target}")
    return int(given.check and any(figures[name] > most for name, most in TARGETS.items()))


def _sessions(home: Path, count: int) -> list[Path]:
    """Write ``count`` old logs in a hundred projects."""
    project = home / "project"
    (project / ".git").mkdir(parents=True)
    text = DEMO.read_text().replace("/home/dev/shop", str(project))
    head = "".join(text.splitlines(keepends=True)[:2])
    files: list[Path] = []
    for number in range(count):
        path = home / ".claude" / "projects" / f"p{number % 100:03}" / f"{number:08x}-0000-4000-8000-000000000000.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        files.append(path)
    return files


@contextmanager
def _watch(home: Path, *paces: str) -> Iterator[subprocess.Popen[str]]:
    program = "from mind_skills.plugin.cli import main; main()"
    line = [sys.executable, "-c", program, "watch", "--json", *paces]
    clean = {"HOME": str(home), "MIND_SKILLS_HOME": str(home / "state"), "PATH": os.environ.get("PATH", "")}
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(line, env=clean, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            while json.loads(process.stdout.readline())["event"] != "started":
                pass
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _noticed(process: subprocess.Popen[str], files: list[Path]) -> Figures:
    """Return the milliseconds from an append to the watch's event."""
    assert process.stdout is not None
    times: list[float] = []
    chance = random.Random(7)
    for path in chance.sample(files, SAMPLES):
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        begun = time.perf_counter()
        os.write(descriptor, b"\n")
        while json.loads(process.stdout.readline()).get("path") != str(path):
            pass
        times.append((time.perf_counter() - begun) * 1000)
        os.close(descriptor)
        time.sleep(0.005)
    times.sort()
    return {"median": statistics.median(times), "p90": times[int(len(times) * 0.9)], "worst": times[-1]}


def _drain(process: subprocess.Popen[str]) -> None:
    """Read the watch's output, so that it does not block."""
    assert process.stdout is not None
    for _ in process.stdout:
        pass


def _idle(pid: int, seconds: float) -> float:
    """Return the percentage of a core that an idle watch takes."""
    before, begun = _cpu(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (_cpu(pid) - before) / (time.monotonic() - begun)


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process, in the finest resolution of the system."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def _megabytes(pid: int) -> float:
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1024


def _missed(home: Path, files: list[Path], appends: int) -> Figures:
    """Return how many appends of a burst were not read when all is quiet again, and the rate of the burst."""
    descriptors = [os.open(path, os.O_WRONLY | os.O_APPEND) for path in files]
    begun = time.perf_counter()
    for number in range(appends):
        os.write(descriptors[number % len(descriptors)], b"\n")
    took = time.perf_counter() - begun
    for descriptor in descriptors:
        os.close(descriptor)
    until = time.monotonic() + 180
    while (behind := _behind(home, files)) and time.monotonic() < until:
        time.sleep(0.5)
    return {"appends": appends, "burst": took, "missed": behind, "caught up": time.perf_counter() - begun}


def _behind(home: Path, files: list[Path]) -> int:
    """Return the bytes that were not read; each is one append."""
    with Ledger.open(home / "state") as ledger:
        known = [ledger.find_session(path.stem) for path in files]
    sizes = [0 if seen is None else seen.size for seen in known]
    return sum(path.stat().st_size - size for path, size in zip(files, sizes, strict=True) if size > 0) + sum(
        size <= 0 for size in sizes
    )


if __name__ == "__main__":
    sys.exit(main())
