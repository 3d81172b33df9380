"""Speed and memory of `mind-skills fleet scan` on generated sessions with one and two workers, extrapolated to a million.

usage: python -m research.benchmarks.fleet [--sessions N ...] [--workers N ...] [--objects N] [--json]
       python -m research.benchmarks.fleet --compare FOLDER [--json]
       python -m research.benchmarks.fleet --compare made --sessions N [--json]

The sessions are those of the demo, each with another id, project and time. They are written into a temporary folder, which
is deleted at the end. Memory is the sum of the unique set sizes (USS) of the processes of each kind, sampled every second:
the client, which is also the scheduler, the workers and their children. Needs the extra `fleet`.

With --compare, the findings of a scan of the logs in a folder, or of N generated sessions, are compared with those of
`mind-skills replay --jobs 2`: session, fingerprint, title, kind, probability and tier. The exit code is 1 if they differ. Both
print their processor time and peak memory, with all their processes.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from research.benchmarks.measuring import DEMO, MIND_SKILLS, run
from tests.fleet.object_server import serve_objects
from tests.fleet.scanning import list_findings, list_replayed

FIRST_WEEK = 1_767_600_000
"""2026-01-05 in seconds since the epoch: the sessions are in the 52 weeks from then on."""
MILLION = 1_000_000


def write_sessions(folder: Path, count: int, seed: int = 1) -> int:
    """Write ``count`` logs of 500 projects, 1,000 per folder; return their size in bytes."""
    chance = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in (DEMO, DEMO.with_name("second.jsonl"))]
    size = 0
    for number in range(count):
        text = texts[number % 8 == 7]
        first = next(record for line in text.splitlines() if "cwd" in (record := json.loads(line)))
        week = time.strftime("%Y-%m-%d", time.gmtime(FIRST_WEEK + chance.randrange(364) * 86_400))
        made = text.replace(first["sessionId"], f"{seed}-{number}").replace(
            first["cwd"], f"/srv/project-{chance.randrange(500)}"
        )
        made = made.replace(first["timestamp"][:10], week).replace("one cent", f"{chance.randrange(10**6)} cents")
        path = folder / f"{number // 1_000}" / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(made, encoding="utf-8")
        size += len(made.encode())
    return size


def watch(command: Sequence[str], home: Path) -> tuple[bytes, dict[str, Any]]:
    """Run a command; return its output, and the seconds, the processor's seconds and the peak memory in MB by kind of process."""
    clean = os.environ | {"HOME": str(home), "MIND_SKILLS_HOME": str(home / "state")}
    peaks = {"client": 0.0, "workers": 0.0, "children": 0.0}
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, env=clean, stdout=subprocess.PIPE) as process:
        stopped = threading.Event()
        sampler = threading.Thread(target=_sample, args=(process.pid, peaks, stopped))
        sampler.start()
        printed = process.communicate()[0]
        stopped.set()
        sampler.join()
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)[:200]} ended with {process.returncode}: {printed[-500:].decode()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return printed, {"seconds": seconds, "cpu": cpu, "peaks": {name: round(peaks[name]) for name in peaks}}


def scan(source: str, out: Path, home: Path, workers: int, *options: str) -> dict[str, Any]:
    """Scan in a separate process; return the last event, with what `watch` measures."""
    command = [MIND_SKILLS, "fleet", "scan", source, "--out", str(out), "--workers", str(workers), "--json", *options]
    printed, measured = watch(command, home)
    last: dict[str, Any] = json.loads(printed.splitlines()[-1])
    if last["event"] != "done":
        raise SystemExit(f"the scan ended with {last}")
    return last | measured | {"workers": workers}


def _sample(pid: int, peaks: dict[str, float], stopped: threading.Event) -> None:
    psutil: Any = importlib.import_module("psutil")  # a dependency of distributed
    client = psutil.Process(pid)
    while not stopped.wait(1):
        sums = dict.fromkeys(peaks, 0.0)
        try:
            processes = [client, *client.children(recursive=True)]
        except psutil.Error:
            continue
        for process in processes:
            try:
                text = " ".join(process.cmdline())
                kind = "client" if process == client else "children" if "mind_skills.fleet.child" in text else "workers"
                sums[kind] += process.memory_full_info().uss / 1e6
            except psutil.Error:
                continue
        for name, value in sums.items():
            peaks[name] = max(peaks[name], value)


def measure_objects(folder: Path, home: Path, count: int) -> dict[str, Any]:
    """Scan the same logs with one worker, from disk and from an object storage server on this machine."""
    logs = sorted(folder.rglob("*.jsonl"))[:count]
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}
    (home / "some").mkdir()
    with serve_objects() as server:
        for path in logs:
            server.objects[f"bucket/logs/{path.name}"] = path.read_bytes()
            (home / "some" / path.name).write_bytes(path.read_bytes())
        local = scan(str(home / "some"), home / "local", home, 1)
        remote = scan(server.address("bucket/logs"), home / "remote", home, 1)
    milliseconds = 1_000 * (remote["seconds"] - local["seconds"]) / len(logs)
    same = local["findings"] == remote["findings"]
    return {"objects": len(logs), "objects_same_findings": same, "ms_per_object": round(milliseconds, 1)}


def compare_with_replay(folder: Path, home: Path) -> dict[str, Any]:
    """Scan and replay the logs of ``folder`` by two processes; return how many findings each has, those that only one has, and the cost."""
    scanned = scan(str(folder), home / "scan", home, 2, "--titles")
    printed, replay = watch([MIND_SKILLS, "replay", "--jobs", "2", "--json", str(folder)], home)
    found = Counter(list_findings(home / "scan"))
    replayed = Counter(list_replayed(json.loads(printed)))
    return {
        "logs": scanned["logs"],
        "usage": {
            name: {
                "cpu_ms_per_log": round(1_000 * usage["cpu"] / scanned["logs"], 2),
                "seconds": round(usage["seconds"], 1),
                "megabytes": usage["peaks"],
            }
            for name, usage in (("scan", scanned), ("replay", replay))
        },
        "scanned": found.total(),
        "replayed": replayed.total(),
        "only_scanned": list((found - replayed).elements()),
        "only_replayed": list((replayed - found).elements()),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed and memory of fleet scans.")
    parser.add_argument("--sessions", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--objects", type=int, default=200)
    parser.add_argument("--compare", metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.compare:
        return compare_and_print(options.compare, options.sessions[0], as_json=options.json)
    rows: list[dict[str, Any]] = []
    for count in options.sessions:
        with TemporaryDirectory() as temporary:
            folder, home = Path(temporary) / "logs", Path(temporary) / "home"
            folder.mkdir()
            home.mkdir()
            size = write_sessions(folder, count)
            for workers in options.workers:
                found = scan(str(folder), home / f"scan-{workers}", home, workers)
                parts = sum(path.stat().st_size for path in (home / f"scan-{workers}" / "parts").iterdir())
                rows.append(found | {"megabytes": size / 1e6, "bytes_per_session": parts / count})
            report = run([MIND_SKILLS, "fleet", "report", str(home / f"scan-{options.workers[0]}"), "--json"], home)
            rows[-1] |= {"report_seconds": report.wall, "report_megabytes": report.megabytes}
            if options.objects and count == options.sessions[0]:
                rows[-1] |= measure_objects(folder, home, options.objects)
            if count == options.sessions[0] and count <= 10_000:
                rows[-1] |= {
                    "replay_seconds": run([MIND_SKILLS, "replay", "--jobs", "1", "--json", str(folder)], home).wall
                }
    print(json.dumps(rows, indent=2) if options.json else format_rows(rows))
    return 0


def compare_and_print(source: str, count: int, *, as_json: bool) -> int:
    """Compare a scan of ``source``, a folder or ``made``, with `replay`; return 1 if the findings differ."""
    with TemporaryDirectory() as temporary:
        home, folder = Path(temporary) / "home", Path(source)
        home.mkdir()
        if source == "made":
            folder = Path(temporary) / "logs"
            folder.mkdir()
            write_sessions(folder, count)
        compared = compare_with_replay(folder, home)
    differ = len(compared["only_scanned"]) + len(compared["only_replayed"])
    print(
        json.dumps(compared, indent=2)
        if as_json
        else f"{compared['logs']} logs: {compared['scanned']} findings of the scan, {compared['replayed']} of replay,"
        f" {differ} that only one of them has\n"
        + "\n".join(f"{name}: {usage}" for name, usage in compared["usage"].items())
    )
    return int(bool(differ))


def format_rows(rows: list[dict[str, Any]]) -> str:
    """Format a line for each scan, the speed-up at each size, and an estimate for a million sessions at the last rate."""
    lines = [
        f"{row['logs']} sessions, {row['megabytes']:.0f} MB, {row['workers']} workers: {row['seconds']:.1f} s,"
        f" {row['findings']} findings, {row['setAside']} set aside, MB: {row['peaks']},"
        f" {row['bytes_per_session']:.0f} bytes of Parquet per session"
        + "".join(f", {name} {row[name]}" for name in row if name.startswith(("report_", "ms_", "objects", "replay_")))
        for row in rows
    ]
    lines += [
        f"{one['logs']} sessions: 2 workers are {one['seconds'] / two['seconds']:.2f} x one"
        for one in rows
        for two in rows
        if one["logs"] == two["logs"] and (one["workers"], two["workers"]) == (1, 2)
    ]
    if len({row["logs"] for row in rows}) > 1:
        own = [row for row in rows if row["workers"] == rows[-1]["workers"]]
        rate = (own[-1]["seconds"] - own[0]["seconds"]) / (own[-1]["logs"] - own[0]["logs"])
        growth = (own[-1]["peaks"]["client"] - own[0]["peaks"]["client"]) / (own[-1]["logs"] - own[0]["logs"])
        lines.append(
            f"{MILLION} sessions of this size by {own[-1]['workers']} workers: {rate * MILLION / 3_600:.2f} hours,"
            f" {own[-1]['peaks']['client'] + growth * (MILLION - own[-1]['logs']):.0f} MB in the client (linear)"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
