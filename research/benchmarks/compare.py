"""Compare two documents of `make bench`: which numbers have changed by more than the noise.

usage: python -m research.benchmarks.compare OLD.json NEW.json [--all] [--json]

Noise is the spread between the runs of one document (`suite.py --repeat 3`), and at least the spread observed between
two runs of one commit (research/benchmarks/parts.py). Numbers from different machines or Pythons cannot be compared; such
differences are reported. Exit code 1 if a number in the table is worse, 2 if a file is not such a document.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from research.benchmarks.parts import PARTS
from research.benchmarks.results import Document, NoDocumentError, collect_numbers, compute_medians, load_document

DEFAULT_NOISE = 0.25
"""Noise of numbers that are not in the table: counts, absolute times, parts of sums."""


class Change(NamedTuple):
    """A number that both documents have. ``verdict`` is "better", "worse", "changed", or "" within the noise."""

    name: str
    old: float
    new: float
    noise: float
    verdict: str


def list_changes(old: Document, new: Document) -> Iterator[Change]:
    """Yield every number that both documents have, part by part."""
    for part, found in new["parts"].items():
        before = old["parts"].get(part, {})
        old_values, new_values = collect_numbers(before), collect_numbers(found)
        old_medians, new_medians = compute_medians(before), compute_medians(found)
        rows = {row.at: row for row in PARTS[part].rows} if part in PARTS else {}
        for name in new_values:
            if name in old_values:
                row = rows.get(name)
                least_noise = PARTS[part].noise if row else DEFAULT_NOISE
                noise = max(least_noise, _spread(old_values[name]), _spread(new_values[name]))
                better = row.better if row else "neither"
                yield Change(
                    f"{part}/{name}",
                    old_medians[name],
                    new_medians[name],
                    noise,
                    _verdict(old_medians[name], new_medians[name], noise, better),
                )


def _spread(values: list[float]) -> float:
    """Return the range divided by the median; 0 for a single value."""
    middle = abs(sorted(values)[len(values) // 2])
    return (max(values) - min(values)) / middle if middle else 0.0


def _verdict(old: float, new: float, noise: float, better: str) -> str:
    if new == old or abs(new - old) <= noise * abs(old):
        return ""
    if better == "neither":
        return "changed"
    return "better" if (new < old) == (better == "less") else "worse"


def format_changes(found: list[Change], *, include_all: bool) -> Iterator[str]:
    """Yield the changes as lines of a table."""
    for change in found:
        if change.verdict or include_all:
            ratio = f"{change.new / change.old:6.2f} x" if change.old else "        "
            verdict_text = change.verdict or f"within noise ({100 * change.noise:.0f} %)"
            yield f"{change.name:64} {change.old:10g} {change.new:10g} {ratio}  {verdict_text}"


def list_incompatibilities(old: Document, new: Document) -> list[str]:
    """List the differences that make a comparison invalid."""
    new_machine, old_machine = new.get("machine", {}), old.get("machine", {})
    report_lines = [
        f"{name}: {old_machine.get(name)}, now {new_machine.get(name)}"
        for name in new_machine
        if old_machine.get(name) != new_machine[name]
    ]
    for name, part in new["parts"].items():
        if old["parts"].get(name, part).get("quick") != part.get("quick"):
            report_lines.append(f"{name}: one of them was a quick run")
    return report_lines


def format_comparison(old: Document, new: Document, *, include_all: bool = False) -> tuple[str, bool]:
    """Return the full report, and whether a number is worse."""
    found = list(list_changes(old, new))
    report_lines = [f"not comparable: {change}" for change in list_incompatibilities(old, new)]
    report_lines += format_changes(found, include_all=include_all)
    unmatched = sorted(set(old["parts"]) ^ set(new["parts"]))
    report_lines += [f"in only one of them: {name}" for name in unmatched]
    unchanged = sum(not change.verdict for change in found)
    report_lines.append(f"{len(found)} numbers in both, {unchanged} of them unchanged within the noise")
    return "\n".join(report_lines), any(change.verdict == "worse" for change in found)


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--all", action="store_true", help="also show changes within the noise")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    try:
        old, new = load_document(args.old), load_document(args.new)
    except (NoDocumentError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    report, worse = format_comparison(old, new, include_all=args.all)
    if args.json:
        found = [change._asdict() for change in list_changes(old, new) if change.verdict or args.all]
        print(json.dumps({"different": list_incompatibilities(old, new), "changes": found}))
    else:
        print(report)
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
