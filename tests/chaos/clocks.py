"""Clocks that jump, by libfaketime: a year ahead, a year back, standing still; for one process, from one on, in its middle.

    python -m tests.chaos.clocks                 every jump
    python -m tests.chaos.clocks --seconds 10    as many as fit, spread evenly

A life of two sessions is lived by the processes that hosts and people start, and goes wrong at one place. Files that were
written meanwhile get the times that they would have by such a clock. Then the clock is right again, sessions come and go,
and all has to be as after a life in which nothing jumped. Needs libfaketime (Debian and Ubuntu: apt-get install faketime);
without it it says so and ends with 0, with --required with 1.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mind_skills.hooks import retention
from mind_skills.learning.credit import Credit
from mind_skills.learning.storage import SCHEMA
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.chaos.chaos_commands import command
from tests.chaos.chaos_lifecycle import State, hook, later, told_in
from tests.chaos.chaos_world import DEMO, HOUR, MINUTE, World, apart, learning
from tests.chaos.inject import IN_MEMORY

DAY = 24 * HOUR
YEAR = 365 * DAY
LIBRARY = "*/faketime/libfaketime.so.1"
CALLS = 40
"""A process asks for the time less often than this."""
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: what a hook leaves running becomes a child of this process, which waits for it."""


@dataclass(frozen=True, slots=True)
class Jump:
    """From the step ``first`` to before ``last`` the clock is wrong by ``by`` milliseconds, or stands still where that is 0;
    with ``call`` only from so many looks at it on."""

    first: int
    last: int
    by: int
    call: int = 0

    def __str__(self) -> str:
        what = f"{self.by // DAY:+} days" if self.by else "standing still"
        where = STEPS_OF_A_LIFE[self.first][0] + ("" if self.last == self.first + 1 else " and on")
        return f"{what} from {where}" + (f", look {self.call}" if self.call else "")


def long_ago(world: World) -> None:
    """What a year and a day would make too old: sessions, votes, past sessions in memory, a learning told in vain."""
    at = world.now - 300 * DAY
    project = resolve_project(str(world.project))
    with Ledger.open(world.state) as ledger:
        ledger.register_session("old", "claude-code", project, "", at)
        ledger.stage(project, "old", "claude-code", [learning("gamma")], at)
        claim_offer(ledger.home, project, "older", at)
        ledger.apply_verdicts("older", {}, at)
        ledger.finish_session("old", at)
        ledger.stage(project, "earlier", "claude-code", [learning("alpha"), learning("beta")], world.now - HOUR)
    with Database.open(str(world.state), SCHEMA) as database:
        Credit(database).vote("p", "old", ["Split by feature"], "helpful", at=at, now=at)
    with open_memory(str(world.state)) as store:
        store.store(Record("episode-old", "episode", "Asked: x", at=at))
        store.store(Record("learning-old", "learning", "x", at=at))
    retention.prune_daily(str(world.state), world.now - HOUR, 365)  # as whoever has used it for a day


def works(world: World, at: int) -> None:
    """The session's log: what it did, and a skill that it made of what it was told."""
    world.log("s").write_bytes(DEMO.read_bytes())
    text = f"---\nname: alpha-works\ndescription: Use when alpha fails.\nmetadata:\n  candidate: {learning('alpha').id}\n---\nCalm it.\n"
    skill = world.project / ".claude/skills/alpha-works/SKILL.md"
    skill.parent.mkdir(parents=True, exist_ok=True)
    skill.write_text(text)
    use = {"type": "tool_use", "id": "w1", "name": "Write", "input": {"file_path": str(skill), "content": text}}
    world.says("s", at, use, {"type": "tool_result", "tool_use_id": "w1", "content": "written"})


def answers(world: World, at: int) -> None:
    world.says("b", at)


def nothing(world: World, at: int) -> None:
    """The host writes nothing before."""


Line = Callable[[World], tuple[list[str], bytes]]


def of(session: str, event: str, **more: str) -> Line:
    """The hook of a session of that name."""

    def line(world: World) -> tuple[list[str], bytes]:
        words, _ = hook(event)(world)
        return words, world.payload(event, session, **more)

    return line


STEPS_OF_A_LIFE: tuple[tuple[str, Callable[[World, int], None], Line], ...] = (
    ("start", nothing, of("s", "SessionStart", source="startup")),
    ("idle", works, of("s", "Stop")),
    ("end", nothing, of("s", "SessionEnd", reason="other")),
    ("watch --once", nothing, command("watch", "--once")),
    ("prune", nothing, command("prune")),
    ("the next start", nothing, of("b", "SessionStart", source="startup")),
    ("its end", answers, of("b", "SessionEnd", reason="other")),
)
"""Its name, what the host writes before, what is started."""


def lived(world: World, kept: Path, jump: Jump | None) -> State:
    """What comes of a life in which the clock jumps."""
    shutil.rmtree(world.root)
    shutil.copytree(kept, world.root, symlinks=True)
    told: list[str] = []
    for number, (name, before, line) in enumerate(STEPS_OF_A_LIFE):
        wrong = jump is not None and jump.first <= number < jump.last
        by = jump.by if jump is not None and wrong else 0
        began = time.time_ns() // 1_000_000
        before(world, began + by)
        words, given = line(world)
        out = started(world, words, given, jump if wrong else None)
        if by:
            aged(world.root, began, by)
        if "start" in name:
            told += offered(out)
    found: State = apart(world, lambda: later(world))
    return {**found, "told": sorted([*found["told"], *told])}


def offered(out: str) -> set[str]:
    """The candidates that the model was told of; not those that only its user was."""
    return told_in(json.loads(out)["hookSpecificOutput"].get("additionalContext", "")) if out else set()


def started(world: World, words: list[str], given: bytes, jump: Jump | None) -> str:
    """Run a process and all that it leaves behind to the end; what it printed."""
    environment = dict(world.environment)
    if jump is not None:
        still = time.strftime("%Y-%m-%d %H:%M:%S")
        said = f"{jump.by // 1000:+d}" if jump.by else still
        environment |= {"LD_PRELOAD": library(), "FAKETIME": said, "NO_FAKE_STAT": "1"}
        if not jump.by:  # else nobody would wait for anything; but then the library lets nobody sleep
            environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        if jump.call:
            environment["FAKETIME_START_AFTER_NUMCALLS"] = str(jump.call)
    done = subprocess.run(
        words, input=given, capture_output=True, env=environment, cwd=world.project, timeout=120, check=False
    )
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    swept()
    if done.returncode or b"Traceback" in done.stderr:
        raise AssertionError(f"exit code {done.returncode}, {done.stdout[-300:]!r}, {done.stderr[-600:]!r}")
    return done.stdout.decode()


def swept() -> None:
    """Remove what the library leaves in shared memory of processes that are gone: those that end at once leave it."""
    for path in IN_MEMORY.iterdir() if IN_MEMORY.is_dir() else []:
        number = path.name.rpartition("_")[2]
        if path.name.startswith(("faketime_shm_", "sem.faketime_sem_")) and not Path("/proc", number).exists():
            path.unlink(missing_ok=True)


def aged(root: Path, since: int, by: int) -> None:
    """Give what was written since (UTC ms) the time that it would have by a clock that is wrong ``by`` so much."""
    for path in root.rglob("*"):
        if not path.is_symlink() and since * 1_000_000 <= (at := path.lstat().st_mtime_ns) < (since + HOUR) * 1_000_000:
            os.utime(path, ns=(at + by * 1_000_000, at + by * 1_000_000))


def library() -> str:
    """Where libfaketime is, empty where it is not."""
    return next((str(path) for path in Path("/usr/lib").glob(LIBRARY)), "")


def jumps() -> list[Jump]:
    """All of them, but those that the library does not do: a watch, which sleeps, by a clock that stands still, or by one
    that goes back in its middle, which it does to the time that nobody sets as well."""
    many, watch = len(STEPS_OF_A_LIFE), [name for name, _, _ in STEPS_OF_A_LIFE].index("watch --once")
    found = [Jump(n, last, by) for n in range(many) for last in sorted({n + 1, many}) for by in (YEAR, -YEAR, 0)]
    found += [Jump(n, n + 1, by, call) for n in range(many) for by in (YEAR, -YEAR) for call in range(1, CALLS)]
    return [
        each for each in found if each.by > 0 or not each.first <= watch < each.last or (each.by < 0 and not each.call)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Let the clock jump, and see what comes of it.")
    parser.add_argument("--seconds", type=float, default=0, help="as many as fit; without it, all of them")
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86_400)
    parser.add_argument("--required", action="store_true", help="without libfaketime, fail")
    given = parser.parse_args()
    if not library():
        print("no clock was moved: libfaketime is not installed (Debian and Ubuntu: apt-get install faketime)")
        return 1 if given.required else 0
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    until = time.time() + given.seconds if given.seconds else 1e12
    wanted = jumps()
    if given.seconds:
        random.Random(given.seed).shuffle(wanted)
    tried: Counter[str] = Counter()
    broken = 0
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None, prefix="clocks-") as folder:
        world = World(Path(folder) / "world")
        world.make()
        world.now = time.time_ns() // 1_000_000 - MINUTE
        apart(world, lambda: long_ago(world))
        kept = Path(folder) / "kept"
        shutil.copytree(world.root, kept, symlinks=True)
        expected = lived(world, kept, None)
        for jump in wanted:
            if time.time() > until:
                break
            tried["in its middle" if jump.call else "from one on" if jump.last > jump.first + 1 else "of one"] += 1
            try:
                found = lived(world, kept, jump)
                wrong = [f"{key}: {found[key]} instead of {was}" for key, was in expected.items() if found[key] != was]
            except Exception as error:  # noqa: BLE001 -- each is a finding, and the others go on
                wrong = [f"{type(error).__name__}: {str(error)[-1500:]}"]
            if wrong:
                broken += 1
                print(f"{jump}: {'; '.join(wrong)}"[:1200], flush=True)
    print(f"{sum(tried.values())} of {len(wanted)} jumps tried ({dict(tried)}), {broken} broke something")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
