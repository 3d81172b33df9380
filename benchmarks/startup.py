"""Start-up cost of each command relative to a bare interpreter, on a machine in regular use (usual.py)."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import usual

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
)
"""Arguments of commands that agents and people run. No command affects another."""
COMMANDS = {
    "bare interpreter (B)": BARE,
    "interpreter with site-packages": [sys.executable, "-c", "pass"],
    **{f"import {name}": [sys.executable, "-c", f"import {name}"] for name in IMPORTS},
    **{f"mind-skills {words}": [SCRIPT, *words.split()] for words in WORDS},
}


def measure(rounds: int) -> dict[str, float]:
    """Return the median seconds of each command; every round runs all of them in a new random order."""
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
                subprocess.run(
                    COMMANDS[name],
                    cwd=root / "project",
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=True,
                )
                if turn:  # the first round warms the caches
                    taken[name].append(time.perf_counter() - begin)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    medians = measure(args.rounds)
    bare = medians["bare interpreter (B)"]
    if args.json:
        print(json.dumps({name: round(seconds / bare, 2) for name, seconds in medians.items()}))
        return
    for name, seconds in medians.items():
        print(f"{name:36} {seconds / bare:6.2f} B   ({seconds * 1000:.0f} ms here)")


if __name__ == "__main__":
    main()
