"""Case-insensitive search for many expressions at once.

An expression with fifty alternatives tries each of them at every position, which takes about a microsecond per three
characters. Searching first for a few literal letters of each alternative takes a hundredth of that time. Only the
alternatives whose letters occur are then searched for, one by one, in the lower-cased text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

_CASE_EXCEPTIONS = ("\u0131", "\u017f")
"""Dotless i and long s: they match ASCII letters if case is ignored, but ``str.lower`` does not map them to these letters."""
_LINE_SEARCH_LENGTH = 400
"""Texts with more characters are searched line by line, because only a few lines of a pasted log contain a given word."""
_BOUNDARY_BEFORE_LETTERS = compile_lazily(r"\\b([a-z]+)(?![?*+{a-z])")


class Phrases(NamedTuple):
    """Alternative expressions, matched in any case."""

    patterns: tuple[re.Pattern[str], ...]
    """Lower-case expressions."""
    expressions_by_word: tuple[tuple[str, re.Pattern[str]], ...]
    """Pairs of a word and an expression, in order. Every match of an expression contains one of the words paired with it."""
    is_multiline: bool
    """Whether a match may extend past the end of its line."""

    def matches(self, text: str) -> bool:
        """Return whether any expression matches."""
        lowered = lower_preserving_offsets(text)
        if lowered is None:
            return self.join_expressions(re.IGNORECASE).search(text) is not None
        tried_pattern = None
        by_line = len(lowered) > _LINE_SEARCH_LENGTH and not self.is_multiline
        for word, pattern in self.expressions_by_word:
            if word in lowered and (by_line or pattern is not tried_pattern):
                tried_pattern = pattern
                if _matches_in_line(pattern, word, lowered) if by_line else pattern.search(lowered):
                    return True
        return False

    def join_expressions(self, flags: int) -> re.Pattern[str]:
        """Return all expressions joined into one. The ``re`` module caches the result."""
        return re.compile("|".join(pattern.pattern for pattern in self.patterns), flags)


def build_phrases(alternatives: Mapping[str, str], *, is_multiline: bool = False) -> Phrases:
    """Build phrases from a mapping. A key is one or more words, separated by ``|``; its value is a lower-case expression.

    Every match of the expression must contain one of the words. Example: ``{"one |two ": r"(?:one|two) more"}``. With
    ``is_multiline``, matches may span lines.
    """
    patterns = tuple(compile_lazily(_move_boundary(expression)) for expression in alternatives.values())
    expressions_by_word = tuple(
        (word, pattern) for words, pattern in zip(alternatives, patterns, strict=True) for word in words.split("|")
    )
    return Phrases(patterns, expressions_by_word, is_multiline)


def lower_preserving_offsets(text: str) -> str | None:
    """Return the text in lower case if every character keeps its position and matches as before, else None."""
    lowered = text.lower()
    if lowered.isascii() or (
        len(lowered) == len(text) and _CASE_EXCEPTIONS[0] not in lowered and _CASE_EXCEPTIONS[1] not in lowered
    ):
        return lowered
    return None


def _matches_in_line(pattern: re.Pattern[str], word: str, lowered: str) -> bool:
    """Return whether a pattern matches in one of the lines that contain ``word``, or anywhere if it begins with ``^``."""
    if pattern.pattern.startswith("^"):
        return pattern.search(lowered) is not None
    at = lowered.find(word)
    while at >= 0:
        line_end = lowered.find("\n", at) + 1 or len(lowered)
        if pattern.search(lowered, lowered.rfind("\n", 0, at) + 1, line_end) is not None:
            return True
        at = lowered.find(word, line_end)
    return False


def _move_boundary(expression: str) -> str:
    r"""Replace each ``\b`` before literal letters with a lookbehind after them.

    The ``re`` module finds literal letters fast, but word boundaries slowly.
    """
    return _BOUNDARY_BEFORE_LETTERS.sub(lambda match: rf"{match[1]}(?<!\w{match[1]})", expression)
