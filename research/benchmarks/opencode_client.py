"""Cost of the OpenCode plugin inside the real OpenCode: the time for which the client waits for each hook of the plugin.

Needs the client (tests/clients/install.sh); its model is a script on loopback. Each round has two sessions of ``CALLS``
tool calls, one without and one with a waiting candidate. It prints milliseconds, p50 and p90: of the claim at the first
message, of the exit, of one call of each other hook, and of a tool call (all hooks between two requests). The start of a bare
interpreter, B, is measured in the same run, since machines differ.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.store.project import digest_text, resolve_project
from tests.clients.client import run_client
from tests.clients.folders import get_runs_folder
from tests.clients.lesson import bash
from tests.clients.real_opencode import OpenCode
from tests.testkit.paths import ROOT

CALLS = 20
"""Tool calls per session."""
ROUNDS = 10
CLAIM, EXIT = "chat.message", "dispose"


def stage_candidate(client: OpenCode, name: str) -> None:
    """Stage a candidate for the next session."""
    mark = digest_text(name, 16)
    evidence = (Evidence("problem", "symptom", name, "", 1), Evidence("solution", "cause", "calm", "", 2))
    candidate = Candidate(build_candidate_id(mark), "error_fix", "Boom", "it failed", "high", mark, evidence, score=1.0)
    with Ledger.open(client.state) as ledger:
        ledger.stage(resolve_project(str(client.project)), name, "opencode", [candidate], 1)


def run_session(client: OpenCode, name: str, *, has_offer: bool) -> dict[str, list[float]]:
    """Return the milliseconds of each call of each hook in one session."""
    if has_offer:
        stage_candidate(client, name)
    times = client.root / f"{name}.json"
    client.extra["MIND_SKILLS_TIMES"] = str(times)
    client.script(name, *[[bash("true")]] * CALLS, ["Done."])
    ran = client.say("Hello")
    offer_count = sum("<openception-skill-extraction>" in str(body) for body in client.requests(name))
    if (ran.code, offer_count) != (0, CALLS + 1 if has_offer else 0):
        raise SystemExit(
            f"the session went wrong: exit code {ran.code}, {offer_count} requests with the offer\n{ran.stderr}"
        )
    taken: dict[str, list[float]] = json.loads(times.read_text())
    return taken


def time_bare_interpreter() -> float:
    """Return the milliseconds of one start of a bare interpreter."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
    return (time.perf_counter() - begin) * 1000


def measure(client: OpenCode, rounds: int) -> dict[str, list[float]]:
    """Return every row of the table with all its values, in milliseconds."""
    timed = client.plugin.parent / "timed" / "mind-skills.mjs"
    timed.parent.mkdir()
    client.plugin.rename(timed)
    shutil.copy(ROOT / "research/benchmarks" / "opencode_timer.mjs", client.plugin)
    rows: dict[str, list[float]] = {}
    run_session(client, "warm-up", has_offer=False)
    for number in range(rounds):
        for has_offer in random.sample([False, True], 2):
            taken = run_session(client, f"round-{number}-{has_offer}", has_offer=has_offer)
            rows.setdefault("bare interpreter (B)", []).extend(time_bare_interpreter() for _ in range(4))
            rows.setdefault(f"claim, {'an offer' if has_offer else 'nothing'} waits", []).extend(taken.pop(CLAIM))
            rows.setdefault("exit", []).extend(taken.pop(EXIT))
            # The first steps belong to the title and the start of the session, not to a tool call.
            rows.setdefault("a tool call, all hooks", []).extend(taken.pop("step")[-CALLS:])
            for name, values in taken.items():
                rows.setdefault(f"one call of {name}", []).extend(values)
    return rows


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    arguments = parser.parse_args()
    if not OpenCode.program().exists():
        raise SystemExit("OpenCode is not installed; run sh tests/clients/install.sh")
    with (
        tempfile.TemporaryDirectory(dir=get_runs_folder(), ignore_cleanup_errors=True) as folder,
        run_client(OpenCode, Path(folder) / "run") as client,
    ):
        rows = measure(client, arguments.rounds)
    table = {
        name: {"p50": statistics.median(values), "p90": sorted(values)[int(len(values) * 0.9)], "count": len(values)}
        for name, values in rows.items()
    }
    if arguments.json:
        print(json.dumps(table))
    else:
        for name, row in table.items():
            print(f"{name:<52} p50 {row['p50']:9.4f} ms   p90 {row['p90']:9.4f} ms   of {row['count']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
