"""Number of files and functions that one Stop hook and one start with an offer execute, workers included.

The hook runs as Claude Code starts it, in a temporary home with the recorded session of fixtures/demo, under
sys.setprofile (research/benchmarks/hops_trace.py). Module and class bodies, which imports execute, are not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mind_skills.plugin.command import find_entry_script, find_interpreter
from research.benchmarks.hook_scenes import (
    ROOT,
    Run,
    Scene,
    collect_orphans,
    let_orphans_end,
    stage_five_candidates,
    start_session,
)

TRACER = ROOT / "research/benchmarks" / "hops_trace.py"


class Hop(NamedTuple):
    """A hook to trace, described as in hooks.Row."""

    name: str
    prepare: Callable[[Scene], None]
    event: str
    moment: str
    more: dict[str, str]
    answers: bool


HOPS = (
    Hop("Stop", start_session, "Stop", "idle", {"last_assistant_message": "Done."}, answers=False),
    Hop(
        "SessionStart, with an offer",
        stage_five_candidates,
        "SessionStart",
        "start",
        {"source": "startup"},
        answers=True,
    ),
)


class Trace(NamedTuple):
    """The functions that one hook executed: the number of calls, and of calls from another file, by (file, name)."""

    calls: Counter[tuple[str, str]]
    across: Counter[tuple[str, str]]

    @property
    def files(self) -> list[str]:
        """Our files with at least one executed function."""
        return sorted({file for file, _ in self.calls})

    def as_dict(self) -> dict[str, int]:
        """Return the figures."""
        return {"files": len(self.files), "functions": len(self.calls), "calls across files": self.across.total()}


def trace(hop: Hop, folder: Path) -> Trace:
    """Run one hook and its worker below ``folder``, and read the traces of its processes."""
    scene = Scene(folder / "home", hop.prepare, hop.event, **hop.more)
    scene.renew()
    trace_folder = folder / "trace"
    trace_folder.mkdir()
    data = folder / "data"
    (data / "venv").mkdir(parents=True)
    command = [
        find_interpreter(),
        "-I",
        "-S",
        str(TRACER),
        str(trace_folder),
        find_entry_script(),
        "claude-code",
        hop.moment,
    ]
    run = Run(command, scene.payload, scene.environment(data), scene.project)
    let_orphans_end()
    log = scene.state / "log" / "hooks.log"
    if run.code or bool(run.stdout) != hop.answers or log.exists():
        log_text = log.read_text() if log.exists() else ""
        raise SystemExit(f"{hop.name}: code {run.code}, {run.stderr!r}, {run.stdout[:80]!r}, {log_text}")
    calls: Counter[tuple[str, str]] = Counter()
    across: Counter[tuple[str, str]] = Counter()
    for path in trace_folder.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            number, outside, file, name = line.split("\t")
            calls[file, name] += int(number)
            across[file, name] += int(outside)
    return Trace(calls, across)


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true", help="list the files, with their number of executed functions")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="exit 1 if a Stop executes more files")
    args = parser.parse_args()
    collect_orphans()
    found: dict[str, Trace] = {}
    for hop in HOPS:
        with tempfile.TemporaryDirectory(prefix="mind-skills-hops-") as folder:
            found[hop.name] = trace(hop, Path(folder).resolve())
    if args.json:
        print(json.dumps({name: one_trace.as_dict() for name, one_trace in found.items()}, indent=1))
    else:
        print(f"{'':28}{'files':>8}{'functions':>12}{'calls across files':>20}")
        for name, one_trace in found.items():
            print(
                f"{name:28}"
                + "".join(f"{n:>{w}}" for n, w in zip(one_trace.as_dict().values(), (8, 12, 20), strict=True))
            )
            if args.files:
                functions = Counter(file for file, _ in one_trace.calls)
                print("".join(f"    {functions[file]:4} {file}\n" for file in one_trace.files))
    return 1 if args.most and len(found["Stop"].files) > args.most else 0


if __name__ == "__main__":
    sys.exit(main())
