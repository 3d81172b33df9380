"""Two documents of `make bench` side by side: which numbers have changed by more than noise.

usage: compare.py OLD.json NEW.json [--all] [--json]

Noise is how far the runs of one document are apart (`suite.py --repeat 3`), and not less than what two runs of the same
commit were seen apart (benchmarks/parts.py). Numbers of different machines or Pythons say nothing about a change: it is
said where they differ. Exit code 1 where a number of the table has become worse, 2 where a file is no such document.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.parts import PARTS
from benchmarks.results import Document, NoDocumentError, load, medians, numbers

UNKNOWN = 0.25
"""What is passed over in numbers that do not stand in the table: counts, times of this machine, parts of sums."""


class Change(NamedTuple):
    """One number in both documents. ``verdict`` is "better", "worse", "changed" or "" for what is within the noise."""

    name: str
    old: float
    new: float
    noise: float
    verdict: str


def changes(old: Document, new: Document) -> Iterator[Change]:
    """Every number that both have, part by part."""
    for part, found in new["parts"].items():
        before = old["parts"].get(part, {})
        known, now = numbers(before), numbers(found)
        was, is_ = medians(before), medians(found)
        rows = {row.at: row for row in PARTS[part].rows} if part in PARTS else {}
        for name in now:
            if name in known:
                row = rows.get(name)
                usual = PARTS[part].noise if row else UNKNOWN
                noise = max(usual, _spread(known[name]), _spread(now[name]))
                better = row.better if row else "neither"
                yield Change(
                    f"{part}/{name}", was[name], is_[name], noise, _verdict(was[name], is_[name], noise, better)
                )


def _spread(values: list[float]) -> float:
    """How far apart, as a share of what lies in the middle; 0 of a single one."""
    middle = abs(sorted(values)[len(values) // 2])
    return (max(values) - min(values)) / middle if middle else 0.0


def _verdict(old: float, new: float, noise: float, better: str) -> str:
    if new == old or abs(new - old) <= noise * abs(old):
        return ""
    if better == "neither":
        return "changed"
    return "better" if (new < old) == (better == "less") else "worse"


def lines(found: list[Change], *, every: bool) -> Iterator[str]:
    """The changes as a table."""
    for each in found:
        if each.verdict or every:
            ratio = f"{each.new / each.old:6.2f} x" if each.old else "        "
            told = each.verdict or f"within noise ({100 * each.noise:.0f} %)"
            yield f"{each.name:64} {each.old:10g} {each.new:10g} {ratio}  {told}"


def different(old: Document, new: Document) -> list[str]:
    """What of the circumstances forbids a comparison."""
    here, there = new.get("machine", {}), old.get("machine", {})
    said = [f"{name}: {there.get(name)}, now {here.get(name)}" for name in here if there.get(name) != here[name]]
    for name, part in new["parts"].items():
        if old["parts"].get(name, part).get("quick") != part.get("quick"):
            said.append(f"{name}: one of both was a quick run")
    return said


def compared(old: Document, new: Document, *, every: bool = False) -> tuple[str, bool]:
    """The whole report, and whether something has become worse."""
    found = list(changes(old, new))
    said = [f"not comparable: {each}" for each in different(old, new)]
    said += lines(found, every=every)
    lacking = sorted(set(old["parts"]) ^ set(new["parts"]))
    said += [f"in one of both alone: {name}" for name in lacking]
    quiet = sum(not each.verdict for each in found)
    said.append(f"{len(found)} numbers in both, {quiet} of them as before but for noise")
    return "\n".join(said), any(each.verdict == "worse" for each in found)


def main() -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--all", action="store_true", help="what is within the noise as well")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    try:
        old, new = load(args.old), load(args.new)
    except (NoDocumentError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    report, worse = compared(old, new, every=args.all)
    if args.json:
        found = [each._asdict() for each in changes(old, new) if each.verdict or args.all]
        print(json.dumps({"different": different(old, new), "changes": found}))
    else:
        print(report)
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
