r"""No expression that looks for lines goes over blank ones again at each of them: ``^\s*`` takes line breaks as well.

Text made of one unit again and again is what shows such costs; 50 kB of it take a fraction of a second, or minutes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from research.benchmarks.patterns import collect_patterns
from tests.test_regular_expressions import MANY, _characters

LINES = {
    name: pattern
    for name, pattern in collect_patterns().items()
    if isinstance(pattern.pattern, str) and pattern.flags & re.MULTILINE
}


def _starts(items: list[Any]) -> Iterator[list[Any]]:
    """What a pattern may begin with, each as the items from there on."""
    if not items:
        return
    (code, argument), *rest = items
    if code == codes.BRANCH:
        for branch in argument[1]:
            yield from _starts([*branch, *rest])
    elif code == codes.SUBPATTERN:
        yield from _starts([*argument[3], *rest])
    else:
        yield items


def _goes_over_lines(pattern: str, flags: int) -> bool:
    for items in _starts(list(parser.parse(pattern, flags))):
        if items[0] != (codes.AT, codes.AT_BEGINNING):
            continue
        for behind in _starts(items[1:]):
            code, argument = behind[0]
            if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and argument[1] >= MANY:
                characters = _characters(argument[2])
                if characters and "\n" in characters:
                    return True
    return False


@pytest.mark.parametrize("name", LINES)
def test_what_looks_for_the_beginning_of_a_line_stays_in_it(name: str) -> None:
    pattern = LINES[name]
    assert not _goes_over_lines(pattern.pattern, pattern.flags), pattern.pattern


@pytest.mark.parametrize(
    ("pattern", "over"),
    [(r"^\s*x", True), (r"a|(?:^\s*x)", True), (r"^(?:\s*|b)x", True), (r"^[ \t]*x", False), (r"^x\s*", False)],
)
def test_the_rule_knows_such_a_pattern(pattern: str, over: bool) -> None:
    assert _goes_over_lines(pattern, re.MULTILINE) == over


UNITS = ("\n", " \n", "\n\n", "\t\n", "\r\n", "0", "0\n", "a ", "- ", "# ", "a/", "=\n", "none\n", "1 passed, ")


@pytest.mark.parametrize("unit", UNITS)
def test_expressions_for_lines_take_little_longer_on_one_unit_again_and_again(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    begun = time.process_time()
    for pattern in LINES.values():
        pattern.search(text)
    assert time.process_time() - begun < 5
