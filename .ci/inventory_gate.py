#!/usr/bin/env python3
"""Count the tool calls that the readers see, and hold them against the inventory of the corpus.

usage: inventory_gate.py SHARED

Within 2 % for every file; what the inventory leaves out by its own rule is left out here: Codex's own web searches, which are
no function calls. Failed calls that differ are listed, each with its reason: the inventory counts flags, and the readers also
see calls that failed or were cut short without one. Exit code 1 if a file is not read, a count of calls is off, or a
difference of failures is not explained, unless .ci/baseline.json names that file as unrecognised or under failures_off.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

from mind_skills.observations.model import Observation
from mind_skills.observations.read import LogError, read_session

BASELINE = Path(__file__).parent / "baseline.json"
TOLERANCE = 0.02
NOT_COUNTED = "web_search"
"""Codex's own web searches."""


def unflagged(call: Observation, host: str) -> str:
    """Why the inventory counts no error where the reader sees a call that did not succeed; empty where it does count one."""
    if call.outcome == "aborted":
        return "aborted: cancelled, or ended by the host" if call.text else "aborted: the log holds no result of it"
    if host == "codex" and call.exit_code is None:
        return "failed: a call of Codex without an exit code, of which the reader goes by the text"
    return ""


def main() -> int:
    """The command; see the module's docstring."""
    corpus = Path(sys.argv[1]) / "corpus"
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    unread, calls_off, failures_off = set[str](), set[str](), set[str]()
    passed_over, reasons = 0, Counter[str]()
    with (corpus / "inventory.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    for row in rows:
        name = Path(row["file"]).name
        try:
            session = read_session(corpus / row["file"])
        except LogError as failure:
            unread.add(name)
            print(f"{name}: {failure}")
            continue
        tools = [seen for seen in session.observations if seen.kind == "tool"]
        counted = [seen for seen in tools if seen.tool != NOT_COUNTED]
        passed_over += len(tools) - len(counted)
        failures = [seen for seen in tools if seen.outcome not in ("ok", "unknown")]
        calls, errors = int(row["tool_calls"]), int(row["tool_errors"])
        if abs(len(counted) - calls) > TOLERANCE * calls:
            calls_off.add(name)
            print(f"{name}: {calls} calls, {len(counted)} seen")
        if len(failures) != errors:
            why = Counter(reason for seen in failures if (reason := unflagged(seen, session.host)))
            explained = ", ".join(f"{count} {reason}" for reason, count in sorted(why.items()))
            seen_as = dict(Counter(seen.outcome for seen in failures))
            print(f"{name}: {errors} errors flagged, seen {seen_as}; {explained or 'no reason known'}")
            if errors + why.total() != len(failures):
                failures_off.add(name)
            reasons += why
    print("not counted by the inventory, and why:")
    for reason, count in [*sorted(reasons.items()), (f"{NOT_COUNTED}: no function calls of Codex", passed_over)]:
        print(f"  {count:4} {reason}")
    broken = False
    for what, found, known in (
        ("not recognised", unread, set(baseline["unrecognised"])),
        ("with another number of tool calls", calls_off, set[str]()),
        ("with failures that nothing explains", failures_off, set(baseline["failures_off"])),
    ):
        broken = broken or not found <= known
        print(f"{'kept  ' if found <= known else 'BROKEN'} {len(rows)} files, {len(found)} {what}, {len(known)} known")
        print("".join(f"  new: {name}\n" for name in sorted(found - known)), end="")
        print(
            "".join(f"  better, take it out of .ci/baseline.json: {name}\n" for name in sorted(known - found)), end=""
        )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
