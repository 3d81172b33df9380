"""Regular expressions that are compiled when a text first calls for them.

Of the six hundred that reading, cleaning and judging know, a process behind a turn needs some fifty: to compile all takes as
long as a dozen interpreters take to start.
"""

from __future__ import annotations

import re
from typing import cast, overload

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "groups", "groupindex")


class LazyPattern:
    """Stands for what ``re.compile`` of the same arguments gives, until one of its methods is asked for, and then has these."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | re.Pattern[bytes] | None = None

    def __getattr__(self, name: str) -> object:
        """Of the expression; asked only for what is not there yet. Raises AttributeError, re.error."""
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = self.compiled()
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def compiled(self) -> re.Pattern[str] | re.Pattern[bytes]:
        """The expression itself."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled


@overload
def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]: ...


@overload
def compile_later(pattern: bytes, flags: int = 0) -> re.Pattern[bytes]: ...


def compile_later(pattern: str | bytes, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
    """As ``re.compile``, but for when it is compiled: that it is none shows when it is used, and in our tests."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
