"""A regular expression that is compiled when a text first calls for it.

Of the hundred by which secrets are found a process needs none or a few: compiling all takes as long as two interpreters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Later:
    """What ``re.compile`` of the same arguments gives, as far as finding and replacing go."""

    __slots__ = ("_compiled", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None

    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        found = self._compiled
        if found is None:
            found = self._compiled = re.compile(self.pattern, self.flags)
        return found

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match in ``text``."""
        return self.compiled().finditer(text)

    def sub(self, replace: str | Callable[[re.Match[str]], str], text: str) -> str:
        """``text`` with every match replaced."""
        return self.compiled().sub(replace, text)
