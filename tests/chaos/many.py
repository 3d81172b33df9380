"""Many at once: 64 hooks of one project. ``python -m tests.chaos.many``

Ends with exit code 1 where a host heard anything but one JSON object, or where something was lost, or told again though
its offer stood.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from tests.chaos.chaos_lifecycle import told_in
from tests.chaos.chaos_world import DEMO, MINUTE, World, apart
from tests.chaos.inject import IN_MEMORY
from tests.testkit.paths import ROOT
from tests.testkit.processes import wait_for_processes

SESSIONS = 16


def hooks(world: World) -> list[str]:
    """Four hooks each of sixteen sessions, all at once; what was wrong."""
    waiting = apart(world, lambda: [candidate.id for candidate in world.stage("alpha", "beta")])
    names = [f"s{number}" for number in range(SESSIONS)]
    for name in names:
        world.log(name).write_bytes(DEMO.read_bytes())
    events = ("SessionStart", "Stop", "Stop", "SessionEnd")
    payloads = [world.payload(event, name, source="startup") for name in names for event in events]

    def one(payload: bytes) -> tuple[int, bytes, bytes]:
        line = [sys.executable, "-I", "-S", str(ROOT / "plugin/entry.py"), "claude-code"]
        done = subprocess.run(line, input=payload, capture_output=True, env=world.environment, check=False)
        return done.returncode, done.stdout, done.stderr

    with ThreadPoolExecutor(len(payloads)) as pool:
        ran = list(pool.map(one, payloads))
    wait_for_processes(world.state, 120)
    wrong = [
        f"{code} {out[:80]!r} {err[:80]!r}" for code, out, err in ran if code or err or (out and not json.loads(out))
    ]
    told = Counter(id_ for _, out, _ in ran for id_ in told_in(out.decode()))
    # A session that ends while its start is handled has not seen its offer, which then goes to another session. What a session has
    # ignored is offered again once another one, all of which learn the same here, has met it as well.
    returned = count_returned_offers(world)
    wrong += [
        f"{id_} was told {times} times and came back {returned[id_]} times"
        for id_, times in told.items()
        if times > 1 + returned[id_]
    ]

    def afterwards() -> list[object]:
        at = time.time_ns() // 1_000_000
        for number, name in enumerate(names):
            world.works("end", world.make_call(name, at + number * MINUTE))
        found = world.holds()
        # Nobody has answered, so whatever was told has been told to nobody.
        last = told_in(world.starts("last", at + SESSIONS * MINUTE))
        if not set(waiting) <= last | set(told):
            wrong.append(f"lost: {sorted(set(waiting) - last - set(told))}")
        # Of a session whose start and end came at once a trace may stay until it is old.
        left = [name for name in found["files"] if "unanswered" not in name]
        return [wrong, found["database"], left, len(found["sessions"]), [row[2] for row in found["sessions"]]]

    wrong, database, files, known, ended = apart(world, afterwards)
    wrong += [f"{database} {files}"] if (database, files) != ("ok", []) else []
    wrong += [f"{known} sessions, ended: {ended}"] if (known, ended) != (SESSIONS, [1] * SESSIONS) else []
    print(
        f"{len(ran)} hooks at once: {len(told)} learnings told, {returned.total()} offers could be repeated; {known} sessions ended"
    )
    return wrong


def count_returned_offers(world: World) -> Counter[str]:
    """How often each candidate could be offered again: a session ended without seeing it, or ignored it and another met it."""
    with closing(sqlite3.connect(world.state / "mind-skills.db")) as sql:
        return Counter(
            id_ for (id_,) in sql.execute("SELECT candidate FROM receipts WHERE what IN ('rearmed', 'revived')")
        )


def main() -> int:
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None, prefix="many-") as folder:
        world = World(Path(folder) / "world")
        world.make()
        wrong += hooks(world)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
