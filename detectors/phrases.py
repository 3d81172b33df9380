"""Case-insensitive search for many expressions at once.

An expression with fifty alternatives tries each of them at every position, which takes about a microsecond per three
characters. Searching first for a few literal letters of each alternative takes a hundredth of that. Only alternatives
whose letters occur are then searched, one by one, in the lower-cased text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

_CASE_EXCEPTIONS = ("\u0131", "\u017f")
"""Dotless i and long s: if case is ignored they match ASCII letters, but lower() does not map them to these letters."""
_LINE_SEARCH_LENGTH = 400
"""Texts with more characters are searched line by line, because in a pasted log only few lines contain a given word."""
_BOUNDARY_BEFORE_LETTERS = compile_lazily(r"\\b([a-z]+)(?![?*+{a-z])")


class Phrases(NamedTuple):
    """Alternative expressions, matched in any case. Only the start of a match that ``search`` returns is valid."""

    patterns: tuple[re.Pattern[str], ...]
    """Lower-case expressions."""
    expressions_by_word: tuple[tuple[str, re.Pattern[str]], ...]
    """Pairs of a word and an expression, in order. Every match of an expression contains one of the words paired with it."""
    words: tuple[str, ...]
    is_multiline: bool
    """Whether a match may extend past the end of its line."""

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match at or after ``start``."""
        lowered = lower_aligned(text)
        if lowered is None:
            return self.join_expressions(re.IGNORECASE).search(text, start)
        first: re.Match[str] | None = None
        tried_pattern = None
        by_line = len(lowered) > _LINE_SEARCH_LENGTH and not self.is_multiline
        for word, pattern in self.expressions_by_word:
            if word in lowered and (by_line or pattern is not tried_pattern):
                tried_pattern = pattern
                end = len(lowered) if first is None else first.start()
                found = _search_lines(pattern, word, lowered, start, end) if by_line else pattern.search(lowered, start)
                if found is not None and (first is None or found.start() < first.start()):
                    first = found
        return first

    def matches(self, text: str) -> bool:
        """Return whether any expression matches."""
        lowered = lower_aligned(text)
        if lowered is None:
            return self.join_expressions(re.IGNORECASE).search(text) is not None
        tried_pattern = None
        by_line = len(lowered) > _LINE_SEARCH_LENGTH and not self.is_multiline
        for word, pattern in self.expressions_by_word:
            if word in lowered and (by_line or pattern is not tried_pattern):
                tried_pattern = pattern
                if (
                    _search_lines(pattern, word, lowered, 0, len(lowered)) if by_line else pattern.search(lowered)
                ) is not None:
                    return True
        return False

    def join_expressions(self, flags: int) -> re.Pattern[str]:
        """Return all expressions joined into one. The ``re`` module caches the result."""
        return re.compile("|".join(pattern.pattern for pattern in self.patterns), flags)


def build_phrases(alternatives: Mapping[str, str], *, is_multiline: bool = False) -> Phrases:
    """Build phrases from a mapping of words, separated by ``|``, to a lower-case expression.

    Every match of the expression must contain one of the words. Example: ``{"one |two ": r"(?:one|two) more"}``. With
    ``is_multiline``, matches may span lines.
    """
    patterns = tuple(compile_lazily(_move_boundary(text)) for text in alternatives.values())
    expressions_by_word = tuple(
        (word, each) for words, each in zip(alternatives, patterns, strict=True) for word in words.split("|")
    )
    return Phrases(
        patterns, expressions_by_word, tuple(dict.fromkeys(word for word, _ in expressions_by_word)), is_multiline
    )


def lower_aligned(text: str) -> str | None:
    """Return the text in lower case if every character keeps its position and matches as before, else None."""
    lowered = text.lower()
    if lowered.isascii() or (
        len(lowered) == len(text) and _CASE_EXCEPTIONS[0] not in lowered and _CASE_EXCEPTIONS[1] not in lowered
    ):
        return lowered
    return None


def _search_lines(pattern: re.Pattern[str], word: str, lowered: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first match from ``start`` on in a line that contains ``word`` and begins before ``end``."""
    if pattern.pattern.startswith("^"):
        return pattern.search(lowered, start)
    at = lowered.find(word, start)
    while at >= 0:
        begin = max(start, lowered.rfind("\n", 0, at) + 1)
        if begin >= end:
            return None
        line_end = lowered.find("\n", at) + 1 or len(lowered)
        if (found := pattern.search(lowered, begin, line_end)) is not None:
            return found
        at = lowered.find(word, line_end)
    return None


def _move_boundary(text: str) -> str:
    r"""Replace each ``\b`` before literal letters with a lookbehind after them.

    ``re`` finds literal letters fast, but boundaries slowly.
    """
    return _BOUNDARY_BEFORE_LETTERS.sub(lambda found: rf"{found[1]}(?<!\w{found[1]})", text)
