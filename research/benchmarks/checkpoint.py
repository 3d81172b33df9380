"""CPU cost of the checkpoint after a turn, and whether it depends only on what is new, not on the session's length.

Writes Claude Code transcripts into a temporary folder and lets them grow. After each growth the worker of a Stop hook
reads the log, in a separate process that is started like a hook (``-I -S``, then site-packages). Its CPU time is
given as a multiple of that of a bare interpreter (B), measured in the same run. One session has 40 turns and grows by one
turn at a time, as usual; its phases are measured too. Others have several sizes and grow by 40 turns.
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

from research.benchmarks.big_transcript import render_turns

ROOT = Path(__file__).resolve().parents[2]
WORK = """
import sys
root, state, project, log, at, timed = sys.argv[1:]
package = type(sys)("mind_skills")
package.__path__ = [root]
sys.modules["mind_skills"] = package
import os, time
os.environ["MIND_SKILLS_HOME"] = state
seconds, nested = {}, []

def add_timer(name, function):
    def run_timed(*arguments, **options):
        begin = time.process_time()
        nested.append(0.0)
        try:
            return function(*arguments, **options)
        finally:
            taken = time.process_time() - begin
            seconds[name] = seconds.get(name, 0.0) + taken - nested.pop()
            if nested:
                nested[-1] += taken
    return run_timed

def measure(name, owner, *attributes):
    for attribute in attributes:
        setattr(owner, attribute, add_timer(name, getattr(owner, attribute)))

import site
site.main()
begin = time.process_time()
from mind_skills.plugin import hook
from mind_skills.hooks.session_state import HookCall
call = HookCall("claude-code", "big", project, log, int(at))
if timed == "1":
    from mind_skills.detectors import registry
    measure("detection", registry, "score_episodes")  # before other modules import it
    from mind_skills.digest import condense
    measure("condensing", condense, "condense_window")
    from mind_skills.hooks import idle
    from mind_skills.observations import incremental
    from mind_skills.observations.readers import claude_code
    from mind_skills.staging import analyse, ledger
    seconds["imports"] = time.process_time() - begin
    measure("kept", idle, "load_log_state", "save_log_state")
    measure("kept", incremental.IncrementalRead, "build_state")
    measure("reading", incremental.IncrementalRead, "_open")
    measure("judging", analyse, "analyse_observations")
    names = [name for name in dir(ledger.Ledger) if not name.startswith("_") and callable(getattr(ledger.Ledger, name))]
    for name in names:
        if name != "open":
            measure("database", ledger.Ledger, name)
    measure("database", ledger.Database, "close")
    kind = ledger.Ledger.__dict__["open"].__func__
    ledger.Ledger.open = classmethod(add_timer("database", kind))
hook.run_detached_work("idle", call)
if timed == "1":
    import json
    whole = time.process_time()
    print(json.dumps({**seconds, "whole": whole}), flush=True)
os._exit(0)  # as in a hook's worker
"""
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
SESSION_TURNS, NEW_TURNS = 40, 40
"""Number of turns of the first session at the start, and of turns that the others grow by."""
PHASES = {
    "start": "the interpreter, and everything else",
    "imports": "imports",
    "kept": "stored state, read and written",
    "reading": "reading the new part of the log",
    "judging": "outcome, skills and errors",
    "detection": "detection",
    "condensing": "condensing",
    "database": "database and pending file",
}
"""The phases of a checkpoint. Compiling a regular expression counts towards the phase that uses it first."""


def measure_cpu(command: list[str]) -> tuple[float, bytes]:
    """Run a command; return its CPU seconds, user and system, and its output. Raises SystemExit if it fails."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, output


def append_turns(log: Path, first: int, count: int) -> int:
    """Append turns to a log; return their size in bytes."""
    text = "".join(render_turns(first, count))
    with log.open("a", encoding="utf-8") as file:
        file.write(text)
    return len(text.encode())


class GrowingSession:
    """A session whose log grows, and its checkpoints."""

    def __init__(self, root: Path, name: str) -> None:
        """``root`` is an empty folder, or one that other sessions use."""
        self.log, self.state, self.project = root / f"{name}.jsonl", root / f"state-{name}", root / "project"
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        self.number = self.size = 0
        self.at = 1_700_000_000_000

    def grow(self, count: int) -> None:
        """Append turns."""
        self.size += append_turns(self.log, self.number, count)
        self.number += count

    def run_checkpoint(self, *, timed: bool = False) -> tuple[float, bytes]:
        """Run a checkpoint; return its CPU seconds, and its output, which has the phases if ``timed``."""
        self.at += 120_000
        arguments = [str(ROOT), str(self.state), str(self.project), str(self.log), str(self.at), str(int(timed))]
        result = measure_cpu([sys.executable, "-I", "-S", "-c", WORK, *arguments])
        error_log = self.state / "log" / "hooks.log"
        if error_log.exists():
            raise SystemExit(error_log.read_text())
        return result


def measure_usual_checkpoint(root: Path, rounds: int) -> tuple[float, dict[str, float]]:
    """Return the cost of a checkpoint after one turn in a session of ``SESSION_TURNS`` turns, in B, in total and by phase."""
    session = GrowingSession(root, "turns")
    session.grow(SESSION_TURNS)
    session.run_checkpoint()
    costs, bare = list[float](), list[float]()
    phases: dict[str, list[float]] = {name: [] for name in PHASES}
    for _ in range(rounds):
        session.grow(1)
        costs.append(session.run_checkpoint()[0])
        bare.append(measure_cpu(BARE)[0])
        session.grow(1)
        seconds = json.loads(session.run_checkpoint(timed=True)[1])
        seconds["start"] = seconds.pop("whole") - sum(seconds.values())
        for name, values in phases.items():
            values.append(seconds.get(name, 0.0))
    base = statistics.median(bare)
    return round(statistics.median(costs) / base, 1), {
        name: round(statistics.median(values) / base, 2) for name, values in phases.items()
    }


def measure_long_session(root: Path, megabytes: int, rounds: int) -> dict[str, float]:
    """Return the cost of first reading a log of this size, and the median of ``rounds`` later checkpoints.

    Both are in B; each checkpoint follows ``NEW_TURNS`` turns.
    """
    session = GrowingSession(root, f"{megabytes}")
    while session.size < megabytes << 20:
        session.grow(500)
    size, first_cost = session.size, session.run_checkpoint()[0]
    costs, bare = list[float](), list[float]()
    for _ in range(rounds):
        session.grow(NEW_TURNS)
        costs.append(session.run_checkpoint()[0])
        bare.append(measure_cpu(BARE)[0])
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
        turn, phases = measure_usual_checkpoint(Path(root), arguments.rounds)
        rows = [measure_long_session(Path(root), size, arguments.rounds) for size in arguments.sizes]
    growth = round(rows[-1]["new"] / rows[0]["new"], 2)
    if arguments.json:
        found = {"turn": turn, "phases": phases, "checkpoints": rows, "turns": rows[0]["new"], "growth": growth}
        print(json.dumps(found))
        return
    print(f"CPU as multiples of B; one new turn of a session of {SESSION_TURNS} or more: {turn:.1f} B, of which")
    for name, description in PHASES.items():
        print(f"{phases[name]:>8.2f} B   {description}")
    print(f"{NEW_TURNS} new turns at once")
    for row in rows:
        print(f"{row['megabytes']:>6.0f} MB   whole {row['whole']:>8.1f} B   new turns {row['new']:>6.1f} B")
    print(f"the largest log costs {growth} times as much as the smallest")


if __name__ == "__main__":
    main()
