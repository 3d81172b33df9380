"""Many expressions sought at once, in any case, at the cost of the few whose words are there.

An expression of fifty alternatives is tried one by one at every place of a text: a microsecond for three characters. To
look first for a few plain letters that each alternative cannot do without costs a hundredth of that, and of the
alternatives whose letters are there each is sought alone, in the lower-cased text, where its first letters are found fast.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later

_KIN = ("\u0131", "\u017f")
"""Letters beside ASCII that match an ASCII letter where case does not count, and are none when lowered: dotless i, long s."""
_LONG = 400
"""Characters of a text that is searched by its lines: a pasted log holds a word here and there."""
_EDGE = compile_later(r"\\b([a-z]+)(?![?*+{a-z])")


class Phrases(NamedTuple):
    """Expressions of which any may match, in any case. It answers like a pattern, but of a match only ``start`` counts."""

    patterns: tuple[re.Pattern[str], ...]
    """In lower case."""
    under: tuple[tuple[str, re.Pattern[str]], ...]
    """Words, each with its expression, in their order: whatever that matches holds one of its words."""
    words: tuple[str, ...]
    across: bool
    """Whether a match can go on behind the end of its line."""

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match at or behind ``start``."""
        low = lowered(text)
        if low is None:
            return self.whole(re.IGNORECASE).search(text, start)
        first: re.Match[str] | None = None
        tried = None
        long = len(low) > _LONG and not self.across
        for word, pattern in self.under:
            if word in low and (long or pattern is not tried):
                tried = pattern
                end = len(low) if first is None else first.start()
                found = _in_its_line(pattern, word, low, start, end) if long else pattern.search(low, start)
                if found is not None and (first is None or found.start() < first.start()):
                    first = found
        return first

    def anywhere(self, text: str) -> bool:
        """Whether any of them matches."""
        low = lowered(text)
        if low is None:
            return self.whole(re.IGNORECASE).search(text) is not None
        tried = None
        long = len(low) > _LONG and not self.across
        for word, pattern in self.under:
            if word in low and (long or pattern is not tried):
                tried = pattern
                if (_in_its_line(pattern, word, low, 0, len(low)) if long else pattern.search(low)) is not None:
                    return True
        return False

    def whole(self, flags: int) -> re.Pattern[str]:
        """All of them in one expression, which the library keeps."""
        return re.compile("|".join(pattern.pattern for pattern in self.patterns), flags)


def phrases(alternatives: Mapping[str, str], *, across: bool = False) -> Phrases:
    """Expressions in lower case, each under the words of which its matches hold one: ``{"one |two ": r"(?:one|two) more"}``."""
    patterns = tuple(compile_later(_led(text)) for text in alternatives.values())
    under = tuple((word, each) for words, each in zip(alternatives, patterns, strict=True) for word in words.split("|"))
    return Phrases(patterns, under, tuple(dict.fromkeys(word for word, _ in under)), across)


def lowered(text: str) -> str | None:
    """The text in lower case, where each of its characters keeps its place and matches what it matched; else None."""
    low = text.lower()
    if low.isascii() or (len(low) == len(text) and _KIN[0] not in low and _KIN[1] not in low):
        return low
    return None


def _in_its_line(pattern: re.Pattern[str], word: str, low: str, start: int, end: int) -> re.Match[str] | None:
    """The first match, begun in [start, end), in a line that holds the word: no match goes on behind the end of its line."""
    if pattern.pattern.startswith("^"):
        return pattern.search(low, start)
    at = low.find(word, start)
    while at >= 0:
        begin = max(start, low.rfind("\n", 0, at) + 1)
        if begin >= end:
            return None
        behind = low.find("\n", at) + 1 or len(low)
        if (found := pattern.search(low, begin, behind)) is not None:
            return found
        at = low.find(word, behind)
    return None


def _led(text: str) -> str:
    r"""Beginning with its letters, where it begins with ``\b`` before letters: the library finds letters fast, an edge slowly."""
    return _EDGE.sub(lambda found: rf"{found[1]}(?<!\w{found[1]})", text)
