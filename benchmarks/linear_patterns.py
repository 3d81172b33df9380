"""Whether our regular expressions stay linear: each reader of text gets the same text at two sizes, within one run.

Four times the text should take about four times as long; a pattern that goes back over what it has read takes sixteen.
Prints the worst ratio of every function, and exits with 1 where one is above ten.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

from mind_skills.detectors import signals
from mind_skills.observations.errors import error_line, hard_failure
from mind_skills.observations.redaction import redact
from mind_skills.observations.task import task_of
from mind_skills.observations.text import clean

SMALL, LARGE, LIMIT = 8_000, 32_000, 10.0
UNITS = (
    "\n",
    " \n",
    " " * 100 + "\n",
    "crash",
    "not a ",
    "E \n",
    "1 ",
    "error: \n",
    "a/",
    "'",
    "found it ",
    "FAIL \n",
    "\nINSTRUCTIONS:",
)
READERS: dict[str, Callable[[str], object]] = {
    "hard_failure": hard_failure,
    "error_line": error_line,
    "task_of": task_of,
    "redact": redact,
    "clean": lambda text: clean(text, 2_000),
    "insight": signals.insight,
    "problem_report": signals.problem_report,
    "tokens": signals.tokens,
}


def seconds(function: Callable[[str], object], text: str) -> float:
    """The fastest of three runs."""
    taken: list[float] = []
    for _ in range(3):
        begun = time.process_time()
        function(text)
        taken.append(time.process_time() - begun)
    return min(taken)


def ratios() -> dict[str, tuple[float, str]]:
    """The worst ratio of each function, and the text that showed it; times below 2 ms are noise."""
    worst: dict[str, tuple[float, str]] = {}
    for name, function in READERS.items():
        found = [(seconds(function, (u * LARGE)[:LARGE]), seconds(function, (u * SMALL)[:SMALL]), u) for u in UNITS]
        worst[name] = max(
            ((large / max(small, 0.0005), unit) for large, small, unit in found if large > 0.002), default=(0.0, "")
        )
    return worst


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    found = ratios()
    if parser.parse_args().json:
        print(json.dumps({name: round(ratio, 1) for name, (ratio, _) in found.items()}))
    else:
        for name, (ratio, unit) in found.items():
            print(f"{name:16} {ratio:6.1f}  {unit[:20]!r}")
    return int(any(ratio > LIMIT for ratio, _ in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
