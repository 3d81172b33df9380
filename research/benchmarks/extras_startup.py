"""Cost of a start with the extras installed, as a multiple of the cost without them.

Run by the Python of an environment with the extras; ``--without`` is the Python of one without. Each round runs every
command once in both, in random order. It prints the medians over the rounds of the ratios of CPU seconds and of
wall-clock seconds.
"""

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
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from mind_skills.plugin.command import find_entry_script
from research.benchmarks.hook_scenes import ROOT, Scene, collect_orphans, let_orphans_end, stage_five_candidates

LIMIT = 1.05
ROUNDS = 40


class Duration(NamedTuple):
    """CPU and wall-clock seconds of a process."""

    cpu: float
    wall: float


def run_command(command: list[str], scene: Scene) -> Duration:
    """Run a command in a scene's project."""
    begin = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=scene.project,
        env=scene.environment(scene.home / "data"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(scene.payload)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Duration(usage.ru_utime + usage.ru_stime, time.perf_counter() - begin)


def list_commands(python: str) -> dict[str, list[str]]:
    """Return the commands to run with a Python."""
    script = str(Path(python).with_name("mind-skills"))
    return {
        "mind-skills status": [script, "status"],
        "mind-skills memory --help": [script, "memory", "--help"],
        "SessionStart, five wait": [python, "-I", "-S", find_entry_script(), "claude-code", "start"],
        "SessionStart, as a command": [script, "hook", "claude-code", "start"],
    }


def measure(without: str, rounds: int, folder: Path) -> dict[str, Duration]:
    """Return the ratio of each command's duration with the extras to that without."""
    scene = Scene(folder / "home", stage_five_candidates, "SessionStart", source="startup")
    both = {"with": list_commands(sys.executable), "without": list_commands(without)}
    ratios: dict[str, list[Duration]] = {name: [] for name in both["with"]}
    rng = random.Random(0)
    for turn in range(rounds + 1):
        for name, taken in ratios.items():
            durations: dict[str, Duration] = {}
            for which in rng.sample(list(both), 2):
                let_orphans_end()
                scene.renew()
                durations[which] = run_command(both[which][name], scene)
            if turn:  # the first round warms the caches
                first, second = durations["with"], durations["without"]
                taken.append(Duration(first.cpu / second.cpu, first.wall / second.wall))
    return {
        name: Duration(
            statistics.median(ratio.cpu for ratio in taken), statistics.median(ratio.wall for ratio in taken)
        )
        for name, taken in ratios.items()
    }


def has_no_extras(python: str) -> bool:
    """Return whether an environment has no extras."""
    code = "import sys; from importlib.util import find_spec; sys.exit(any(map(find_spec, sys.argv[1:])))"
    return not subprocess.run([python, "-c", code, "lancedb", "sentence_transformers"], check=False).returncode


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", default=str(ROOT / ".venv-check/bin/python"), help="a Python that has no extras")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not all(map(find_spec, ("lancedb", "sentence_transformers"))):
        raise SystemExit("this Python does not have the extras: run make bench-extras")
    other = str(Path.cwd() / args.without)  # do not resolve it: a venv's Python is a link
    if not Path(other).exists() or not has_no_extras(other):
        raise SystemExit(f"{args.without} is not a Python without the extras: run make check to create one")
    collect_orphans()
    with tempfile.TemporaryDirectory() as folder:
        ratios = measure(other, args.rounds, Path(folder))
        if any(ratio.cpu > LIMIT for ratio in ratios.values()):  # a busy machine or a real difference: measure longer
            ratios = measure(other, 3 * args.rounds, Path(folder))
    if args.json:
        print(json.dumps({name: ratio._asdict() for name, ratio in ratios.items()}))
    else:
        for name, ratio in ratios.items():
            print(f"{name:28} {ratio.cpu:5.2f} CPU seconds, {ratio.wall:5.2f} wall-clock seconds")
    if slower := [name for name, ratio in ratios.items() if ratio.cpu > LIMIT]:
        raise SystemExit(f"slower than {LIMIT} with the extras: {', '.join(slower)}")


if __name__ == "__main__":
    main()
