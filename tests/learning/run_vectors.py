"""Run a file of reference outputs against the learning rules.

usage: python -m tests.learning.run_vectors FILE [--profile original|default] [--rows]

FILE holds `{"meta": {...}, "vectors": [{id, function, input, expected, tags?}]}`. Printed is one line a function: passed,
failed, and how many belong to a function that is not implemented. The profile `original` reproduces the original code and must
pass every vector. `default` contains the project's own decisions: a vector that it misses, and that passes without
one, two or three of them (learning/profiles.py), counts as decided otherwise. A vector whose rule raises has
failed; `--rows` names the exception. The exit code is 1 if a vector fails, 2 if the file is not of this shape.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from mind_skills.learning.profiles import ORIGINAL, PROFILES, Profile
from tests.learning.vectors import IMPLEMENTED, Function, Given

RELATIVE = 1e-12


def equal(seen: object, expected: object) -> bool:
    """Return whether a result is as expected; floats may differ by 1e-12, `$nan` and `$undefined` are markers."""
    if isinstance(expected, dict) and len(expected) == 1:
        if "$nan" in expected:
            return isinstance(seen, float) and math.isnan(seen)
        if "$undefined" in expected:
            return seen is None
    if isinstance(expected, bool) or isinstance(seen, bool):
        return seen is expected
    if isinstance(expected, int | float) and isinstance(seen, int | float):
        return math.isclose(seen, expected, rel_tol=RELATIVE, abs_tol=0.0)
    if isinstance(expected, dict) and isinstance(seen, dict):
        return seen.keys() == expected.keys() and all(equal(seen[key], expected[key]) for key in expected)
    if isinstance(expected, list) and isinstance(seen, list | tuple):
        return len(seen) == len(expected) and all(map(equal, seen, expected))
    return seen == expected


def passes(rule: Function, vector: Given, profile: Profile) -> tuple[bool, object]:
    """Run one vector. Return whether it passed, and the actual result.

    An expected `$throws` is met by the ValueError of that message, which is how a rule refuses. Any other exception is a
    fault, of the rule or of how it is called here: the vector fails, and what was seen is the exception.
    """
    expected = vector["expected"]
    throws = expected.get("$throws") if isinstance(expected, dict) else None
    try:
        seen = rule(vector["input"], profile)
    except Exception as error:  # noqa: BLE001  whatever one rule raises, the other vectors are still run
        refused = isinstance(error, ValueError) and throws is not None and throws in ("*", str(error))
        return refused, f"raised {type(error).__name__}: {error}"
    return throws is None and equal(seen, expected), seen


@dataclass
class Tally:
    """The results for a file of vectors, by function; ``misses`` are (id, expected, actual)."""

    passed: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    missing: Counter[str] = field(default_factory=Counter[str])
    otherwise: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Ids of vectors on which the project deviates, with the decisions that cause it."""
    misses: list[tuple[str, object, object]] = field(default_factory=list[tuple[str, object, object]])

    def lines(self) -> Iterator[str]:
        """Format one line per function, then the total."""
        for name in sorted({*self.passed, *self.failed}):
            yield f"{name:34} {self.passed[name]:4} passed {self.failed[name]:4} failed"
        for name in sorted(self.missing):
            yield f"{name:34} {self.missing[name]:4} not implemented"
        yield (
            f"{'in all':34} {self.passed.total():4} passed {self.failed.total():4} failed "
            f"{self.missing.total():4} not implemented {len(self.otherwise):4} decided otherwise"
        )


def explain_deviation(rule: Function, vector: Given, profile: Profile) -> tuple[str, ...]:
    """Return the smallest set of decisions that explains a miss; empty if no three of them do."""
    switches = [switch.name for switch in fields(profile) if switch.name != "name"]
    for number in (1, 2, 3):
        for chosen in combinations(switches, number):
            changed: dict[str, Any] = dict.fromkeys(chosen, False)
            if passes(rule, vector, replace(profile, **changed))[0]:
                return chosen
    return ()


def run(vectors: list[Given], profile: str = "original") -> Tally:
    """Run every vector whose function is implemented."""
    tally = Tally()
    for vector in vectors:
        name = vector["function"]
        rule = IMPLEMENTED.get(name)
        if rule is None:
            tally.missing[name] += 1
            continue
        holds, seen = passes(rule, vector, PROFILES[profile])
        decisions = () if holds or profile == ORIGINAL.name else explain_deviation(rule, vector, PROFILES[profile])
        if decisions:
            tally.otherwise[vector["id"]] = decisions
            continue
        (tally.passed if holds else tally.failed)[name] += 1
        if not holds:
            tally.misses.append((vector["id"], vector["expected"], seen))
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--profile", choices=("original", "default"), default="original")
    parser.add_argument("--rows", action="store_true", help="also list every vector that was missed")
    args = parser.parse_args(arguments)
    try:
        vectors = json.loads(args.file.read_text(encoding="utf-8"))["vectors"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{args.file} is no file of vectors: {error}", file=sys.stderr)
        return 2
    tally = run(vectors, args.profile)
    print("\n".join(tally.lines()))
    if args.rows:
        for identity, expected, seen in tally.misses:
            print(f"- {identity}: expected {expected!r}, saw {seen!r}")
        for identity, decisions in tally.otherwise.items():
            print(f"~ {identity}: {', '.join(decisions)}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
