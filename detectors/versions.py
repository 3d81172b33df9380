"""Versions that a text names: what a learning rests on may be true of one version alone.

Only forms that people and tools use for versions count: ``name==1.2``, ``name@1.2``, ``name 1.2.3``, ``Python 3.11``,
``go1.22``. Times, addresses, protocol numbers and plain decimals are none.
"""

from __future__ import annotations

import re

from mind_skills.detectors.phrases import lowered
from mind_skills.redaction.lazy_pattern import compile_later

MOST = 4
"""Versions that one learning names at most: more of them are a lock file."""
_SAID = 4_000
"""Characters of a text that are looked at."""
_NUMBER = r"v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:[-.+]?(?:a|b|rc|alpha|beta|dev|post|pre)\w{0,6})?)"
_NAME = r"([A-Za-z@][\w@/.-]{0,60}?)"
_PINNED = compile_later(rf"(?<![\w@/.-]){_NAME}(?:==|~=|>=|<=|@|<|>)\s?\^?~?{_NUMBER}(?!\w|\.\d)")
_UNIT = r"\s?(?:s|ms|sec|seconds|[kMG]?B|%|x)\b"
_SPOKEN = compile_later(rf"(?<![\w@/.-]){_NAME}(?:,? version:?)?[ :/]{_NUMBER}(?!\w|[.:/]\w|{_UNIT})")
_WHOLE = compile_later(
    r"\b(?:(python|go|rust|django)(?: version)? ?v?(\d{1,3}(?:\.\d{1,5}){1,3})"
    r"|(node(?:\.js)?|java|ruby|php|postgres(?:ql)?|react)(?: version)? ?v?(\d{1,3}(?:\.\d{1,5}){0,3}))"
    rf"(?!\w|\.\d|{_UNIT})",
    re.IGNORECASE,
)
"""Languages and the like: written together with their version, and of some a whole number is one."""
_POINTED = compile_later(r"[=<>@ :/]\s?\^?~?v?\d{1,4}\.\d")
_TOGETHER = compile_later(
    r"(?:python|go|rust|django|node(?:\.js)?|java|ruby|php|postgres(?:ql)?|react)(?: version)? ?v?\d"
)
"""What stands in whatever matches those, the latter in small letters, and is found sooner."""
_AROUND = 100
"""Characters before and behind it to which a match reaches at most, and what it looks at."""
_NO_NAMES = frozenset(
    "in of to at on by for from with and or is was the a an version line section chapter step table figure http https tls ssl ipv4"
    " took after about ok pass passed than until only all around over under between score ratio rate total since at-least"
    " expected actual got want received found value".split()
)
_SAME = {"python3": "python", "node.js": "node", "nodejs": "node", "golang": "go", "postgresql": "postgres"}


def named(text: str) -> dict[str, str]:
    """Name, lower-cased, to version, in the order of the text; of several versions of one name the first."""
    found: dict[str, str] = {}
    text = text[:_SAID]
    low = lowered(text)
    for sign, sought, patterns in ((_POINTED, text, (_PINNED, _SPOKEN)), (_TOGETHER, low, (_WHOLE,))):
        begin, end = (0, len(text)) if sought is None else _reach(sign, sought)
        for pattern in patterns if end else ():
            for match in pattern.finditer(text, begin, end):
                name, number = filter(None, match.groups())
                key = name.lower().strip("./-")
                key = _SAME.get(key, key)
                if key and key not in _NO_NAMES and not key[-1].isdigit() and any(c.isalpha() for c in key):
                    found.setdefault(key, number)
    return found


def _reach(sign: re.Pattern[str], text: str) -> tuple[int, int]:
    """Where in ``text`` a match can begin, and what it can reach; (0, 0) where there is none."""
    first = sign.search(text)
    if first is None:
        return 0, 0
    last = first
    for found in sign.finditer(text, first.end()):
        last = found
    return max(0, first.start() - _AROUND), last.end() + _AROUND
