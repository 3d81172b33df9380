"""Measures whether the time of detection is proportional to the length of a session, even for the worst data.

usage: python -m research.benchmarks.detection [--json] [--longest N] [SCENE...]

Each scene (research/benchmarks/detection_scenes.py) is measured at several lengths from 1,000 observations on, from the timeline
to the rows of the digest, in one piece instead of the windows that `replay` uses above 20,000 observations. Two slopes are printed (1
is linear, 2 is quadratic): of the CPU time, and of the number of accesses to observations, which does not depend on the
machine. Exit code 1 if one is above 1.1.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

from mind_skills.digest.condense import condense_window
from mind_skills.observations.model import Observation
from research.benchmarks.detection_scenes import SCENES, Scene, make_session
from research.benchmarks.measuring import compute_slope

LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)
LIMIT = 1.1
ROUNDS = 3


class CountingSequence(Sequence[Observation]):
    """A sequence of observations that counts accesses."""

    def __init__(self, observations: list[Observation]) -> None:
        self.observations, self.accesses = observations, 0

    def __len__(self) -> int:
        return len(self.observations)

    def __getitem__(self, index: Any) -> Any:
        found = self.observations[index]
        self.accesses += len(found) if isinstance(index, slice) else 1
        return found

    def __iter__(self) -> Iterator[Observation]:
        self.accesses += len(self.observations)
        return iter(self.observations)


def measure_seconds(observations: list[Observation]) -> float:
    """Return the CPU time of the fastest of a few runs (fewer if they are slow), without garbage collection."""
    taken: list[float] = []
    while len(taken) < ROUNDS and sum(taken) < 5:
        gc.collect()
        gc.disable()
        begin = time.process_time()
        condense_window(observations)
        taken.append(time.process_time() - begin)
        gc.enable()
    return min(taken)


def count_accesses(observations: list[Observation]) -> int:
    """Return the number of accesses to observations."""
    counting = CountingSequence(observations)
    condense_window(counting)
    return counting.accesses


def measure(scene: Scene, lengths: Sequence[int]) -> dict[str, float]:
    """Return both slopes of a scene, and the time per observation of the longest session in microseconds."""
    timed: list[tuple[int, float]] = []
    counted: list[tuple[int, float]] = []
    for length in lengths:
        observations = make_session(scene, length)
        timed.append((length, measure_seconds(observations)))
        counted.append((length, count_accesses(observations)))
    each = 1e6 * timed[-1][1] / timed[-1][0]
    return {
        "time": round(compute_slope(timed), 3),
        "looks": round(compute_slope(counted), 3),
        "microseconds": round(each, 1),
    }


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], metavar="SCENE")
    parser.add_argument("--longest", type=int, default=LENGTHS[-1])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    lengths = [length for length in LENGTHS if length <= args.longest]
    found: dict[str, dict[str, float]] = {}
    for name in args.scenes or SCENES:
        found[name] = measure(SCENES[name], lengths)
        if not args.json:
            row = found[name]
            high = "  above the limit" if max(row["time"], row["looks"]) > LIMIT else ""
            print(
                f"{name:26} time {row['time']:6.3f}  looks {row['looks']:6.3f}  {row['microseconds']:8.1f} us{high}",
                flush=True,
            )
    if args.json:
        worst = {name: max(row[name] for row in found.values()) for name in ("time", "looks")}
        print(json.dumps({**found, "worst": worst}))
    return int(any(max(row["time"], row["looks"]) > LIMIT for row in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
