"""Speed of detection relative to a naive implementation of published heuristics (research/benchmarks/naive.py).

usage: python -m research.benchmarks.yardstick [--longest N] [--rounds N] [--json]

Both process the same observations in one process, by turns, and their CPU time is measured. In the ordinary session a check
fails, the cause is named, a change is made and the check passes, repeatedly. In the adverse one, checks fail, each with its own
error, and the fixes are unrelated, so that the naive implementation compares every problem with every solution; one check in
five hundred passes in the end. In both sessions, both implementations pair a failure with the first later passing run of the
same thing and must find the same pairs; otherwise the exit code is 1. Our pairs are those of the pattern ``red_to_green``, one
of twelve; our time includes the other patterns and everything up to the candidates. The naive implementation is timed twice:
as published, extracting the words of both sides at each comparison, and with words extracted once. The targets apply to the
published one.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from typing import TypeVar

from mind_skills.detectors.registry import propose_episodes
from mind_skills.detectors.timeline import build_timeline
from mind_skills.digest.condense import condense_window
from mind_skills.digest.model import SessionDigest
from mind_skills.observations import builders
from mind_skills.observations.model import Observation, Session
from mind_skills.staging.select import select_candidates
from research.benchmarks import naive

TARGETS = {"ordinary": (100_000, 8.0), "adverse": (10_000, 100.0)}
"""For each scene, the length at which the target applies, and the required speed-up."""
PASSES = 500
"""In the adverse session, one check in this many passes in the end."""
NAIVE_VERSIONS: dict[str, Callable[[list[Observation]], naive.Pairs]] = {
    "published": naive.run_heuristics,
    "wordsOnce": partial(naive.run_heuristics, pairing=naive.find_pairs_of_sets),
}
T = TypeVar("T")
_LETTERS = str.maketrans("0123456789", "abcdefghij")


def _make_name(number: int) -> str:
    """Return a unique word for each number, longer than four letters."""
    return "part" + str(number).translate(_LETTERS)


def _make_command(command: str, output: str, code: int = 0) -> Observation:
    outcome = "failed" if code else "ok"
    return builders.build_tool_call(
        "Bash",
        "run",
        line=1,
        command=command,
        output=output,
        outcome=outcome,  # type: ignore[arg-type]
        exit_code=code,
    )


def _make_message(text: str) -> Observation:
    message = builders.build_message("assistant", text, line=1)
    assert message
    return message


def _make_fix(file: str) -> Observation:
    """Return a change whose text makes the published heuristics classify it as a solution and a fix."""
    return builders.build_tool_call(
        "Edit", "edit", line=1, files=(file,), removed="old", added="new  # fix", outcome="ok"
    )


def ordinary() -> Iterator[Observation]:
    """A check fails, its cause is named, something is fixed, and the check passes; different each time."""
    for number in count():
        name = _make_name(number)
        command = f"pytest tests/{name}/{name}loader/{name}export"
        yield _make_command(
            command, f"{name}Error: {name}loader lost a row of {name}export, expected 3 rows\n1 failed in 0.2s", 1
        )
        yield _make_message(
            f"Root cause: {name}loader drops the last row of {name}export when the header is counted twice."
        )
        yield _make_fix(f"src/{name}.py")
        yield _make_command(command, f"{name}loader and {name}export are as they should be\n3 passed in 0.2s")


def adverse() -> Iterator[Observation]:
    """Failing checks, each with its own error, and fixes in unrelated files."""
    for number in count():
        name = _make_name(number)
        command = f"pytest tests/{name}"
        yield _make_command(
            command, f"{name}Error: the {name}loader lost a {name}row of its {name}table\n1 failed in 0.2s", 1
        )
        yield _make_fix(f"src/x{number}.py")
        if number % PASSES == PASSES - 1:
            yield _make_message(
                f"Root cause: {name}loader drops the last {name}row of {name}table when the header counts twice."
            )
            yield _make_command(
                command, f"the {name}loader and its {name}table are as they should be\n1 passed in 0.2s"
            )


SCENES: dict[str, Callable[[], Iterator[Observation]]] = {"ordinary": ordinary, "adverse": adverse}


def make_session(name: str, length: int) -> list[Observation]:
    """Return the first observations of a scene, each on its own line, with cleaned texts."""
    made = list(islice(SCENES[name](), length))
    for line, one in enumerate(made, 1):
        one.line = one.end_line = line
        assert one.text is not None
    return made


def run_detection(observations: list[Observation]) -> None:
    """Run detection on a session, from the observations to the candidates."""
    select_candidates(SessionDigest(episodes=condense_window(observations)), Session(), "unknown")


def list_pairs(observations: list[Observation]) -> list[tuple[int, int]]:
    """Return the lines of each failure and the passing run that fixes it, as detection proposes them."""
    episodes = propose_episodes(build_timeline(observations))
    return [(each.first + 1, each.last + 1) for each in episodes if "red_to_green" in each.patterns]


def time_work(work: Callable[[list[Observation]], T], observations: list[Observation]) -> tuple[float, T]:
    """Return the CPU time and the result."""
    gc.collect()
    begin = time.process_time()
    result = work(observations)
    return time.process_time() - begin, result


def measure(name: str, length: int, rounds: int) -> dict[str, float | bool]:
    """Measure both implementations at one length, in turn. ``same`` is whether they found the same pairs."""
    observations = make_session(name, length)
    taken: dict[str, list[float]] = {"ours": [], **{way: [] for way in NAIVE_VERSIONS}}
    same, found = True, list_pairs(observations)
    for _ in range(rounds):
        for way, work in NAIVE_VERSIONS.items():
            taken["ours"].append(time_work(run_detection, observations)[0])
            spent, expected = time_work(work, observations)
            taken[way].append(spent)
            same = same and found == expected
    median = {way: statistics.median(each) for way, each in taken.items()}
    return {
        "observations": length,
        "times": round(median["published"] / median["ours"], 1),
        "timesWordsOnce": round(median["wordsOnce"] / median["ours"], 1),
        "pairs": len(found),
        "same": same and bool(found),
        "microseconds": round(1e6 * median["ours"] / length, 1),
    }


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--longest", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = {name: measure(name, min(length, args.longest), args.rounds) for name, (length, _) in TARGETS.items()}
    if args.json:
        print(json.dumps(found))
    else:
        for name, row in found.items():
            same = "the same pairs" if row["same"] else "DIFFERENT PAIRS"
            print(
                f"{name:10} {row['observations']:7} observations: {row['times']:9.1f} times as fast as the naive pairing"
                f" (target {TARGETS[name][1]:g}), {row['timesWordsOnce']:.1f} with its words extracted once,"
                f" {row['pairs']} pairs, {same}, {row['microseconds']} us each"
            )
    return int(not all(row["same"] for row in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
