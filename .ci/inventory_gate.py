#!/usr/bin/env python3
"""Count the tool calls that the readers see, and hold them against the inventory of the corpus.

usage: inventory_gate.py SHARED

Within 2 % for every file; what the inventory leaves out by its own rule is left out here: Codex's own web searches, which are
no function calls. Failed calls that differ are listed, each with its reason: the inventory counts flags, and the readers also
see calls that failed or were cut short without one. Exit code 1 if a count of calls is off, or a difference of failures is not
explained.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session

TOLERANCE = 0.02
NOT_COUNTED = "web_search"
"""Codex's own web searches."""


def unflagged(call: Observation) -> str:
    """Why the inventory counts no error where the reader sees a call that did not succeed; empty where it does count one."""
    if call.outcome == "aborted":
        return "aborted: cancelled, or ended by the host" if call.text else "aborted: the log holds no result of it"
    if call.tool == "write_stdin" and call.exit_code is None:
        return "failed: a write_stdin of Codex, which has no exit code"
    return ""


def main() -> int:
    """The command; see the module's docstring."""
    corpus = Path(sys.argv[1]) / "corpus"
    off, passed_over, reasons = 0, 0, Counter[str]()
    with (corpus / "inventory.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    for row in rows:
        session = read_session(corpus / row["file"])
        tools = [seen for seen in session.observations if seen.kind == "tool"]
        counted = [seen for seen in tools if seen.tool != NOT_COUNTED]
        passed_over += len(tools) - len(counted)
        failures = [seen for seen in tools if seen.outcome not in ("ok", "unknown")]
        calls, errors = int(row["tool_calls"]), int(row["tool_errors"])
        if abs(len(counted) - calls) > TOLERANCE * calls:
            off += 1
            print(f"OFF  {row['file']}: {calls} calls, {len(counted)} seen")
        if len(failures) != errors:
            why = Counter(reason for seen in failures if (reason := unflagged(seen)))
            explained = errors + why.total() == len(failures)
            off += not explained
            seen_as = dict(Counter(seen.outcome for seen in failures))
            print(f"{'note' if explained else 'OFF '} {row['file']}: {errors} errors flagged, seen {seen_as}")
            for reason, count in sorted(why.items()):
                print(f"       {count} {reason}")
            reasons += why
    print(f"{len(rows)} files, {off} with another number of tool calls or with failures that nothing explains")
    print("not counted by the inventory, and why:")
    for reason, count in [*sorted(reasons.items()), (f"{NOT_COUNTED}: no function calls of Codex", passed_over)]:
        print(f"  {count:4} {reason}")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
