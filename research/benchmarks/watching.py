"""Cost of `mind-skills watch`: the latency of noticing an append, idle CPU time, memory, and missed appends.

usage: python -m research.benchmarks.watching [--files N] [--appends N] [--seconds N] [--json] [--check]

The real `mind-skills watch` runs in its own home with the given number of session files. The latency ends when the
watch's line on a pipe has been read. To find missed appends, this process appends to 200 of the files in turn as fast as
it can; in the end each file must have been read to its last byte.
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

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
TARGETS = {"p90": 5.0, "idle": 0.1, "megabytes": 45.0, "missed": 0}
"""Maximum milliseconds from append to event, percent of a core, MB of resident memory, missed appends."""
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
    options = parser.parse_args()
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        files = _write_sessions(home, options.files)
        with _run_watch(home, "--verbose", "--quiet", "3600", "--longest", "3600") as process:
            figures |= _measure_latency(process, files)
            figures |= {"idle": _measure_idle_cpu(process.pid, options.seconds), "megabytes": _read_memory(process.pid)}
        with _run_watch(home, "--quiet", "1", "--longest", "5") as process:
            threading.Thread(target=_discard_output, args=(process,), daemon=True).start()
            figures |= _measure_missed_appends(home, files[-BURST:], options.appends)
            figures["megabytes after"] = _read_memory(process.pid)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            target = f"   target: {TARGETS[name]}" if name in TARGETS else ""
            print(f"{name:>16} {value:12.3f}{target}")
    return int(options.check and any(figures[name] > most for name, most in TARGETS.items()))


def _write_sessions(home: Path, count: int) -> list[Path]:
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
def _run_watch(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    program = "from mind_skills.plugin.cli import main; main()"
    line = [sys.executable, "-c", program, "watch", "--json", *arguments]
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


def _measure_latency(process: subprocess.Popen[str], files: list[Path]) -> Figures:
    """Return the milliseconds from an append to the watch's event."""
    assert process.stdout is not None
    times: list[float] = []
    rng = random.Random(7)
    for path in rng.sample(files, SAMPLES):
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        begin = time.perf_counter()
        os.write(descriptor, b"\n")
        while json.loads(process.stdout.readline()).get("path") != str(path):
            pass
        times.append((time.perf_counter() - begin) * 1000)
        os.close(descriptor)
        time.sleep(0.005)
    times.sort()
    return {"median": statistics.median(times), "p90": times[int(len(times) * 0.9)], "worst": times[-1]}


def _discard_output(process: subprocess.Popen[str]) -> None:
    """Read the watch's output, so that it does not block."""
    assert process.stdout is not None
    for _ in process.stdout:
        pass


def _measure_idle_cpu(pid: int, seconds: float) -> float:
    """Return the percentage of a core that an idle watch takes."""
    before, begin = _read_cpu_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (_read_cpu_seconds(pid) - before) / (time.monotonic() - begin)


def _read_cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, in the finest resolution of the system."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def _read_memory(pid: int) -> float:
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1024


def _measure_missed_appends(home: Path, files: list[Path], appends: int) -> Figures:
    """Return how many appends of a burst were not read within three minutes, and the seconds of the burst and of reading it."""
    descriptors = [os.open(path, os.O_WRONLY | os.O_APPEND) for path in files]
    begin = time.perf_counter()
    for number in range(appends):
        os.write(descriptors[number % len(descriptors)], b"\n")
    burst_seconds = time.perf_counter() - begin
    for descriptor in descriptors:
        os.close(descriptor)
    until = time.monotonic() + 180
    while (unread := _count_unread_bytes(home, files)) and time.monotonic() < until:
        time.sleep(0.5)
    return {"appends": appends, "burst": burst_seconds, "missed": unread, "caught up": time.perf_counter() - begin}


def _count_unread_bytes(home: Path, files: list[Path]) -> int:
    """Return the number of bytes that were not read, each of which is one append, plus one for each unread file."""
    with Ledger.open(home / "state") as ledger:
        sessions = [ledger.find_session(path.stem) for path in files]
    sizes = [0 if session is None else session.size for session in sessions]
    return sum(path.stat().st_size - size for path, size in zip(files, sizes, strict=True) if size > 0) + sum(
        size <= 0 for size in sizes
    )


if __name__ == "__main__":
    sys.exit(main())
