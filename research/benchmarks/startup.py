"""Start-up cost of each command relative to a bare interpreter, on a machine in regular use (usual.py)."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from research.benchmarks import usual

BARE = [sys.executable, "-I", "-S", "-c", "pass"]
SCRIPT = str(Path(sys.executable).with_name("mind-skills"))
IMPORTS = ("mind_skills.hooks.session_state", "mind_skills.plugin.cli")
WORDS = (
    "--version",
    "--help",
    "status",
    "status --json",
    "status --help",
    "pending",
    "learn",
    f"show {usual.ACCEPTED}",
    "undo --dry-run",
    "skills",
    "patterns",
    "proof",
    "task outcome list",
    "task plan x",
    "memory search x",
    "config list",
    "review",
    "pending --help",
    "show --help",
    "replay --help",
    "memory search --help",
)
"""Arguments of commands that agents and people run. No command affects another."""
COMMANDS = {
    "bare interpreter (B)": BARE,
    "interpreter with site-packages": [sys.executable, "-c", "pass"],
    **{f"import {name}": [sys.executable, "-c", f"import {name}"] for name in IMPORTS},
    **{f"mind-skills {words}": [SCRIPT, *words.split()] for words in WORDS},
}


def measure(rounds: int, *, cpu: bool = False) -> dict[str, float]:
    """Return the median seconds of each command, or CPU seconds; every round runs all of them in a new random order.

    Raises SystemExit if a command fails.
    """
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    order = list(COMMANDS)
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        environment = usual.prepare_machine(root)
        for turn in range(rounds + 1):
            rng.shuffle(order)
            for name in order:
                begin = time.perf_counter()
                with subprocess.Popen(
                    COMMANDS[name],
                    cwd=root / "project",
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ) as process:
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
                wall = time.perf_counter() - begin
                if process.returncode:
                    raise SystemExit(f"{name} ended with {process.returncode}")
                if turn:  # the first round warms the caches
                    taken[name].append(usage.ru_utime + usage.ru_stime if cpu else wall)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="measure CPU time, on which other load has less effect")
    args = parser.parse_args()
    medians = measure(args.rounds, cpu=args.cpu)
    bare = medians["bare interpreter (B)"]
    if args.json:
        print(json.dumps({name: round(seconds / bare, 2) for name, seconds in medians.items()}))
        return
    for name, seconds in medians.items():
        print(f"{name:36} {seconds / bare:6.2f} B   ({seconds * 1000:.0f} ms here)")


if __name__ == "__main__":
    main()
