#!/usr/bin/env python3
"""Compare the tool calls found by the readers with the inventory of the corpus.

usage: inventory_gate.py SHARED [--table]

The number of calls of each file must agree within 2 %. Codex's own web searches are not function calls; the inventory
omits them, and so does this count. Different numbers of failed calls are listed with the reason: the inventory counts
flags, and the readers also find calls that failed or were interrupted without one. A script of Codex is one call in the
inventory, but all of the calls it made here. A tool may only have the action ``other`` if its spec in
mind_skills/hosts/ declares it. The exit code is 1 if a file cannot be read, a number of calls differs, a tool is
unknown, or a different number of failures is unexplained, unless .ci/baseline.json lists the file as unrecognised or
under failures_off. --table prints the results by format, for docs/readers.md.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hosts import load_all_specs
from mind_skills.hosts.swe_agent import TOOLS as SWE_AGENT_TOOLS
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import read_session
from mind_skills.observations.readers.codex_scripts import SCRIPT_TOOL

BASELINE = Path(__file__).parent / "baseline.json"
TOLERANCE = 0.02
NOT_COUNTED = "web_search"
"""Codex's own web searches."""


TABLES = {**{spec.name: spec.tools for spec in load_all_specs()}, "swe-agent": SWE_AGENT_TOOLS}
COLUMNS = ("run", "edit", "write", "read", "search", "web", "mcp", "task", "other")
OUTCOMES = ("ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown")


def find_script_lines(path: Path, host: str) -> set[int]:
    """Return the lines of a rollout that contain a script, whose calls the inventory counts as one."""
    if host != "codex":
        return set()
    marker = f'"name":"{SCRIPT_TOOL}"'.encode()
    with path.open("rb") as log:
        return {number for number, line in enumerate(log, 1) if marker in line[:2_000].replace(b'": "', b'":"')}


def explain_unflagged(call: Observation, host: str) -> str:
    """Return why the inventory counts no error although the reader finds a failed call; empty if it counts one."""
    if call.outcome == "aborted":
        return "aborted: cancelled, or ended by the host" if call.text else "aborted: the log holds no result of it"
    if host == "claude-code" and "Background command" in call.text[:60]:
        return "failed: in the background, where the inventory only counts the start"
    if host == "codex" and call.exit_code is None:
        return "failed: a call of Codex without an exit code, where the reader uses the text"
    return ""


def tally(counts: Counter[str], session: Session) -> None:
    """Count the observations of one session."""
    counts["sessions"] += 1
    for seen in session.observations:
        if seen.kind == "tool":
            counts.update((seen.action, seen.outcome))
            counts["changes"] += bool(seen.change)
        elif seen.kind == "user" and seen.agent == "main" and seen.text:
            counts["user"] += 1
        elif seen.kind == "assistant" and seen.agent == "subagent":
            counts["subagents"] += 1


def format_table(seen: dict[str, Counter[str]]) -> str:
    """Format the observation counts as a Markdown table with a row per format."""
    rows: list[tuple[str, ...]] = [("format", "sessions", *COLUMNS, *OUTCOMES, "changes", "user", "subagents")]
    rows.append(tuple("---" for _ in rows[0]))
    for name, counts in sorted(seen.items()):
        rows.append((name, *(f"{counts[column]:,}" if counts[column] else "" for column in rows[0][1:])))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Run the command; see the module's docstring."""
    corpus = Path(sys.argv[1]) / "corpus"
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    unread, calls_off, failures_off = set[str](), set[str](), set[str]()
    skipped, reasons = 0, Counter[str]()
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
        script_lines = find_script_lines(corpus / row["file"], session.host)
        counted = [seen for seen in tools if seen.tool != NOT_COUNTED]
        skipped += len(tools) - len(counted)
        call_count = (
            len(counted)
            - sum(seen.line in script_lines for seen in counted)
            + len(script_lines & {seen.line for seen in counted})
        )
        failures = [seen for seen in tools if seen.outcome not in ("ok", "unknown", "nothing")]
        tally(by_format.setdefault(session.format, Counter()), session)
        declared = {"bash": "run", **TABLES.get(session.host, {})}
        unknown.update(
            f"{session.format} {seen.tool}" for seen in tools if seen.action == "other" and seen.tool not in declared
        )
        calls, errors = int(row["tool_calls"]), int(row["tool_errors"])
        if abs(call_count - calls) > TOLERANCE * calls:
            calls_off.add(name)
            print(f"{name}: {calls} calls, {call_count} seen")
        if len(failures) != errors:
            by_script = [seen for seen in failures if seen.line in script_lines]
            others = [seen for seen in failures if seen.line not in script_lines]
            reasons_found = Counter(reason for seen in others if (reason := explain_unflagged(seen, session.host)))
            unexplained = len(failures) - errors - reasons_found.total()
            if (
                not 0 <= unexplained <= len(by_script)
            ):  # the inventory does not show which failures of scripts it counts
                failures_off.add(name)
            elif unexplained:
                reasons_found[
                    "failed: a call of a script, where the inventory only counts failures of the script itself"
                ] += unexplained
            explained = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons_found.items()))
            seen_as = dict(Counter(seen.outcome for seen in failures))
            print(f"{name}: {errors} errors flagged, seen {seen_as}; {explained or 'no reason known'}")
            reasons += reasons_found
    print("not counted by the inventory, and the reason:")
    for reason, count in [*sorted(reasons.items()), (f"{NOT_COUNTED}: not function calls of Codex", skipped)]:
        print(f"  {count:4} {reason}")
    if "--table" in sys.argv:
        print(format_table(by_format))
    broken = bool(unknown)
    print(f"{'BROKEN' if unknown else 'kept  '} {len(unknown)} tools without a declared action: {dict(unknown)}")
    for description, found, expected in (
        ("not recognised", unread, set(baseline["unrecognised"])),
        ("with another number of tool calls", calls_off, set[str]()),
        ("with unexplained failures", failures_off, set(baseline["failures_off"])),
    ):
        broken = broken or not found <= expected
        print(
            f"{'kept  ' if found <= expected else 'BROKEN'} {len(rows)} files, {len(found)} {description}, {len(expected)} known"
        )
        print("".join(f"  new: {name}\n" for name in sorted(found - expected)), end="")
        print(
            "".join(f"  better, remove it from .ci/baseline.json: {name}\n" for name in sorted(expected - found)),
            end="",
        )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
