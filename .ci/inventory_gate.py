#!/usr/bin/env python3
"""Count the tool calls that the readers see, and hold them against the inventory of the corpus.

usage: inventory_gate.py SHARED [--table]

Within 2 % for every file; what the inventory leaves out by its own rule is left out here: Codex's own web searches, which are
no function calls. Failed calls that differ are listed, each with its reason: the inventory counts flags, and the readers also
see calls that failed or were cut short without one. A script of Codex is one call there, and here the calls that it made.
No tool may stay of action ``other`` unless its spec in mind_skills/hosts/ says that it acts upon nothing. Exit code 1 if a file
is not read, a count of calls is off, a tool is not known, or a difference of failures is not explained, unless
.ci/baseline.json names that file as unrecognised or under failures_off. --table prints what was seen by format, for
docs/readers.md.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hosts import all_specs
from mind_skills.hosts.swe_agent import TOOLS as SWE_AGENT_TOOLS
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import read_session
from mind_skills.observations.readers.codex_scripts import SCRIPT

BASELINE = Path(__file__).parent / "baseline.json"
TOLERANCE = 0.02
NOT_COUNTED = "web_search"
"""Codex's own web searches."""


TABLES = {**{spec.name: spec.tools for spec in all_specs()}, "swe-agent": SWE_AGENT_TOOLS}
COLUMNS = ("run", "edit", "write", "read", "search", "web", "mcp", "task", "other")
OUTCOMES = ("ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown")


def scripts(path: Path, host: str) -> set[int]:
    """The lines of a rollout that hold a script: the calls that it made are counted as one."""
    if host != "codex":
        return set()
    mark = f'"name":"{SCRIPT}"'.encode()
    with path.open("rb") as log:
        return {number for number, line in enumerate(log, 1) if mark in line[:2_000].replace(b'": "', b'":"')}


def unflagged(call: Observation, host: str) -> str:
    """Why the inventory counts no error where the reader sees a call that did not succeed; empty where it does count one."""
    if call.outcome == "aborted":
        return "aborted: cancelled, or ended by the host" if call.text else "aborted: the log holds no result of it"
    if host == "claude-code" and "Background command" in call.text[:60]:
        return "failed: in the background, of which the inventory counts that it was begun"
    if host == "codex" and call.exit_code is None:
        return "failed: a call of Codex without an exit code, of which the reader goes by the text"
    return ""


def tally(counts: Counter[str], session: Session) -> None:
    """Count what was seen in one session."""
    counts["sessions"] += 1
    for seen in session.observations:
        if seen.kind == "tool":
            counts.update((seen.action, seen.outcome))
            counts["changes"] += bool(seen.change)
        elif seen.kind == "user" and seen.agent == "main" and seen.text:
            counts["user"] += 1
        elif seen.kind == "assistant" and seen.agent == "subagent":
            counts["subagents"] += 1


def markdown(seen: dict[str, Counter[str]]) -> str:
    """What the readers saw, one row a format."""
    rows: list[tuple[str, ...]] = [("format", "sessions", *COLUMNS, *OUTCOMES, "changes", "user", "subagents")]
    rows.append(tuple("---" for _ in rows[0]))
    for name, counts in sorted(seen.items()):
        rows.append((name, *(f"{counts[column]:,}" if counts[column] else "" for column in rows[0][1:])))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """The command; see the module's docstring."""
    corpus = Path(sys.argv[1]) / "corpus"
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    unread, calls_off, failures_off = set[str](), set[str](), set[str]()
    passed_over, reasons = 0, Counter[str]()
    unknown = Counter[str]()
    by_format: dict[str, Counter[str]] = {}
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
        scripted = scripts(corpus / row["file"], session.host)
        counted = [seen for seen in tools if seen.tool != NOT_COUNTED]
        passed_over += len(tools) - len(counted)
        once = (
            len(counted)
            - sum(seen.line in scripted for seen in counted)
            + len(scripted & {seen.line for seen in counted})
        )
        failures = [seen for seen in tools if seen.outcome not in ("ok", "unknown", "nothing")]
        tally(by_format.setdefault(session.format, Counter()), session)
        declared = {"bash": "run", **TABLES.get(session.host, {})}
        unknown.update(
            f"{session.format} {seen.tool}" for seen in tools if seen.action == "other" and seen.tool not in declared
        )
        calls, errors = int(row["tool_calls"]), int(row["tool_errors"])
        if abs(once - calls) > TOLERANCE * calls:
            calls_off.add(name)
            print(f"{name}: {calls} calls, {once} seen")
        if len(failures) != errors:
            by_script = [seen for seen in failures if seen.line in scripted]
            others = [seen for seen in failures if seen.line not in scripted]
            why = Counter(reason for seen in others if (reason := unflagged(seen, session.host)))
            more = len(failures) - errors - why.total()
            if not 0 <= more <= len(by_script):  # which of the failures of scripts it counts, it does not say
                failures_off.add(name)
            elif more:
                why["failed: a call of a script, of which the inventory counts whether the script itself failed"] += (
                    more
                )
            explained = ", ".join(f"{count} {reason}" for reason, count in sorted(why.items()))
            seen_as = dict(Counter(seen.outcome for seen in failures))
            print(f"{name}: {errors} errors flagged, seen {seen_as}; {explained or 'no reason known'}")
            reasons += why
    print("not counted by the inventory, and why:")
    for reason, count in [*sorted(reasons.items()), (f"{NOT_COUNTED}: no function calls of Codex", passed_over)]:
        print(f"  {count:4} {reason}")
    if "--table" in sys.argv:
        print(markdown(by_format))
    broken = bool(unknown)
    print(
        f"{'BROKEN' if unknown else 'kept  '} {len(unknown)} tools of which nobody says what they do: {dict(unknown)}"
    )
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
