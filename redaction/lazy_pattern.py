"""Regular expressions that are compiled on first use.

The worker that runs after a turn imports modules with about 800 expressions, and uses 50 to 100 of them. Compiling all of them would
take as long as starting a dozen interpreters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import cast, overload


class LazyPattern:
    """Proxy for ``re.compile(pattern, flags)`` that compiles when an attribute is first used, and caches each attribute.

    ``pattern`` may be a function that builds the pattern then.
    """

    def __init__(self, pattern: str | bytes | Callable[[], str], flags: int = 0) -> None:
        self._source, self._flags = pattern, flags
        if not callable(pattern):
            self.pattern = pattern
        self._compiled: re.Pattern[str] | re.Pattern[bytes] | None = None

    def __getattr__(self, name: str) -> object:
        """Compile the expression and return its attribute. Raises AttributeError, re.error."""
        if name.startswith("_"):
            raise AttributeError(name)
        attribute: object = getattr(self.compile_pattern(), name)
        setattr(self, name, attribute)
        return attribute

    def compile_pattern(self) -> re.Pattern[str] | re.Pattern[bytes]:
        """Compile the expression unless it is compiled already, and return it. Raises re.error."""
        if self._compiled is None:
            source = self._source() if callable(self._source) else self._source
            self._compiled = re.compile(source, self._flags)
        return self._compiled


@overload
def compile_lazily(pattern: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]: ...


@overload
def compile_lazily(pattern: bytes, flags: int = 0) -> re.Pattern[bytes]: ...


def compile_lazily(pattern: str | bytes | Callable[[], str], flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
    """Like ``re.compile``, but compile on first use. An invalid expression raises re.error only then; a test compiles all of them."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


def join_words(words: Iterable[str]) -> str:
    """Return an alternation of literal words, the longest first, grouped by first character, which halves the time of a search."""
    endings: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        endings.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rests)})" for first, rests in endings.items())
