#!/usr/bin/env python3
"""Compare the tool calls found by the readers with the inventory of the corpus.

usage: inventory_gate.py SHARED [--table]

The number of calls of each file must agree within 2 %. Codex's own web searches are not function calls; neither the inventory
nor this count includes them. The inventory counts a script of Codex as one call, and so does this count, although the readers
find every call that the script made. Files whose number of failed calls differs are listed with the reasons: the inventory
counts error flags, and the readers also find calls that failed or were interrupted without one. A tool may only have the
action ``other`` if its host's spec (hosts/) declares it. The exit code is 1 if a file cannot be read, a number of calls
differs, a tool is unknown, or a difference in failures is unexplained; .ci/baseline.json lists the files that may be
unrecognised, or may differ in calls (calls_off: a session that its host wrote twice) or in failures (failures_off: a result
before its call, which the inventory misses). --table prints the results by format.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hosts import load_all_specs
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import read_session
from mind_skills.observations.readers.codex_calls import SCRIPT_TOOL
from mind_skills.observations.readers.swe_agent import TOOLS as SWE_AGENT_TOOLS
from mind_skills.observations.results import read_printed_status

BASELINE = Path(__file__).parent / "baseline.json"
KEPT, BROKEN = "kept  ", "BROKEN"
TOLERANCE = 0.02
NOT_COUNTED = "web_search"
"""Codex's own web searches."""
TABLES = {**{spec.name: spec.tools for spec in load_all_specs()}, "swe-agent": SWE_AGENT_TOOLS}
COLUMNS = ("run", "edit", "write", "read", "search", "web", "mcp", "task", "other")
OUTCOMES = ("ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown")


def find_script_lines(path: Path, host: str) -> set[int]:
    """Return the numbers of the lines of a Codex rollout that contain a script, which is one call in the inventory."""
    if host != "codex":
        return set()
    marker = f'"name":"{SCRIPT_TOOL}"'.encode()
    with path.open("rb") as log:
        return {number for number, line in enumerate(log, 1) if marker in line[:2_000].replace(b'": "', b'":"')}


def explain_unflagged(call: Observation, host: str) -> str:
    """Return why the inventory counts no error for a call that the reader finds failed; empty if there is no such reason."""
    if call.outcome == "aborted":
        return "aborted: cancelled, or ended by the host" if call.text else "aborted: the log holds no result of it"
    if host == "claude-code" and "Background command" in call.text[:60]:
        return "failed: in the background, where the inventory only counts the start"
    if read_printed_status(call.command, call.text):
        return "failed: the command line prints the exit code of a check"
    if host == "codex" and call.exit_code is None:
        return "failed: a call of Codex without an exit code, where the reader uses the text"
    return ""


def count_session(counts: Counter[str], session: Session) -> None:
    """Add the observations of a session to ``counts``."""
    counts["sessions"] += 1
    for observation in session.observations:
        if observation.kind == "tool" and observation.agent != "host":
            counts.update((observation.action, observation.outcome))
            counts["changes"] += bool(observation.change)
        elif observation.kind == "user" and observation.agent == "main" and observation.text:
            counts["user"] += 1
        elif observation.kind == "assistant" and observation.agent == "subagent":
            counts["subagents"] += 1


def format_table(counts_by_format: dict[str, Counter[str]]) -> str:
    """Format the observation counts as a Markdown table with a row per format."""
    rows: list[tuple[str, ...]] = [("format", "sessions", *COLUMNS, *OUTCOMES, "changes", "user", "subagents")]
    rows.append(tuple("---" for _ in rows[0]))
    for name, counts in sorted(counts_by_format.items()):
        rows.append((name, *(f"{counts[column]:,}" if counts[column] else "" for column in rows[0][1:])))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Run the command; see the module's docstring."""
    corpus = Path(sys.argv[1]) / "corpus"
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    unread, calls_off, failures_off = set[str](), set[str](), set[str]()
    skipped, reasons = 0, Counter[str]()
    unknown_tools = Counter[str]()
    counts_by_format: dict[str, Counter[str]] = {}
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
        calls = [each for each in session.observations if each.kind == "tool" and each.agent != "host"]
        script_lines = find_script_lines(corpus / row["file"], session.host)
        counted = [call for call in calls if call.tool != NOT_COUNTED]
        skipped += len(calls) - len(counted)
        call_count = (
            len(counted)
            - sum(call.line in script_lines for call in counted)
            + len(script_lines & {call.line for call in counted})
        )
        failures = [call for call in calls if call.outcome not in ("ok", "unknown", "nothing")]
        count_session(counts_by_format.setdefault(session.format, Counter()), session)
        declared = {"bash": "run", **TABLES.get(session.host, {})}
        unknown_tools.update(
            f"{session.format} {call.tool}" for call in calls if call.action == "other" and call.tool not in declared
        )
        expected_calls, flagged = int(row["tool_calls"]), int(row["tool_errors"])
        if abs(call_count - expected_calls) > TOLERANCE * expected_calls:
            calls_off.add(name)
            print(f"{name}: {expected_calls} calls, {call_count} found")
        if len(failures) != flagged:
            by_script = [call for call in failures if call.line in script_lines]
            others = [call for call in failures if call.line not in script_lines]
            reasons_found = Counter(reason for call in others if (reason := explain_unflagged(call, session.host)))
            unexplained = len(failures) - flagged - reasons_found.total()
            # The inventory does not show which failures of scripts it counts; it counts some of the others.
            if len(failures) < flagged or unexplained > len(by_script):
                failures_off.add(name)
            elif unexplained > 0:
                reasons_found[
                    "failed: a call of a script, where the inventory only counts failures of the script itself"
                ] += unexplained
            explained = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons_found.items()))
            outcomes = dict(Counter(call.outcome for call in failures))
            print(f"{name}: {flagged} errors flagged, found {outcomes}; {explained or 'no known reason'}")
            reasons += reasons_found
    print("calls that the inventory does not count, by reason:")
    for reason, count in [*sorted(reasons.items()), (f"{NOT_COUNTED}: not function calls of Codex", skipped)]:
        print(f"  {count:4} {reason}")
    if "--table" in sys.argv:
        print(format_table(counts_by_format))
    is_broken = bool(unknown_tools)
    print(
        f"{KEPT if not unknown_tools else BROKEN} {len(unknown_tools)} tools without a declared action: {dict(unknown_tools)}"
    )
    for description, found, expected in (
        ("not recognised", unread, set(baseline["unrecognised"])),
        ("with a different number of tool calls", calls_off, set(baseline["calls_off"])),
        ("with unexplained failures", failures_off, set(baseline["failures_off"])),
    ):
        is_broken = is_broken or not found <= expected
        print(
            f"{KEPT if found <= expected else BROKEN} {len(rows)} files, {len(found)} {description}, {len(expected)} expected"
        )
        print("".join(f"  new: {name}\n" for name in sorted(found - expected)), end="")
        print(
            "".join(f"  better, remove it from .ci/baseline.json: {name}\n" for name in sorted(expected - found)),
            end="",
        )
    return 1 if is_broken else 0


if __name__ == "__main__":
    sys.exit(main())
