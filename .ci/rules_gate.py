#!/usr/bin/env python3
"""Whether each rule of the ablation is held by a test: with the rule off, the test that it names must fail.

usage: rules_gate.py [--find] [RULE...]

Prints one line a rule; the exit code is 1 if a rule names no test, or one that passes without it. With --find every test of
detectors/ and of the selection is run for each rule, and those that fail are listed: that is how a test is found to name.
No corpus is needed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mind_skills.plugin.evaluating.ablation import RULES
from mind_skills.plugin.evaluating.rule import Rule
from mind_skills.plugin.evaluating.trying import tried
from mind_skills.plugin.evaluating.variants import Variant

TESTS = Path(__file__).resolve().parent.parent / "tests"
SHOWN = 8
ALL = ("detectors", "staging/test_select.py")
"""Where --find looks. Properties are left out: they hold for whatever is found."""


class Seen:
    """What a run of tests came to."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.passed = 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Called by pytest after each phase of each test."""
        if report.failed:
            self.failed.append(report.nodeid.partition("tests/")[2] or report.nodeid)
        elif report.when == "call":
            self.passed += 1


def run(*tests: str) -> Seen:
    """Run tests in this process, quietly."""
    seen = Seen()
    arguments = ["-q", "-n", "0", "-p", "no:cacheprovider", "-k", "not makes_a_detector_raise and not same_findings"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([*arguments, *(str(TESTS / test) for test in tests)], plugins=[seen])
    return seen


def find(rules: Sequence[Rule]) -> None:
    """Print the tests that fail without each of the rules and pass with all of them."""
    always = set(run(*ALL).failed)
    for rule in rules:
        with tried(Variant(rule.name)):
            failed = [name for name in run(*ALL).failed if name not in always]
        print(f"{rule.name} (names {rule.test or 'none'}): {len(failed)} fail")
        print("".join(f"    {name}\n" for name in failed[:SHOWN]), end="")


def main() -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", nargs="*", metavar="RULE")
    parser.add_argument("--find", action="store_true")
    args = parser.parse_args()
    chosen = [rule for rule in RULES if not args.rules or rule.name in args.rules]
    if args.find:
        find(chosen)
        return 0
    named = list(dict.fromkeys(rule.test for rule in chosen if rule.test))
    broken = run(*named).failed
    print("".join(f"BROKEN {name}: it fails with every rule on\n" for name in broken), end="")
    for rule in chosen:
        with tried(Variant(rule.name)):
            held = bool(rule.test) and bool(run(rule.test).failed)
        broken += [] if held else [rule.name]
        print(f"{'held  ' if held else 'BROKEN'} {rule.name}: {rule.test or 'names no test'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
