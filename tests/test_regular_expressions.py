"""No expression of the package can be made to run away: all are known, and none tries one text in many ways.

How long they take on texts made of themselves is measured by research/benchmarks/linear_patterns.py.
"""

from __future__ import annotations

import ast
import re
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from mind_skills.learning import outcome
from research.benchmarks.patterns import BOUNDED, collect_patterns
from tests.testkit.paths import ROOT

PACKAGES = sorted(found.parent for found in ROOT.glob("*/__init__.py"))
FOUND = collect_patterns()
MANY = 200
"""From so many repetitions on a quantifier counts as unbounded here."""


def _literals() -> list[tuple[str, str]]:
    """The text of every pattern that stands in one piece in a call that makes one, with its module."""
    found: list[tuple[str, str]] = []
    for path in (path for package in PACKAGES for path in package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "compile_lazily"):
                given = node.args[0]
                if isinstance(given, ast.Constant) and isinstance(given.value, str | bytes):
                    text = given.value if isinstance(given.value, str) else given.value.decode("latin-1")
                    found.append((path.relative_to(ROOT).as_posix(), text))
    return found


@pytest.mark.process
def test_every_expression_that_the_package_compiles_is_looked_at() -> None:
    known = {pattern.pattern for pattern in FOUND.values()}
    assert [(module, text) for module, text in _literals() if text not in known] == []
    assert (len(FOUND) > 900, len(_literals()) > 400) == (True, True)


def test_every_bound_is_of_a_module_that_exists() -> None:
    assert [prefix for prefix in BOUNDED if not any(place.startswith(prefix) for place in FOUND)] == []


def _characters(tree: Any) -> set[str] | None:
    """The ASCII characters that a tree of one character takes; None where it takes more than one."""
    if len(tree) != 1 or tree[0][0] not in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
        return None
    return {chr(code) for code in range(128) if _takes(tree[0], chr(code))}


def _takes(item: Any, character: str) -> bool:
    code, argument = item
    if code == codes.LITERAL:
        return ord(character) == argument
    if code == codes.NOT_LITERAL:
        return ord(character) != argument
    if code == codes.ANY:
        return character != "\n"
    negated = argument[0][0] == codes.NEGATE
    return negated != any(_in(part, character) for part in argument if part[0] != codes.NEGATE)


def _in(part: Any, character: str) -> bool:
    code, argument = part
    if code == codes.LITERAL:
        return ord(character) == argument
    if code == codes.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    kinds = {codes.CATEGORY_SPACE: r"\s", codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_WORD: r"\w"}
    kinds |= {codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_NOT_WORD: r"\W"}
    return re.match(kinds[argument], character) is not None


def _ambiguous(tree: Any, looped: bool = False) -> list[str]:
    """Places in a loop where one text can be read in many ways: a loop that is all of a loop, or neighbours that overlap."""
    found: list[str] = []
    before: set[str] | None = None
    for number, (code, argument) in enumerate(tree):
        chars: set[str] | None = None
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            low, high, inner = argument
            chars = _characters(inner)
            if looped and before and chars and high >= MANY and before & chars:
                found.append(f"neighbours overlap in {sorted(before & chars)[:3]}")
            rest = sum(tree[:number].getwidth()[:1]) + sum(tree[number + 1 :].getwidth()[:1])
            if looped and high >= MANY and chars and rest == 0:
                found.append("a loop is all of a loop")
            found += _ambiguous(inner, looped or high >= MANY)
            chars = chars if low != high else None
        elif code == codes.SUBPATTERN:
            found += _ambiguous(argument[-1], looped)
        elif code == codes.BRANCH:
            for branch in argument[1]:
                found += _ambiguous(branch, looped)
        before = chars
    return found


@pytest.mark.parametrize("place", FOUND)
def test_no_loop_reads_one_text_in_many_ways(place: str) -> None:
    pattern = FOUND[place]
    assert _ambiguous(parser.parse(pattern.pattern, pattern.flags)) == []


@pytest.mark.parametrize(
    "bad", [r"(a+)*b", r"(?:\w+)+$", r"git(?: --?[a-z-]+)* commit", r"(?:x|\s*)*y", r"(?:\s*|a)+z"]
)
def test_the_check_sees_what_runs_away(bad: str) -> None:
    assert _ambiguous(parser.parse(bad)) != []


def test_a_long_command_with_many_flags_is_read_at_once() -> None:
    """Two readings of each flag, so two to the power of their number, before."""
    assert outcome._COMMIT.search("git" + " --flag" * 140 + " status") is None
    assert outcome._COMMIT.search("git" + " --flag" * 140 + " -c a=b commit -m x") is not None
