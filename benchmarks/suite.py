"""All benchmarks of speed in one go: the numbers as one JSON document, and as the table of docs/performance.md.

usage: suite.py [--out FILE] [--against FILE] [--write] [--only NAME]...

Each benchmark is a program of its own that takes ``--json`` and interleaves what it compares; they run one after the
other. ``--out`` keeps the document, ``--against`` shows how each number stands to that of an earlier document, of another
commit for instance. Numbers of different machines cannot be compared; those here are ratios, but for a few that say so.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER.parent / "docs" / "performance.md"
BEGIN, END = "<!-- benchmarks/suite.py --write -->", "<!-- end -->"
PROGRAMS: dict[str, list[str]] = {
    "startup": ["startup.py"],
    "throughput": ["throughput.py"],
    "scaling": ["scaling.py"],
    "detection": ["detection.py"],
    "yardstick": ["yardstick.py"],
    "finisher": ["finisher.py"],
    "checkpoint": ["checkpoint.py"],
    "memory": ["big_transcript.py"],
}
TARGETS = {
    "startup/mind-skills --version": "4 at most",
    "startup/mind-skills status": "15 at most",
    "throughput/percent": "15 at least, 20 wanted",
    "throughput/jobs": "1.7 at least",
    "scaling/ordinary/one": "1.05 at most",
    "scaling/ordinary/many": "1.05 at most",
    "scaling/ordinary/megabytes": "150 at most",
    "yardstick/ordinary/times": "8 at least",
    "yardstick/adverse/times": "100 at least",
    "finisher/cpuSeconds": "0.5 at most",
    "memory/peakMegabytes": "150 at most",
}
SHOWN = ("startup/", "throughput/", "scaling/", "yardstick/", "finisher/", "memory/peak")
"""What stands in the table; the document has all."""


def results(only: list[str]) -> dict[str, Any]:
    """What each program printed."""
    found: dict[str, Any] = {}
    for name, command in PROGRAMS.items():
        if only and name not in only:
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        ran = subprocess.run(
            [sys.executable, str(FOLDER / command[0]), *command[1:], "--json"],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        found[name] = json.loads(ran.stdout) if ran.stdout else {"failed": ran.returncode}
    return found


def flat(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a document under the names that lead to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}/{key}" if name else str(key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from flat(inner, f"{name}/{number}")
    elif isinstance(value, int | float):
        yield name, float(value)


def table(found: dict[str, Any]) -> str:
    """The numbers as Markdown."""
    rows = ["| measured | | target |", "|---|---|---|"]
    for name, value in flat(found):
        if name.startswith(SHOWN):
            rows.append(f"| {name.replace('/', ', ')} | {value:g} | {TARGETS.get(name, '')} |")
    return "\n".join(rows)


def compared(found: dict[str, Any], earlier: dict[str, Any]) -> str:
    """Each number, the earlier one and their ratio, where it is another."""
    before = dict(flat(earlier))
    rows = [(name, value, before[name]) for name, value in flat(found) if name in before and before[name] != value]
    return "\n".join(f"{name:48} {value:10g} {old:10g} {value / old if old else 0:7.2f} x" for name, value, old in rows)


def write(found: dict[str, Any]) -> None:
    """Put the table into the page, between its marks."""
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{BEGIN}\n\n{table(found)}\n\n{END}{tail}", "utf-8")


def main() -> None:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", action="append", choices=list(PROGRAMS), default=[])
    args = parser.parse_args()
    found = results(args.only)
    if args.out:
        earlier = json.loads(args.out.read_text("utf-8")) if args.only and args.out.exists() else {}
        args.out.write_text(json.dumps(found := earlier | found, indent=1) + "\n", "utf-8")
    if args.write:
        write(found)
    print(compared(found, json.loads(args.against.read_text("utf-8"))) if args.against else table(found))


if __name__ == "__main__":
    main()
