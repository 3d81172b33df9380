"""What it costs to start: each command against a bare interpreter, in shuffled order within one run."""

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

BARE = [sys.executable, "-I", "-S", "-c", "pass"]
SCRIPT = str(Path(sys.executable).with_name("mind-skills"))
COMMANDS = {
    "bare interpreter (B)": BARE,
    "interpreter with site-packages": [sys.executable, "-c", "pass"],
    "import mind_skills.hooks.moment": [sys.executable, "-c", "import mind_skills.hooks.moment"],
    "import mind_skills.plugin.cli": [sys.executable, "-c", "import mind_skills.plugin.cli"],
    "mind-skills --version": [SCRIPT, "--version"],
    "mind-skills status": [SCRIPT, "status"],
    "mind-skills --help": [SCRIPT, "--help"],
}


def measure(rounds: int) -> dict[str, float]:
    """Median seconds of each command; every round runs them all, each time in another order."""
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    order = list(COMMANDS)
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as home:
        scrubbed = {"HOME": home, "MIND_SKILLS_HOME": f"{home}/state", "PATH": os.environ.get("PATH", "")}
        for turn in range(rounds + 1):
            chance.shuffle(order)
            for name in order:
                begun = time.perf_counter()
                subprocess.run(COMMANDS[name], env=scrubbed, stdout=subprocess.DEVNULL, check=True)
                if turn:  # the first round fills the caches
                    taken[name].append(time.perf_counter() - begun)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def main() -> None:
    """The command."""
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
