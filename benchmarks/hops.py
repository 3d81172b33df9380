"""How many files and functions of ours one Stop hook and one start with an offer run through, workers included.

The hook runs as Claude Code starts it, against a temporary home with the recorded session of fixtures/demo, under
sys.setprofile (benchmarks/hops_trace.py). Module and class bodies do not count: what is counted is what runs, not what is
imported.
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

from benchmarks.hook_scenes import ROOT, Run, Scene, collect_orphans, five_wait, let_orphans_end, running
from mind_skills.plugin.command import entry, find_interpreter

TRACER = ROOT / "benchmarks" / "hops_trace.py"


class Hop(NamedTuple):
    """One hook to trace: its name in the table, its world, its event, its moment and what else its payload says."""

    name: str
    prepare: Callable[[Scene], None]
    event: str
    moment: str
    more: dict[str, str]
    answers: bool


HOPS = (
    Hop("Stop", running, "Stop", "idle", {"last_assistant_message": "Done."}, answers=False),
    Hop("SessionStart, told", five_wait, "SessionStart", "start", {"source": "startup"}, answers=True),
)


class Trace(NamedTuple):
    """What one hook ran: functions as (file, name) with their calls, and those calls that came from another file."""

    calls: Counter[tuple[str, str]]
    across: Counter[tuple[str, str]]

    @property
    def files(self) -> list[str]:
        """Files of ours of which a function ran."""
        return sorted({file for file, _ in self.calls})

    def as_dict(self) -> dict[str, int]:
        """The figures."""
        return {"files": len(self.files), "functions": len(self.calls), "calls across files": self.across.total()}


def trace(hop: Hop, folder: Path) -> Trace:
    """Run one hook with its worker to the end below ``folder``, and read what each of its processes wrote."""
    scene = Scene(folder / "home", hop.prepare, hop.event, **hop.more)
    scene.renew()
    written = folder / "trace"
    written.mkdir()
    data = folder / "data"
    (data / "venv").mkdir(parents=True)
    command = [find_interpreter(), "-I", "-S", str(TRACER), str(written), entry(), "claude-code", hop.moment]
    ran = Run(command, scene.payload, scene.environment(data), scene.project)
    let_orphans_end()
    log = scene.state / "log" / "hooks.log"
    if ran.code or bool(ran.said) != hop.answers or log.exists():
        told = log.read_text() if log.exists() else ""
        raise SystemExit(f"{hop.name}: code {ran.code}, {ran.complained!r}, {ran.said[:80]!r}, {told}")
    calls: Counter[tuple[str, str]] = Counter()
    across: Counter[tuple[str, str]] = Counter()
    for path in written.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            number, outside, file, name = line.split("\t")
            calls[file, name] += int(number)
            across[file, name] += int(outside)
    return Trace(calls, across)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true", help="list the files, with how many functions of each ran")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="exit 1 if a Stop runs through more files")
    args = parser.parse_args()
    collect_orphans()
    found: dict[str, Trace] = {}
    for hop in HOPS:
        with tempfile.TemporaryDirectory(prefix="mind-skills-hops-") as folder:
            found[hop.name] = trace(hop, Path(folder).resolve())
    if args.json:
        print(json.dumps({name: each.as_dict() for name, each in found.items()}, indent=1))
    else:
        print(f"{'':20}{'files':>8}{'functions':>12}{'calls across files':>20}")
        for name, each in found.items():
            print(
                f"{name:20}" + "".join(f"{n:>{w}}" for n, w in zip(each.as_dict().values(), (8, 12, 20), strict=True))
            )
            if args.files:
                functions = Counter(file for file, _ in each.calls)
                print("".join(f"    {functions[file]:4} {file}\n" for file in each.files))
    return 1 if args.most and len(found["Stop"].files) > args.most else 0


if __name__ == "__main__":
    sys.exit(main())
