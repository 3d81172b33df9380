"""Every regular expression of the package, and texts for which it may be slow."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, cast

import mind_skills
from mind_skills.redaction.lazy_pattern import LazyPattern

BOUNDED = {
    "detectors.": 6_000,  # the text of an observation (observations/builders.py)
    "learning.": 6_000,
    "observations.commands:": 4_000,  # MAX_LENGTH there
    "observations.results:_REPLACEMENTS": 240,  # one line
    "staging.session_skills:": 1_000,  # a command
    "staging.analyse:_PRINTED": 1_000,
    "staging.analyse:_WORD": 1_000,
    "setup.install.": 4_000,  # a line of the user's settings file
}
"""Maximum length in characters of the texts that these patterns see. All others must be linear at any length."""


def get_bound(place: str) -> int:
    """Return the maximum length in characters of a pattern's input; 0 if it is not bounded."""
    return next((bound for prefix, bound in BOUNDED.items() if place.startswith(prefix)), 0)


def is_anchored(place: str) -> bool:
    """Return whether the pattern's module only matches it at the start of a text."""
    module, _, name = place.partition(":")
    name = name.partition("[")[0]
    modules = [importlib.import_module(f"mind_skills.{module}")]
    readers = (
        modules if name.startswith("_") else [m for n, m in sys.modules.items() if n.startswith("mind_skills.") and m]
    )
    sources = "\n".join(inspect.getsource(each) for each in readers if getattr(each, "__file__", None))
    used = re.findall(rf"\b{re.escape(name)}\.(\w+)\(", sources)
    return bool(used) and set(used) <= {"match", "fullmatch"}


def collect_patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns by ``module:name``; the patterns of a table are numbered. Bytes patterns are decoded as Latin-1."""
    found: dict[str, re.Pattern[str]] = {}
    for module in pkgutil.walk_packages(mind_skills.__path__, "mind_skills."):
        if module.name.endswith(("__main__", "plugin.console")):
            continue  # importing these has side effects
        names = vars(importlib.import_module(module.name))
        for name, value in names.items():
            for place, pattern in _find_patterns(value, f"{module.name.removeprefix('mind_skills.')}:{name}", 0):
                found.setdefault(place, pattern)
    return {place: p for place, p in found.items() if not _is_imported(place, p, found)}


def _is_imported(place: str, pattern: re.Pattern[str], found: dict[str, re.Pattern[str]]) -> bool:
    """Return whether the same pattern was already found in another module, from which it was imported."""
    return next(other for other, p in found.items() if p is pattern) != place


def _find_patterns(value: object, place: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, LazyPattern):
        value = value.compile_pattern()
    if isinstance(value, re.Pattern):
        pattern: re.Pattern[Any] = value
        text = pattern.pattern
        yield (
            place,
            re.compile(text.decode("latin-1"), pattern.flags & ~re.ASCII) if isinstance(text, bytes) else pattern,
        )
    elif isinstance(value, dict) and depth < 3:
        for key, inner in cast("dict[object, object]", value).items():
            yield from _find_patterns(inner, f"{place}[{key}]", depth + 1)
    elif isinstance(value, tuple | list) and depth < 3:
        for number, inner in enumerate(cast("tuple[object, ...]", value)):
            yield from _find_patterns(inner, f"{place}[{number}]", depth + 1)


def build_adverse_texts(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return at most 120 pairs of a head and a unit. A slow pattern is likely slow for a head followed by the repeated unit.

    They are derived from the pattern: text that starts a match, and text that continues it without completing it.
    """
    tree = parser.parse(pattern.pattern, pattern.flags)
    heads, units = {""}, set[str]()
    _collect_texts(tree, "", heads, units)
    whole = _build_sample(tree)
    units = (units | {whole, whole[:-1], whole + "\n", " ", "\n", "a", "a ", "x\n"}) - {""}
    longest = sorted(heads, key=len)[-3:]
    return [(head, unit) for head in ("", *longest) for unit in sorted(units)][:120]


def _collect_texts(tree: Any, before: str, heads: set[str], units: set[str]) -> None:
    for code, argument in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, _, inner = argument
            sample = _build_sample(inner)
            if sample:
                heads.add(before)
                units |= {sample, before + sample * max(1, low)}
            _collect_texts(inner, before, heads, units)
        elif code == codes.SUBPATTERN:
            _collect_texts(argument[-1], before, heads, units)
        elif code == codes.BRANCH:
            for branch in argument[1]:
                _collect_texts(branch, before, heads, units)
                units.add(before + _build_sample(branch))
        before += _build_sample([(code, argument)])
        units |= {before} - {""}


def _build_sample(tree: Any) -> str:
    """Return a text that the tree matches, ignoring look-arounds."""
    return "".join(_sample_node(code, argument) for code, argument in tree)


def _sample_node(code: Any, argument: Any) -> str:
    if code == codes.LITERAL:
        return chr(argument)
    if code == codes.NOT_LITERAL:
        return "b" if argument == ord("a") else "a"
    if code == codes.ANY:
        return "a"
    if code == codes.IN:
        return _sample_class(argument)
    if code == codes.BRANCH:
        return _build_sample(argument[1][0])
    if code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        return _build_sample(argument[-1] if code == codes.SUBPATTERN else argument)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        low, _, inner = argument
        return str(_build_sample(inner) * max(1, min(low, 40)))
    return ""


def _sample_class(items: Any) -> str:
    pattern = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "a"}
    if items[0][0] == codes.NEGATE:
        ranges = [
            (a, a) if code == codes.LITERAL else a for code, a in items[1:] if code in (codes.LITERAL, codes.RANGE)
        ]
        refused = {c for c in "a1-. _\n" if any(low <= ord(c) <= high for low, high in ranges)}
        spaced = any(code == codes.CATEGORY and a == codes.CATEGORY_SPACE for code, a in items[1:])
        return next((c for c in "a1-. _\n" if c not in refused and not (spaced and c.isspace())), "é")
    code, argument = items[0]
    if code == codes.LITERAL:
        return chr(argument)
    if code == codes.RANGE:
        return chr(argument[0])
    return pattern.get(argument, "-")
