"""Run a file of reference outputs against the learning rules.

usage: python tests/run_vectors.py FILE [--profile original|default] [--rows]

FILE holds `{"meta": {...}, "vectors": [{id, function, input, expected, tags?}]}`. Printed is one line a function: passed,
failed, and how many are not implemented yet. The profile `original` wants every vector; `default` leaves out those
tagged as accidents of the original (`invalid`, `exotic`), where the project diverges on purpose. The exit code is 1 if an
implemented function misses a vector, 2 if the file is not of this shape.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mind_skills.learning.decay import HALF_LIFE_DAYS, decay
from mind_skills.learning.scoring import LearningConfig, OutcomeSignals, ScoredOutcome, score_implicit_feedback

ACCIDENTS = frozenset({"invalid", "exotic"})
RELATIVE = 1e-12
Given = dict[str, Any]


def stamp(text: str) -> int | None:
    """UTC milliseconds of an ISO 8601 text, a zone-less one read as UTC (the vectors were made under it); None if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def now_of(given: Given) -> int:
    """The moment at which the original read its clock."""
    now = stamp(given["now"])
    if now is None:
        raise ValueError(f"now is not a time: {given['now']!r}")
    return now


def config_of(given: Given) -> LearningConfig:
    """The vector's settings under our names, or the defaults."""
    config: Given | None = given.get("config")
    if config is None:
        return LearningConfig()
    return LearningConfig(
        half_life_days=config["halfLifeDays"],
        min_feedback_for_adjustment=config["minFeedbackForAdjustment"],
        max_harmful_ratio=config["maxHarmfulRatio"],
        fast_completion_ms=config["fastCompletionThresholdMs"],
        slow_completion_ms=config["slowCompletionThresholdMs"],
        max_errors_neutral=config["maxErrorsForHelpful"],
    )


def scored(given: Given) -> ScoredOutcome:
    """What our scorer says to the vector's signals."""
    signals: Given = given["signals"]
    ours = OutcomeSignals(
        task_id=signals["bead_id"],
        duration_ms=signals["duration_ms"],
        error_count=signals["error_count"],
        retry_count=signals["retry_count"],
        success=signals["success"],
        at=stamp(signals["timestamp"]),
        files_touched=tuple(signals["files_touched"]),
    )
    return score_implicit_feedback(ours, config_of(given), now=now_of(given))


def decayed_value(given: Given) -> object:
    """calculateDecayedValue."""
    return decay(stamp(given["timestamp"]), now_of(given), given.get("halfLifeDays", HALF_LIFE_DAYS))


def implicit_feedback(given: Given) -> object:
    """scoreImplicitFeedback, without the echoed signals."""
    outcome = scored(given)
    return {"type": outcome.type, "decayed_value": outcome.decayed_value, "reasoning": outcome.reasoning}


def score_outcome(given: Given) -> object:
    """scoreOutcome: the same under other names."""
    outcome = scored(given)
    return {"type": outcome.type, "score": outcome.decayed_value, "reasoning": outcome.reasoning}


IMPLEMENTED: dict[str, Callable[[Given], object]] = {
    "calculateDecayedValue": decayed_value,
    "scoreImplicitFeedback": implicit_feedback,
    "scoreOutcome": score_outcome,
}


def equal(seen: object, expected: object) -> bool:
    """Whether a result is the expected one; floats within 1e-12 of each other, `$nan` and `$undefined` as markers."""
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


def passes(rule: Callable[[Given], object], vector: Given) -> tuple[bool, object]:
    """Run one vector: whether it holds, and what was seen. An expected `$throws` is met by the exception of that message."""
    expected = vector["expected"]
    throws = expected.get("$throws") if isinstance(expected, dict) else None
    try:
        seen = rule(vector["input"])
    except ValueError as error:
        return throws is not None and throws in ("*", str(error)), f"raised {error}"
    return throws is None and equal(seen, expected), seen


@dataclass
class Tally:
    """How a file of vectors went, by function; ``misses`` are (id, expected, seen)."""

    passed: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    missing: Counter[str] = field(default_factory=Counter[str])
    left_out: int = 0
    misses: list[tuple[str, object, object]] = field(default_factory=list[tuple[str, object, object]])

    def lines(self) -> Iterator[str]:
        """One line a function, then the sum."""
        for name in sorted({*self.passed, *self.failed}):
            yield f"{name:34} {self.passed[name]:4} passed {self.failed[name]:4} failed"
        for name in sorted(self.missing):
            yield f"{name:34} {self.missing[name]:4} not implemented"
        yield (
            f"{'in all':34} {self.passed.total():4} passed {self.failed.total():4} failed "
            f"{self.missing.total():4} not implemented {self.left_out:4} left out"
        )


def run(vectors: list[Given], profile: str = "original") -> Tally:
    """Run every vector whose function is implemented."""
    tally = Tally()
    for vector in vectors:
        name = vector["function"]
        rule = IMPLEMENTED.get(name)
        if rule is None:
            tally.missing[name] += 1
        elif profile == "default" and ACCIDENTS.intersection(vector.get("tags", ())):
            tally.left_out += 1
        else:
            holds, seen = passes(rule, vector)
            (tally.passed if holds else tally.failed)[name] += 1
            if not holds:
                tally.misses.append((vector["id"], vector["expected"], seen))
    return tally


def main(arguments: list[str] | None = None) -> int:
    """The command; see the module's docstring."""
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
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
