"""CPU cost of the checkpoint after a turn, and whether it depends on what is new and not on the length of the session.

Writes Claude Code transcripts into a temporary folder and lets them grow. After each growth the worker of a Stop hook
inspects the log, in a separate process that is started like a hook (``-I -S``, then site-packages). Its CPU time is
given as a multiple of that of a bare interpreter (B) measured alongside. One session has 40 turns and grows by one at a
time, as usual. Others have several sizes and grow by 40 turns. For the first, the phases are measured too.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.big_transcript import render_turns

ROOT = Path(__file__).resolve().parents[1]
WORK = """
import sys
root, state, project, log, at, timed = sys.argv[1:]
package = type(sys)("mind_skills")
package.__path__ = [root]
sys.modules["mind_skills"] = package
import os, time
os.environ["MIND_SKILLS_HOME"] = state
spent, inside = {}, []

def measured(name, function):
    def timing(*given, **named):
        begun = time.process_time()
        inside.append(0.0)
        try:
            return function(*given, **named)
        finally:
            took = time.process_time() - begun
            spent[name] = spent.get(name, 0.0) + took - inside.pop()
            if inside:
                inside[-1] += took
    return timing

def measure(name, owner, *attributes):
    for attribute in attributes:
        setattr(owner, attribute, measured(name, getattr(owner, attribute)))

import site
site.main()
begun = time.process_time()
from mind_skills.hooks.moment import Moment
from mind_skills.plugin import worker
moment = Moment("claude-code", "big", project, log, int(at))
if timed == "1":
    from mind_skills.detectors import registry
    measure("detection", registry, "detect")  # before other modules import it
    from mind_skills.hooks import captured_spools, idle
    from mind_skills.observations import incremental
    from mind_skills.observations.readers import claude_code
    from mind_skills.staging import analyse, ledger
    spent["imports"] = time.process_time() - begun
    measure("kept", idle, "load_log_state", "save_log_state")
    measure("kept", incremental.IncrementalRead, "build_state")
    measure("reading", incremental.IncrementalRead, "_open")
    measure("judging", analyse, "analyse_observations")
    measure("provenance", analyse, "mark_sources")
    names = [name for name in dir(ledger.Ledger) if not name.startswith("_") and callable(getattr(ledger.Ledger, name))]
    for name in names:
        if name != "open":
            measure("database", ledger.Ledger, name)
    measure("database", ledger.Database, "close")
    kind = ledger.Ledger.__dict__["open"].__func__
    ledger.Ledger.open = classmethod(measured("database", kind))
worker.run_detached_work("idle", moment)
if timed == "1":
    import json
    whole = time.process_time()
    print(json.dumps({**spent, "whole": whole}), flush=True)
os._exit(0)  # as in a hook's worker
"""
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
SESSION, NEW = 40, 40
"""Turns of the session for the usual checkpoint; turns added at once to the others."""
PHASES = {
    "start": "the interpreter, and everything else",
    "imports": "imports",
    "kept": "stored state, read and written",
    "reading": "reading the new part of the log",
    "judging": "outcome, skills and errors",
    "detection": "detection",
    "provenance": "provenance",
    "database": "database and pending file",
}
"""The phases of a checkpoint. The compilation of a regular expression counts for the phase that uses it first."""


def cpu(command: list[str]) -> tuple[float, bytes]:
    """Return the CPU seconds of a process, user and system, and its output."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, output


def append(log: Path, first: int, count: int) -> int:
    """Append turns to a log; return their size in bytes."""
    text = "".join(render_turns(first, count))
    with log.open("a", encoding="utf-8") as file:
        file.write(text)
    return len(text.encode())


class Growing:
    """A session whose log grows, and its checkpoints."""

    def __init__(self, root: Path, name: str) -> None:
        """``root`` is an empty folder, or one that other sessions use."""
        self.log, self.state, self.project = root / f"{name}.jsonl", root / f"state-{name}", root / "project"
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        self.number = self.size = 0
        self.at = 1_700_000_000_000

    def grow(self, count: int) -> None:
        """Append turns."""
        self.size += append(self.log, self.number, count)
        self.number += count

    def look(self, *, timed: bool = False) -> tuple[float, bytes]:
        """Run a checkpoint; return its CPU seconds, and its output, which has the phases if ``timed``."""
        self.at += 120_000
        arguments = [str(ROOT), str(self.state), str(self.project), str(self.log), str(self.at), str(int(timed))]
        result = cpu([sys.executable, "-I", "-S", "-c", WORK, *arguments])
        error_log = self.state / "log" / "hooks.log"
        if error_log.exists():
            raise SystemExit(error_log.read_text())
        return result


def ordinary(root: Path, rounds: int) -> tuple[float, dict[str, float]]:
    """Return the cost of a checkpoint after one turn in a session of ``SESSION`` turns, in B, in total and by phase."""
    session = Growing(root, "turns")
    session.grow(SESSION)
    session.look()
    looks, bare = list[float](), list[float]()
    phases: dict[str, list[float]] = {name: [] for name in PHASES}
    for _ in range(rounds):
        session.grow(1)
        looks.append(session.look()[0])
        bare.append(cpu(BARE)[0])
        session.grow(1)
        spent = json.loads(session.look(timed=True)[1])
        spent["start"] = spent.pop("whole") - sum(spent.values())
        for name, values in phases.items():
            values.append(spent.get(name, 0.0))
    base = statistics.median(bare)
    return round(statistics.median(looks) / base, 1), {
        name: round(statistics.median(values) / base, 2) for name, values in phases.items()
    }


def long(root: Path, megabytes: int, rounds: int) -> dict[str, float]:
    """Return the cost of first reading a log of this size, and the median of ``rounds`` later checkpoints.

    Both are in B; each checkpoint follows ``NEW`` turns.
    """
    session = Growing(root, f"{megabytes}")
    while session.size < megabytes << 20:
        session.grow(500)
    size, first_cost = session.size, session.look()[0]
    costs, bare = list[float](), list[float]()
    for _ in range(rounds):
        session.grow(NEW)
        costs.append(session.look()[0])
        bare.append(cpu(BARE)[0])
    base = statistics.median(bare)
    return {
        "megabytes": size >> 20,
        "whole": round(first_cost / base, 1),
        "new": round(statistics.median(costs) / base, 1),
    }


def main() -> None:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 10, 50], metavar="MB")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        turn, phases = ordinary(Path(root), arguments.rounds)
        rows = [long(Path(root), size, arguments.rounds) for size in arguments.sizes]
    growth = round(rows[-1]["new"] / rows[0]["new"], 2)
    if arguments.json:
        found = {"turn": turn, "phases": phases, "checkpoints": rows, "turns": rows[0]["new"], "growth": growth}
        print(json.dumps(found))
        return
    print(f"CPU as multiples of B; one new turn of a session of {SESSION} or more: {turn:.1f} B, of which")
    for name, description in PHASES.items():
        print(f"{phases[name]:>8.2f} B   {description}")
    print(f"{NEW} new turns at once")
    for row in rows:
        print(f"{row['megabytes']:>6.0f} MB   whole {row['whole']:>8.1f} B   new turns {row['new']:>6.1f} B")
    print(f"the largest log costs {growth} times as much as the smallest")


if __name__ == "__main__":
    main()
