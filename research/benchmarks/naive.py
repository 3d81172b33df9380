"""A naive implementation of published heuristics for this purpose: every problem is compared with every solution.

A baseline for time. The kind of an observation depends on words in its output and on its tool. A problem is paired with
the first later solution that shares a file or three words of more than four letters; an error with the first later fix.
For each problem all solutions are scanned from the start. The published functions compare two observations, so the
words of both are extracted at each comparison (``find_pairs``); ``find_pairs_of_sets`` extracts them once, an obvious
optimisation. The published limit to the last twenty observations is left out: within it no heuristic takes any time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mind_skills.observations.model import Observation

PROBLEMS, SUCCESSES, WARNINGS = (
    ("error", "failed", "exception"),
    ("success", "passed", "completed"),
    ("warning", "deprecated"),
)
"""Words that determine the kind of an observation, in this order."""
ERRORS = ("error", "failed", "exception", "crash", "broken", "enoent", "eacces", "timeout", "rejected")
FIXES: tuple[str, ...] = (
    "fix",
    "resolved",
    "workaround",
    "solved",
    "the issue was",
    "root cause",
    "the problem was",
    "changed to",
)
FIXES += ("switched to", "replaced with")
DISCOVERY_WORDS: tuple[str, ...] = (
    "actually",
    "turns out",
    "not obvious",
    "misleading",
    "the real",
    "root cause",
    "unexpected",
    "surprisingly",
)
DISCOVERY_WORDS += ("counterintuitively", "despite", "even though", "the trick", "key insight", "important to note")
MIN_OUTPUT, MIN_SHARED_WORDS = 50, 3
"""Minimum characters of an output to be considered; minimum number of shared words."""
_WORD = re.compile(r"[a-z]{5,}")
Pairs = list[tuple[int, int]]


class ToolCall(NamedTuple):
    """A tool call as classified by the heuristics. It may be both a problem and a solution."""

    line: int
    is_problem: bool
    is_solution: bool
    is_error: bool
    is_fix: bool
    is_discovery: bool
    files: frozenset[str]
    text: str


def classify_calls(observations: Sequence[Observation]) -> list[ToolCall]:
    """Return what the heuristics consider: tool calls with enough output, and all edits."""
    return [
        _classify_call(call)
        for call in observations
        if call.kind == "tool" and (call.change or len(call.text) >= MIN_OUTPUT)
    ]


def _classify_call(observation: Observation) -> ToolCall:
    text = f"{observation.command} {observation.text} {observation.change}".lower()
    kind = _get_kind(observation, text)
    is_error = any(word in text for word in ERRORS)
    is_solution = kind in ("bugfix", "success")
    is_fix = is_solution and any(word in text for word in FIXES)
    is_discovery = kind in ("discovery", "warning") and any(word in text for word in DISCOVERY_WORDS)
    return ToolCall(
        observation.line,
        kind == "problem" or is_error,
        is_solution,
        is_error,
        is_fix,
        is_discovery,
        frozenset(observation.files),
        text,
    )


def _get_kind(observation: Observation, text: str) -> str:
    for kind, words in (("problem", PROBLEMS), ("success", SUCCESSES), ("warning", WARNINGS)):
        if any(word in text for word in words):
            return kind
    if observation.action == "edit":
        return "bugfix" if "fix" in text or "bug" in text else "refactor"
    return "feature" if observation.action == "write" else "discovery"


def find_pairs(calls: Sequence[ToolCall]) -> Pairs:
    """Return the lines of each problem and of the first later solution that is related to it."""
    problems, solutions = _split_calls(calls)
    found: Pairs = []
    for problem in problems:
        first = next((other for other in solutions if other.line > problem.line and _is_related(problem, other)), None)
        if first:
            found.append((problem.line, first.line))
    return found


def find_pairs_of_sets(calls: Sequence[ToolCall]) -> Pairs:
    """Return the same pairs, extracting the words of each observation once."""
    problems, solutions = _split_calls(calls)
    words = {call.line: _extract_words(call) for call in calls}
    found: Pairs = []
    for problem in problems:
        files, own, line = problem.files, words[problem.line], problem.line
        for other in solutions:
            if other.line > line and (
                not files.isdisjoint(other.files) or len(own & words[other.line]) >= MIN_SHARED_WORDS
            ):
                found.append((line, other.line))
                break
    return found


def _split_calls(calls: Sequence[ToolCall]) -> tuple[list[ToolCall], list[ToolCall]]:
    return [call for call in calls if call.is_problem], [call for call in calls if call.is_solution]


def _is_related(call: ToolCall, other: ToolCall) -> bool:
    return (
        not call.files.isdisjoint(other.files) or len(_extract_words(call) & _extract_words(other)) >= MIN_SHARED_WORDS
    )


def _extract_words(call: ToolCall) -> set[str]:
    return set(_WORD.findall(call.text))


def find_fixes(calls: Sequence[ToolCall]) -> Pairs:
    """Return the lines of each error and of the first later fix, related or not."""
    errors, fixes = [call for call in calls if call.is_error], [call for call in calls if call.is_fix]
    found: Pairs = []
    for error in errors:
        first = next((other for other in fixes if other.line > error.line), None)
        if first:
            found.append((error.line, first.line))
    return found


def find_investigations(calls: Sequence[ToolCall]) -> list[str]:
    """Return the files with five or more observations that include a problem and a solution."""
    calls_by_file: dict[str, list[ToolCall]] = {}
    for call in calls:
        for name in call.files:
            calls_by_file.setdefault(name, []).append(call)
    return [
        name
        for name, own in calls_by_file.items()
        if len(own) >= 5 and any(call.is_problem for call in own) and any(call.is_solution for call in own)
    ]


def find_discoveries(calls: Sequence[ToolCall]) -> list[int]:
    """Return the lines of non-obvious discoveries, if there are at least two."""
    found = [call.line for call in calls if call.is_discovery]
    return found if len(found) >= 2 else []


def run_heuristics(
    observations: Sequence[Observation], pairing: Callable[[Sequence[ToolCall]], Pairs] = find_pairs
) -> Pairs:
    """Run all heuristics on a session; return the pairs of the first, by lines."""
    calls = classify_calls(observations)
    find_fixes(calls)
    find_investigations(calls)
    find_discoveries(calls)
    return pairing(calls)
