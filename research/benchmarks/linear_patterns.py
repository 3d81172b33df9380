"""Measures whether our regular expressions take linear time.

Each function that reads text is run on the same text at two sizes. Four times the text should take about four times as
long; a pattern that backtracks takes sixteen times as long. Every regular expression of the package is also tested separately,
on texts derived from it (research/benchmarks/patterns.py), at the maximum length of its input. Prints the worst ratio of each function,
and the ratios of expressions above ten. Exits with 1 if a function is above ten, or an expression whose input is not bounded.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import time
from collections.abc import Callable
from types import FrameType

from mind_skills.detectors.timeline import reports_problem
from mind_skills.observations.readers.swe_agent import extract_task
from mind_skills.observations.results import find_error_line, has_failure_line
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.text import clean_text
from research.benchmarks.patterns import build_adverse_texts, collect_patterns, get_bound, is_anchored

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
    "password=",
    "token: '",
    "%3d",
)
READERS: dict[str, Callable[[str], object]] = {
    "hard_failure": has_failure_line,
    "error_line": find_error_line,
    "task_of": extract_task,
    "redact": redact,
    "clean": lambda text: clean_text(text, 2_000),
    "reports": reports_problem,
}


def measure_seconds(function: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds of the fastest of three runs."""
    taken: list[float] = []
    for _ in range(3):
        begin = time.process_time()
        function(text)
        taken.append(time.process_time() - begin)
    return min(taken)


def measure_ratios() -> dict[str, tuple[float, str]]:
    """Return the worst ratio of each function and the text that caused it; times below 2 ms count as noise."""
    worst: dict[str, tuple[float, str]] = {}
    for name, function in READERS.items():
        found = [
            (measure_seconds(function, (u * LARGE)[:LARGE]), measure_seconds(function, (u * SMALL)[:SMALL]), u)
            for u in UNITS
        ]
        worst[name] = max(
            ((large / max(small, 0.0005), unit) for large, small, unit in found if large > 0.002), default=(0.0, "")
        )
    return worst


LONG, NOISE, TIMEOUT_SECONDS = 4_000, 0.004, 5.0
"""Length in characters of the longer text for an expression without a length limit; seconds below which a time is noise;
seconds after which an expression counts as stuck.
"""


def _raise_timeout(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _time_search(pattern: re.Pattern[str], text: str, at_start: bool) -> float:
    begin = time.process_time()
    if at_start:
        pattern.match(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - begin


def measure_ratio(place: str, pattern: re.Pattern[str]) -> tuple[float, str]:
    """Return the worst ratio for four times the text, and the text; 0.0 if all times are below the noise."""
    bound, at_start, worst = get_bound(place), is_anchored(place), (0.0, "")
    length = min(bound or LONG, LONG)
    for head, unit in build_adverse_texts(pattern):
        text = (head + unit * (length // len(unit) + 1))[:length]
        signal.setitimer(signal.ITIMER_REAL, TIMEOUT_SECONDS)
        try:
            if _time_search(pattern, text, at_start) < NOISE:
                continue
            large = min(_time_search(pattern, text, at_start) for _ in range(3))
            small = min(_time_search(pattern, text[: length // 4], at_start) for _ in range(3))
        except TimeoutError:
            return float("inf"), head + unit
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        worst = max(worst, (large / max(small, 1e-5) if large > NOISE else 0.0, head + unit))
    return worst


def measure_expressions() -> dict[str, tuple[float, str]]:
    """Return the worst ratio and its text for each expression above the limit, including those with a bounded input."""
    signal.signal(signal.SIGALRM, _raise_timeout)
    found = {place: measure_ratio(place, pattern) for place, pattern in collect_patterns().items()}
    return {place: worst for place, worst in found.items() if worst[0] > LIMIT}


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    found, slow = measure_ratios(), measure_expressions()
    unbounded = [place for place, (worst, _) in slow.items() if not get_bound(place) or worst == float("inf")]
    if parser.parse_args().json:
        print(json.dumps({name: round(worst, 1) for name, (worst, _) in {**found, **slow}.items()}))
    else:
        for name, (worst, unit) in found.items():
            print(f"{name:40} {worst:6.1f}  {unit[:20]!r}")
        for name, (worst, unit) in slow.items():
            print(f"{name:40} {worst:6.1f}  {unit[:20]!r}  at most {get_bound(name) or 'any number of'} characters")
        print(f"{len(collect_patterns())} expressions, {len(unbounded)} of them not linear without an input limit")
    return int(bool(unbounded) or any(worst > LIMIT for worst, _ in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
