"""The heuristics that were published for this purpose, as one writes them down first: every problem with every solution.

A yardstick for time. What kind an observation is goes by words in what it printed, and by the tool; a problem is paired with
the first later solution that has a file in common with it, or three words of more than four letters, an error with the
first later fix. For each problem the solutions are gone through from the first on. The published helpers are given two
observations and say whether they are related, so that the words of both are found again at each comparison (``pairs``);
``pairs_of_sets`` is the same with the words found once, which whoever measured it would do next. Left out is that only the
last twenty observations are looked at: in these no heuristic takes any time.
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
"""Words by which an observation is what it is, tried in this order."""
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
TELLING: tuple[str, ...] = (
    "actually",
    "turns out",
    "not obvious",
    "misleading",
    "the real",
    "root cause",
    "unexpected",
    "surprisingly",
)
TELLING += ("counterintuitively", "despite", "even though", "the trick", "key insight", "important to note")
SHORTEST, SHARED = 50, 3
"""Characters of an output below which it is not looked at; words that two observations must share."""
_WORD = re.compile(r"[a-z]{5,}")
Pairs = list[tuple[int, int]]


class Seen(NamedTuple):
    """One tool call as the heuristics see it. It may be a problem and a solution at once."""

    line: int
    problem: bool
    solution: bool
    error: bool
    fix: bool
    telling: bool
    files: frozenset[str]
    text: str


def seen(observations: Sequence[Observation]) -> list[Seen]:
    """What the heuristics look at: tool calls whose output is long enough, and all edits."""
    return [_seen(one) for one in observations if one.kind == "tool" and (one.change or len(one.text) >= SHORTEST)]


def _seen(one: Observation) -> Seen:
    text = f"{one.command} {one.text} {one.change}".lower()
    kind = _kind(one, text)
    error = any(word in text for word in ERRORS)
    solution = kind in ("bugfix", "success")
    fix = solution and any(word in text for word in FIXES)
    telling = kind in ("discovery", "warning") and any(word in text for word in TELLING)
    return Seen(one.line, kind == "problem" or error, solution, error, fix, telling, frozenset(one.files), text)


def _kind(one: Observation, text: str) -> str:
    for kind, words in (("problem", PROBLEMS), ("success", SUCCESSES), ("warning", WARNINGS)):
        if any(word in text for word in words):
            return kind
    if one.action == "edit":
        return "bugfix" if "fix" in text or "bug" in text else "refactor"
    return "feature" if one.action == "write" else "discovery"


def pairs(looked_at: Sequence[Seen]) -> Pairs:
    """Lines of each problem and of the first later solution that is related to it."""
    problems, solutions = _both(looked_at)
    found: Pairs = []
    for problem in problems:
        first = next((other for other in solutions if other.line > problem.line and _related(problem, other)), None)
        if first:
            found.append((problem.line, first.line))
    return found


def pairs_of_sets(looked_at: Sequence[Seen]) -> Pairs:
    """The same, the words of each found once."""
    problems, solutions = _both(looked_at)
    words = {one.line: _words(one) for one in looked_at}
    found: Pairs = []
    for problem in problems:
        files, own, line = problem.files, words[problem.line], problem.line
        for other in solutions:
            if other.line > line and (not files.isdisjoint(other.files) or len(own & words[other.line]) >= SHARED):
                found.append((line, other.line))
                break
    return found


def _both(looked_at: Sequence[Seen]) -> tuple[list[Seen], list[Seen]]:
    return [one for one in looked_at if one.problem], [one for one in looked_at if one.solution]


def _related(one: Seen, other: Seen) -> bool:
    return not one.files.isdisjoint(other.files) or len(_words(one) & _words(other)) >= SHARED


def _words(one: Seen) -> set[str]:
    return set(_WORD.findall(one.text))


def fixes(looked_at: Sequence[Seen]) -> Pairs:
    """Lines of each error and of the first later fix, related or not."""
    errors, mended = [one for one in looked_at if one.error], [one for one in looked_at if one.fix]
    found: Pairs = []
    for error in errors:
        first = next((other for other in mended if other.line > error.line), None)
        if first:
            found.append((error.line, first.line))
    return found


def investigations(looked_at: Sequence[Seen]) -> list[str]:
    """Files with five observations or more, among them a problem and a solution."""
    of_file: dict[str, list[Seen]] = {}
    for one in looked_at:
        for name in one.files:
            of_file.setdefault(name, []).append(one)
    return [
        name
        for name, every in of_file.items()
        if len(every) >= 5 and any(one.problem for one in every) and any(one.solution for one in every)
    ]


def discoveries(looked_at: Sequence[Seen]) -> list[int]:
    """Lines of what was found out and not obvious, if there are two."""
    found = [one.line for one in looked_at if one.telling]
    return found if len(found) >= 2 else []


def heuristics(observations: Sequence[Observation], pairing: Callable[[Sequence[Seen]], Pairs] = pairs) -> Pairs:
    """All that the heuristics do with a session; returns the pairs of the first, by lines."""
    looked_at = seen(observations)
    fixes(looked_at)
    investigations(looked_at)
    discoveries(looked_at)
    return pairing(looked_at)
