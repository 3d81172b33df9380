"""What a checkpoint costs in a session that grows: its CPU follows what is new, not how long the session already is.

Writes Claude Code transcripts of several sizes into a temporary folder, looks at each once, adds the same new turns to
each, and measures the CPU of the checkpoint that sees them. Each is a process of its own, as behind the hook, and is
given as a multiple of the CPU of a bare interpreter (B) measured beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.big_transcript import turns

IDLE = """
import sys
from mind_skills.hooks.idle import idle
from mind_skills.hooks.moment import Moment
home, project, log, at = sys.argv[1:]
problems = idle(home, Moment("claude-code", "big", project, log, int(at)), interval=0)
sys.exit("\\n".join(problems) or None)
"""
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
NEW = 40
"""Turns that are added between two checkpoints."""


def cpu(command: list[str]) -> float:
    """Seconds of CPU that a process took, its own and the system's for it."""
    with subprocess.Popen(command) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def append(log: Path, first: int, count: int) -> int:
    """Add turns; returns their bytes."""
    text = "".join(turns(first, count))
    with log.open("a", encoding="utf-8") as file:
        file.write(text)
    return len(text.encode())


def measure(root: Path, megabytes: int, rounds: int) -> dict[str, float]:
    """The first look at a log of this size, and the median of ``rounds`` looks that each see the same number of new turns."""
    log, number, size = root / f"{megabytes}.jsonl", 0, 0
    while size < megabytes << 20:
        size += append(log, number, 500)
        number += 500
    (root / "project" / ".git").mkdir(parents=True, exist_ok=True)
    at = 1_700_000_000_000

    def look() -> float:
        nonlocal at
        at += 1_000
        return cpu(
            [sys.executable, "-c", IDLE, str(root / f"state-{megabytes}"), str(root / "project"), str(log), str(at)]
        )

    whole, later, bare = look(), list[float](), list[float]()
    for _ in range(rounds):
        append(log, number, NEW)
        number += NEW
        later.append(look())
        bare.append(cpu(BARE))
    base = statistics.median(bare)
    return {"megabytes": size >> 20, "whole": round(whole / base, 1), "new": round(statistics.median(later) / base, 1)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 10, 50], metavar="MB")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        rows = [measure(Path(root), size, asked.rounds) for size in asked.sizes]
    growth = round(rows[-1]["new"] / rows[0]["new"], 2)
    if asked.json:
        print(json.dumps({"checkpoints": rows, "growth": growth}))
        return
    print(f"CPU as multiples of B; {NEW} new turns each time")
    for row in rows:
        print(f"{row['megabytes']:>6.0f} MB   whole {row['whole']:>8.1f} B   new turns {row['new']:>6.1f} B")
    print(f"the largest log costs {growth} times what the smallest costs")


if __name__ == "__main__":
    main()
