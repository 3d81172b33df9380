"""Many expressions sought at once, in any case, at the cost of the few whose words are there.

An expression of fifty alternatives is tried one by one at every place of a text: a microsecond for three characters. To
look first for a few plain letters that each alternative cannot do without costs a hundredth of that, and of the
alternatives whose letters are there each is sought alone, in the lower-cased text, where its first letters are found fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_KIN = re.compile("[\u0131\u017f]")
"""Letters beside ASCII that match an ASCII letter where case does not count, and are none when lowered: dotless i, long s."""
_EDGE = re.compile(r"\\b([a-z]+)(?![?*+{a-z])")


class Phrases(NamedTuple):
    """Expressions of which any may match, in any case. It answers like a pattern, but of a match only ``start`` counts."""

    patterns: tuple[re.Pattern[str], ...]
    """In lower case."""
    under: tuple[tuple[str, int], ...]
    """Words, each with the number of an expression: whatever that matches holds one of its words."""
    words: tuple[str, ...]

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match at or behind ``start``."""
        low = lowered(text)
        if low is None:
            return self.whole(re.IGNORECASE).search(text, start)
        first: re.Match[str] | None = None
        for number in {number for word, number in self.under if word in low}:
            found = self.patterns[number].search(low, start)
            if found is not None and (first is None or found.start() < first.start()):
                first = found
        return first

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match, from left to right; they do not overlap."""
        low = lowered(text)
        if low is None:
            return self.whole(re.IGNORECASE).finditer(text)
        return self.whole(0).finditer(low) if any(map(low.__contains__, self.words)) else iter(())

    def whole(self, flags: int) -> re.Pattern[str]:
        """All of them in one expression, which the library keeps."""
        return re.compile("|".join(pattern.pattern for pattern in self.patterns), flags)


def phrases(alternatives: Mapping[str, str]) -> Phrases:
    """Expressions in lower case, each under the words of which its matches hold one: ``{"one |two ": r"(?:one|two) more"}``."""
    under = tuple((word, number) for number, words in enumerate(alternatives) for word in words.split("|"))
    patterns = tuple(re.compile(_led(text)) for text in alternatives.values())
    return Phrases(patterns, under, tuple(dict.fromkeys(word for word, _ in under)))


def lowered(text: str) -> str | None:
    """The text in lower case, where each of its characters keeps its place and matches what it matched; else None."""
    low = text.lower()
    if low.isascii() or (len(low) == len(text) and _KIN.search(low) is None):
        return low
    return None


def _led(text: str) -> str:
    r"""Beginning with its letters, where it begins with ``\b`` before letters: the library finds letters fast, an edge slowly."""
    return _EDGE.sub(lambda found: rf"{found[1]}(?<!\w{found[1]})", text)
