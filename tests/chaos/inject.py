"""Faults at the level of system calls: every run of a few operations, with one call of it going wrong.

    python -m tests.chaos.inject                 every point; takes long
    python -m tests.chaos.inject --seconds 50    as many as fit once all are counted, spread evenly, other ones each day
    python -m tests.chaos.inject --only dismiss  one operation (a part of its name is enough)

Prints a table of operations and calls: points tried, and in brackets those of them at which something really went wrong; ends
with exit code 1 where anything broke, with what it was. Needs strace; without it it says so and ends with 0, with
--required with 1.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from importlib import import_module
from pathlib import Path

from mind_skills.cli.group import COMMANDS
from tests.chaos.chaos_lifecycle import State
from tests.chaos.chaos_operations import OPERATIONS, Operation, broke_a_promise
from tests.chaos.chaos_strace import CALLS, Call, Point, Ran, counted, missing, points, run
from tests.chaos.chaos_world import World, apart

Tally = tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]
CHUNK = 12
STRANGERS = 40
"""Of the faults at opens that are not ours (modules, the interpreter's and our own), one in this many is tried."""
for each in COMMANDS:  # so that none of the processes that are forked has to load it
    import_module(f"mind_skills.cli.{each}")
IN_MEMORY = Path("/dev/shm")


class Stage:
    """One operation's world before, and what comes of it when nothing goes wrong."""

    def __init__(self, operation: Operation, folder: Path) -> None:
        self.operation = operation
        self.world = World(folder / "world")
        self.world.environment |= operation.environment
        self.kept = folder / "kept"
        shutil.rmtree(self.kept, ignore_errors=True)
        self.world.make()
        apart(self.world, lambda: operation.build(self.world))
        shutil.copytree(self.world.root, self.kept, symlinks=True)
        self.ran(None)  # whatever is compiled or cached at the first time has been
        self.expected = self.after(self.ran(None))

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self.kept, self.world.root, symlinks=True)

    def ran(self, point: Point | None) -> Ran:
        self.reset()
        line, given = self.operation.line(self.world)
        return run(line, given, self.world.environment, self.world.project, self.world.root, point)

    def calls(self) -> list[Call]:
        self.reset()
        line, given = self.operation.line(self.world)
        return counted(line, given, self.world.environment, self.world.project, self.world.root).calls

    def after(self, ran: Ran) -> State:
        self.world.environment.pop("MIND_SKILLS_PROBE", None)
        try:
            found: State = apart(self.world, lambda: self.operation.after(self.world, ran))
        finally:
            self.world.environment |= self.operation.environment
        return found

    def tried(self, point: Point) -> tuple[bool, str]:
        """Whether anything was hit, and what broke."""
        try:
            ran = self.ran(point)
            if broken := broke_a_promise(self.operation, point, ran):
                return ran.hit, broken
            found = self.after(ran)
        except Exception as error:  # noqa: BLE001 -- each is a finding, and the others go on
            return True, f"{type(error).__name__}: {str(error)[-1500:]}"
        wrong = [(key, found.get(key), was) for key, was in self.expected.items() if found.get(key) != was]
        return ran.hit, "; ".join(f"{key}: {is_} instead of {was}" for key, is_, was in wrong)


@cache
def stage(name: str, folder: str) -> Stage:
    (operation,) = (each for each in OPERATIONS if each.name == name)
    mine = Path(folder) / f"{os.getpid()}-{OPERATIONS.index(operation)}"
    mine.mkdir()
    return Stage(operation, mine)


def worked(name: str, folder: str, wanted: list[tuple[Point, bool]], until: float) -> list[tuple[Point, bool, str]]:
    """(point, whether it was hit, what broke) of those that could be tried in time."""
    done: list[tuple[Point, bool, str]] = []
    for point, _ in wanted:
        if time.time() > until:
            break
        done.append((point, *stage(name, folder).tried(point)))
    return done


def listed(name: str, folder: str, strangers: int = STRANGERS) -> list[tuple[Point, bool]]:
    """All points of an operation, with whether each is at a call of ours."""
    calls = stage(name, folder).calls()
    mine = {(call.name, call.number): call.ours for call in calls}
    found = [(point, mine[point.when[0]]) for point in points(calls)]
    return [each for each in found if each[1]] + [each for each in found if not each[1]][::strangers]


def sampled(wanted: list[tuple[Point, bool]], seed: int) -> Iterator[tuple[Point, bool]]:
    """The first and the last of each call and fault, then the others in an order that the day decides."""
    groups: dict[tuple[str, str, bool], list[tuple[Point, bool]]] = {}
    for each in wanted:
        groups.setdefault((each[0].kind, each[0].what, each[0].lasting), []).append(each)
    ends = [group[place] for group in groups.values() for place in dict.fromkeys((0, len(group) - 1))]
    chosen = set(map(id, ends))
    rest = [each for each in wanted if id(each) not in chosen]
    random.Random(seed).shuffle(rest)
    random.Random(seed).shuffle(ends)
    yield from ends
    yield from rest


def main() -> int:
    parser = argparse.ArgumentParser(description="Make system calls fail, one at a time, and see what comes of it.")
    parser.add_argument("--seconds", type=float, default=0, help="as many points as fit; without it, all of them")
    parser.add_argument("--only", action="append", default=[], help="operations, by a part of their name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=dt.datetime.now(dt.UTC).date().toordinal())
    parser.add_argument("--strangers", type=int, default=STRANGERS, help="of opened modules, one in so many (1: all)")
    parser.add_argument("--required", action="store_true", help="without strace, fail")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if why := missing():
        print(f"nothing was injected: {why}")
        return 1 if given.required else 0
    names = [o.name for o in OPERATIONS if not given.only or any(part in o.name for part in given.only)]
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None, prefix="chaos-") as folder:
        tally, found, broken = tried(names, folder, given)
    if given.json:
        counts = {f"{name}/{kind}": number for (name, kind), number in tally[0].items()}
        print(json.dumps({"seed": given.seed, "points": found, "tried": counts, "broken": broken}, indent=2))
    else:
        show(names, *tally, found, given.seed)
    for line in broken:
        print(line)
    return 1 if broken else 0


def tried(names: list[str], folder: str, given: argparse.Namespace) -> tuple[Tally, int, list[str]]:
    """(tried and hit by operation and kind of call, how many points there are, what broke)."""
    tries: Counter[tuple[str, str]] = Counter()
    hits: Counter[tuple[str, str]] = Counter()
    broken: list[str] = []
    jobs, seconds, seed = int(given.jobs), float(given.seconds), int(given.seed)
    with ProcessPoolExecutor(jobs) as pool:
        lists = pool.map(listed, names, [folder] * len(names), [given.strangers] * len(names))
        everything = dict(zip(names, lists, strict=True))
        tasks: dict[Future[list[tuple[Point, bool, str]]], str] = {}
        share = seconds * jobs / len(names)
        for name, wanted in everything.items():
            if not seconds:
                for place in range(0, len(wanted), CHUNK):
                    tasks[pool.submit(worked, name, folder, wanted[place : place + CHUNK], 1e12)] = name
            else:
                tasks[pool.submit(timed, name, folder, list(sampled(wanted, seed)), share)] = name
        waits = Counter(tasks.values())
        for done in as_completed(tasks):
            waits[tasks[done]] -= 1
            for point, hit, wrong in done.result():
                tries[tasks[done], point.kind] += 1
                hits[tasks[done], point.kind] += hit
                if wrong:
                    broken.append(f"{tasks[done]}: {point}: {wrong}")
                    print(broken[-1][:600], file=sys.stderr, flush=True)
            if not waits[tasks[done]]:
                number = sum(count for (name, _), count in tries.items() if name == tasks[done])
                print(f"{tasks[done]}: {number} of {len(everything[tasks[done]])} points", file=sys.stderr, flush=True)
    return (tries, hits), sum(map(len, everything.values())), broken


def timed(name: str, folder: str, wanted: list[tuple[Point, bool]], seconds: float) -> list[tuple[Point, bool, str]]:
    """``worked`` for that long."""
    return worked(name, folder, wanted, time.time() + seconds)


def show(
    names: list[str], tries: Counter[tuple[str, str]], hits: Counter[tuple[str, str]], found: int, seed: int
) -> None:
    print(f"| operation | {' | '.join(CALLS)} | all |")
    print(f"|---|{'---:|' * (len(CALLS) + 1)}")
    for name in names:
        cells = [f"{tries[name, kind]} ({hits[name, kind]})" if tries[name, kind] else "" for kind in CALLS]
        print(f"| {name} | {' | '.join(cells)} | {sum(tries[name, kind] for kind in CALLS)} |")
    print(f"\n{sum(tries.values())} of {found} points tried, {sum(hits.values())} hit; seed {seed}")


if __name__ == "__main__":
    sys.exit(main())
