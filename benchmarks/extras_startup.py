"""What a start costs with the extras installed, as a multiple of what it costs without them.

Run by the Python of an environment that has them; ``--without`` is the Python of one that has not. Each round runs every
command once in either, one after the other and in changing order; told are medians over the rounds of one's CPU seconds
divided by the other's, and of the seconds on the clock.
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

from benchmarks.hook_scenes import ROOT, Scene, collect_orphans, five_wait, let_orphans_end
from mind_skills.plugin.command import entry

LIMIT = 1.05
ROUNDS = 40


class Took(NamedTuple):
    """Seconds of one process."""

    cpu: float
    wall: float


def run(command: list[str], scene: Scene) -> Took:
    """Run a command in a scene, its project around it."""
    begun = time.perf_counter()
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
    return Took(usage.ru_utime + usage.ru_stime, time.perf_counter() - begun)


def commands(python: str) -> dict[str, list[str]]:
    """What is started with a Python."""
    script = str(Path(python).with_name("mind-skills"))
    return {
        "mind-skills status": [script, "status"],
        "mind-skills memory --help": [script, "memory", "--help"],
        "SessionStart, five wait": [python, "-I", "-S", entry(), "claude-code", "start"],
        "SessionStart, as a command": [script, "hook", "claude-code", "start"],
    }


def measure(without: str, rounds: int, folder: Path) -> dict[str, Took]:
    """The ratios of each command: with the extras over without."""
    scene = Scene(folder / "home", five_wait, "SessionStart", source="startup")
    both = {"with": commands(sys.executable), "without": commands(without)}
    ratios: dict[str, list[Took]] = {name: [] for name in both["with"]}
    chance = random.Random(0)
    for turn in range(rounds + 1):
        for name, taken in ratios.items():
            took: dict[str, Took] = {}
            for which in chance.sample(list(both), 2):
                let_orphans_end()
                scene.renew()
                took[which] = run(both[which][name], scene)
            if turn:  # the first round fills the caches
                one, other = took["with"], took["without"]
                taken.append(Took(one.cpu / other.cpu, one.wall / other.wall))
    return {
        name: Took(statistics.median(each.cpu for each in taken), statistics.median(each.wall for each in taken))
        for name, taken in ratios.items()
    }


def without_extras(python: str) -> bool:
    """Whether an environment is one without them."""
    code = "import sys; from importlib.util import find_spec; sys.exit(any(map(find_spec, sys.argv[1:])))"
    return not subprocess.run([python, "-c", code, "lancedb", "sentence_transformers"], check=False).returncode


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", default=str(ROOT / ".venv-check/bin/python"), help="a Python that has no extras")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not all(map(find_spec, ("lancedb", "sentence_transformers"))):
        raise SystemExit("this Python has not got the extras: make bench-extras runs one that has")
    other = str(Path.cwd() / args.without)  # not resolved: a venv's Python is a link
    if not Path(other).exists() or not without_extras(other):
        raise SystemExit(f"{args.without} is no Python without the extras: make check makes one")
    collect_orphans()
    with tempfile.TemporaryDirectory() as folder:
        ratios = measure(other, args.rounds, Path(folder))
        if any(each.cpu > LIMIT for each in ratios.values()):  # a busy machine, or true: a longer look tells
            ratios = measure(other, 3 * args.rounds, Path(folder))
    if args.json:
        print(json.dumps({name: each._asdict() for name, each in ratios.items()}))
    else:
        for name, each in ratios.items():
            print(f"{name:28} {each.cpu:5.2f} of the CPU seconds, {each.wall:5.2f} of those on the clock")
    if slower := [name for name, each in ratios.items() if each.cpu > LIMIT]:
        raise SystemExit(f"slower than {LIMIT} with the extras: {', '.join(slower)}")


if __name__ == "__main__":
    main()
