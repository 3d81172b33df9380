"""Power cuts: after each call of an operation that changes the disk, every state that the disk may be in.

    python -m tests.chaos.power --seconds 60     as many states as fit, spread evenly over the operations
    python -m tests.chaos.power --only end

Afterwards all has to be as after a run in which nothing went wrong, once the next sessions have come and gone. Prints how many
calls and states there were, ends with exit code 1 where something broke. Needs strace, as inject.py does.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.chaos.chaos_lifecycle import first_ends
from tests.chaos.chaos_more import plugin_file_tells
from tests.chaos.chaos_operations import OPERATIONS
from tests.chaos.chaos_power import Disk, lay_out, recorded
from tests.chaos.chaos_strace import Ran, missing
from tests.chaos.inject import IN_MEMORY, Stage


def main() -> int:
    parser = argparse.ArgumentParser(description="What a power cut may leave, and what comes of it.")
    parser.add_argument("--seconds", type=float, default=0, help="as many states as fit; without it, all of them")
    parser.add_argument("--only", action="append", default=[], help="operations, by a part of their name")
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86_400)
    given = parser.parse_args()
    if why := missing():
        print(f"nothing was tried: {why}")
        return 0
    # No host lives on without power.
    every = [o for o in OPERATIONS if o.after not in (first_ends, plugin_file_tells)]
    chosen = [o for o in every if not given.only or any(part in o.name for part in given.only)]
    broken: list[str] = []
    print("| operation | changes | states | tried |\n|---|---:|---:|---:|")
    for operation in chosen:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None, prefix="power-") as folder:
            stage = Stage(operation, Path(folder))
            states = possible(stage)
            picked = list(range(len(states)))
            random.Random(given.seed).shuffle(picked)
            until = time.time() + given.seconds / len(chosen) if given.seconds else 1e12
            tried = 0
            for number in picked:
                if time.time() > until:
                    break
                tried += 1
                if wrong := after(stage, states[number][1]):
                    broken.append(f"{operation.name}: after change {states[number][0]}, state {number}: {wrong}")
                    print(broken[-1][:700], file=sys.stderr, flush=True)
        print(f"| {operation.name} | {states[-1][0] if states else 0} | {len(states)} | {tried} |", flush=True)
    for line in broken:
        print(line[:700])
    return 1 if broken else 0


def possible(stage: Stage) -> list[tuple[int, dict[str, bytes]]]:
    """(how many changes had been made, the files) for each state that a cut may leave, each of them once.

    Files with the same content are one object in all states; there are thousands of those.
    """
    stage.reset()
    disk = Disk(stage.world.root)
    line, given = stage.operation.line(stage.world)
    found: list[tuple[int, dict[str, bytes]]] = []
    contents: dict[bytes, bytes] = {}
    seen: set[frozenset[tuple[str, int]]] = set()
    changes = 0
    for call in recorded(line, given, stage.world.environment, stage.world.project):
        if not disk.call(*call):
            continue
        changes += 1
        for state in disk.states():
            kept = {path: contents.setdefault(content, content) for path, content in state.items()}
            mark = frozenset((path, id(content)) for path, content in kept.items())
            if mark not in seen:
                seen.add(mark)
                found.append((changes, kept))
    return found


def after(stage: Stage, state: dict[str, bytes]) -> str:
    """What is not as it has to be."""
    stage.reset()
    times = {path: path.stat().st_mtime_ns for path in stage.world.logs.iterdir()}
    lay_out(stage.world.root, state)
    for path, at in times.items():
        os.utime(path, ns=(at, at))
    try:
        found = stage.after(Ran(-9, b"", b"", hit=True))
    except Exception as error:  # noqa: BLE001 -- each is a finding, and the others go on
        return f"{type(error).__name__}: {str(error)[-1500:]}"
    wrong = [(key, found.get(key), was) for key, was in stage.expected.items() if found.get(key) != was]
    return "; ".join(f"{key}: {is_} instead of {was}" for key, is_, was in wrong)


if __name__ == "__main__":
    sys.exit(main())
