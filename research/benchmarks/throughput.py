"""Speed of reading and analysing logs, relative to the minimum cost of reading them.

usage: python -m research.benchmarks.throughput [--logs FOLDER] [--megabytes N] [--rounds N] [--work SECONDS] [--json]

Without a folder of real logs, ``--megabytes`` of fixtures are used: they are so small that opening files takes most of
the time, and the numbers are not comparable.

The minimum is a program that reads each line of the same logs and parses it with orjson. It and `mind-skills replay
--jobs 1` are measured by CPU time in one interleaved run, each without its start-up, which is measured with the log of the
demo. Each run is a new process that reads every log once, since cleaned texts are cached and repeated logs would seem faster.
`--jobs 2` is measured in wall-clock time relative to `--jobs 1`, on work that takes one process ``--work`` seconds or
more, which may repeat the logs.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from research.benchmarks.measuring import (
    CORPUS,
    DEMO,
    MIND_SKILLS,
    ProcessUsage,
    list_fixture_logs,
    list_logs,
    repeat_logs,
    run,
)

FLOOR = """
import sys
from pathlib import Path
from orjson import loads
for path in sorted(Path(sys.argv[1]).rglob("*")) if Path(sys.argv[1]).is_dir() else [Path(sys.argv[1])]:
    if path.suffix not in (".jsonl", ".json", ".traj"):
        continue
    with path.open("rb") as log:
        for data in log if path.suffix == ".jsonl" else [log.read()]:
            try:
                loads(data)
            except ValueError:
                pass
"""
TARGETS = {"percent": 8.0, "jobs": 1.7}


def list_commands(folder: Path) -> dict[str, list[str]]:
    """Return the compared commands, each also with a short log, which measures its start-up."""
    floor, replay = [sys.executable, "-c", FLOOR], [MIND_SKILLS, "replay", "--json", "--jobs", "1"]
    return {
        "floor": [*floor, str(folder)],
        "floor start": [*floor, str(DEMO)],
        "replay": [*replay, str(folder)],
        "replay start": [*replay, str(DEMO)],
    }


def measure_speed(folder: Path, rounds: int, home: Path) -> dict[str, float]:
    """Return the megabytes per second of the minimum and of replay, and their ratio; each reads the folder once."""
    size = sum(log.stat().st_size for log in list_logs(folder)) / 1e6
    taken: dict[str, list[ProcessUsage]] = {name: [] for name in list_commands(folder)}
    for number in range(rounds):
        order = list(list_commands(folder).items())
        for name, command in order if number % 2 else reversed(order):
            taken[name].append(run(command, home))
    cpu = {name: statistics.median(ran.cpu for ran in each) for name, each in taken.items()}
    floor, replay = cpu["floor"] - cpu["floor start"], cpu["replay"] - cpu["replay start"]
    return {
        "megabytes": round(size, 1),
        "floorMegabytesASecond": round(size / floor, 1),
        "replayMegabytesASecond": round(size / replay, 1),
        "percent": round(100 * floor / replay, 2),
        "peakMegabytes": round(max(ran.megabytes for ran in taken["replay"]), 1),
    }


def measure_jobs(logs: list[Path], work: float, pace: float, rounds: int, home: Path) -> dict[str, float]:
    """Return the speed-up by a second process; ``pace`` is the speed of one, in megabytes per second."""
    with repeat_logs(logs, math.ceil(1.15 * work * pace)) as folder:
        walls: dict[int, list[float]] = {1: [], 2: []}
        for number in range(rounds):
            for count in (1, 2) if number % 2 else (2, 1):
                command = [MIND_SKILLS, "replay", "--json", "--jobs", str(count), str(folder)]
                walls[count].append(run(command, home).wall)
    one, two = statistics.median(walls[1]), statistics.median(walls[2])
    return {"jobs": round(one / two, 2), "secondsOfOne": round(one, 1)}


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--logs", type=Path)
    parser.add_argument("--megabytes", type=int, default=30, help="megabytes of fixtures, without real logs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=float, default=10.0, help="0 skips --jobs 2")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.logs and not list_logs(args.logs):
        raise SystemExit(f"no logs in {args.logs}: use --logs to give a folder of session logs")
    folder: Path = args.logs or CORPUS
    logs = list_logs(folder)
    found: dict[str, float | str] = {"logs": "real" if logs else "fixtures"}
    with TemporaryDirectory() as home:
        if logs:
            measured = measure_speed(folder, args.rounds, Path(home))
        else:
            print("no real logs: using the fixtures instead; use --logs FOLDER for real ones", file=sys.stderr)
            with repeat_logs(list_fixture_logs(), args.megabytes) as folder_of_fixtures:
                measured = measure_speed(folder_of_fixtures, args.rounds, Path(home))
        found |= measured
        if args.work and logs:
            found |= measure_jobs(logs, args.work, measured["replayMegabytesASecond"], min(3, args.rounds), Path(home))
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        target = f"   (target {TARGETS[name]:g})" if name in TARGETS else ""
        print(f"{name:24} {value:>8}{target}")


if __name__ == "__main__":
    main()
