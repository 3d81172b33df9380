"""CPU cost of the worker after a session's end, which reads the session and stages its candidates.

usage: python -m research.benchmarks.finisher [--observations N] [--rounds N] [--json]

A Claude Code transcript of 5,000 observations is finished in a separate process, measured from start to exit with
imports. It prints CPU seconds, and multiples of a bare interpreter (B) in the same run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from research.benchmarks.detection_scenes import SCENES, make_session
from research.benchmarks.measuring import run
from research.benchmarks.scaling import write_transcript

END = """
import sys
from mind_skills.plugin.hook import run_detached_work
from mind_skills.hooks.session_state import HookCall
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
home, project, log = sys.argv[1:]
run_detached_work("end", HookCall("claude-code", "ended", project, log, 1_790_000_000_000))
with Ledger.open(home) as ledger:
    staged = ledger.list_pending(resolve_project(project))
sys.exit(None if staged else "nothing was staged")
"""
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
TARGET = 0.5


def measure(observations: int, rounds: int) -> dict[str, float]:
    """Return the medians of CPU seconds and of multiples of B."""
    taken: list[tuple[float, float]] = []
    with TemporaryDirectory() as made:
        log = Path(made, "ended.jsonl")
        write_transcript(log, make_session(SCENES["ordinary"], observations))
        for number in range(rounds):
            home, project = Path(made, f"home{number}"), Path(made, f"project{number}")
            (project / ".git").mkdir(parents=True)
            home.mkdir()
            end = run([sys.executable, "-c", END, str(home / "state"), str(project), str(log)], home)
            taken.append((end.cpu, end.cpu / run(BARE, home).cpu))
    cpu, bare = (statistics.median(values) for values in zip(*taken, strict=True))
    return {"observations": observations, "cpuSeconds": round(cpu, 3), "bare": round(bare, 1)}


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--observations", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = measure(args.observations, args.rounds)
    if args.json:
        print(json.dumps(found))
        return
    print(f"{found['observations']} observations: {found['cpuSeconds']} s of CPU (target {TARGET}), {found['bare']} B")


if __name__ == "__main__":
    main()
