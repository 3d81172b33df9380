"""The heuristics that were published for this purpose, as one writes them down first: every problem with every solution.

A yardstick for time. What an observation is goes by words in what it printed; a problem is paired with the first later
solution that has a file in common with it, or three words of more than four letters, and an error with the first later
fix. For each problem the solutions are gone through from the first on, and what two texts share is found out when they are
compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.observations.model import Observation

ERRORS = ("error", "failed", "exception", "crash", "broken", "enoent", "eacces", "timeout", "rejected")
FIXES = ("fix", "resolved", "workaround", "solved", "the issue was", "root cause", "the problem was", "changed to")
FIXES += ("switched to", "replaced with")
SHORTEST, SHARED = 50, 3
"""Characters of an output below which it is not looked at; words that two observations must share."""
_WORD = re.compile(r"[a-z]{5,}")


class Seen(NamedTuple):
    """One tool call as the heuristics see it: ``kind`` is problem, solution or neither."""

    line: int
    kind: str
    error: bool
    fix: bool
    files: frozenset[str]
    text: str


def seen(observations: Sequence[Observation]) -> list[Seen]:
    """What the heuristics look at: tool calls whose output is long enough, and all edits."""
    return [_seen(one) for one in observations if one.kind == "tool" and (one.change or len(one.text) >= SHORTEST)]


def _seen(one: Observation) -> Seen:
    text = f"{one.command} {one.text} {one.change}".lower()
    error = any(word in text for word in ERRORS)
    solution = not error and (bool(one.change) or any(word in text for word in ("success", "passed", "completed")))
    kind = "problem" if error else "solution" if solution else "neither"
    fix = solution and any(word in text for word in FIXES)
    return Seen(one.line, kind, error, fix, frozenset(one.files), text)


def pairs(looked_at: Sequence[Seen]) -> list[tuple[int, int]]:
    """Lines of each problem and of the first later solution that is related to it."""
    problems = [one for one in looked_at if one.kind == "problem"]
    solutions = [one for one in looked_at if one.kind == "solution"]
    found: list[tuple[int, int]] = []
    for problem in problems:
        first = next((other for other in solutions if other.line > problem.line and _related(problem, other)), None)
        if first:
            found.append((problem.line, first.line))
    return found


def _related(one: Seen, other: Seen) -> bool:
    return not one.files.isdisjoint(other.files) or len(_words(one) & _words(other)) >= SHARED


def _words(one: Seen) -> set[str]:
    return set(_WORD.findall(one.text))


def fixes(looked_at: Sequence[Seen]) -> list[tuple[int, int]]:
    """Lines of each error and of the first later fix, related or not."""
    errors, mended = [one for one in looked_at if one.error], [one for one in looked_at if one.fix]
    found: list[tuple[int, int]] = []
    for error in errors:
        first = next((other for other in mended if other.line > error.line), None)
        if first:
            found.append((error.line, first.line))
    return found


def investigations(looked_at: Sequence[Seen]) -> list[str]:
    """Files with five observations or more, among them a problem and a solution."""
    found: list[str] = []
    for name in dict.fromkeys(name for one in looked_at for name in one.files):
        kinds = [one.kind for one in looked_at if name in one.files]
        if len(kinds) >= 5 and {"problem", "solution"} <= set(kinds):
            found.append(name)
    return found


def heuristics(observations: Sequence[Observation]) -> list[tuple[int, int]]:
    """All that the heuristics do with a session; returns the pairs of the first, by lines."""
    looked_at = seen(observations)
    fixes(looked_at)
    investigations(looked_at)
    return pairs(looked_at)
