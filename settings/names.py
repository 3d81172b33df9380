"""The names of the settings that the documents have as well: taken in camelCase, called in snake_case."""

from __future__ import annotations

import re
from typing import Any, cast

from mind_skills.settings.table import PREFIX

RENAMED = ("learning", "anti_pattern", "maturity")
"""The sections of the documents."""
OTHER_NAMES = {"learning.max_errors_for_helpful": "learning.max_errors_neutral", "anti_pattern.prefix": PREFIX}
"""D3: `maxErrorsForHelpful` has never been a count that scores as helpful, so it is called what it is."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def canonical_key(key: str) -> str:
    """The dotted key as it is called here: `antiPattern.minObservations` is ``anti_pattern.min_observations``."""
    section, dot, name = key.partition(".")
    known = _snake(section)
    if known not in RENAMED:
        return key
    found = f"{known}{dot}{_snake(name)}"
    return OTHER_NAMES.get(found, found)


def canonical(data: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What a settings file says, with every name as it is called here; and a key that it has under two names, else empty."""
    found: dict[str, Any] = {}
    twice = ""
    for section, value in data.items():
        name = canonical_key(section)
        if name not in RENAMED or not isinstance(value, dict):
            found[section] = value
            continue
        into = found.setdefault(name, {})
        for key, one in cast("dict[str, Any]", value).items():
            inside = canonical_key(f"{section}.{key}").partition(".")[2]
            twice = twice or (f"{name}.{inside}" if inside in into else "")
            into.setdefault(inside, one)
    return found, twice


def spelled(data: dict[str, Any], key: str) -> str:
    """The key as a settings file has it already, so that a change changes that line; else as it is called here."""
    top, _, name = key.partition(".")
    for section, value in data.items():
        if canonical_key(section) == top and isinstance(value, dict):
            names = cast("dict[str, Any]", value)
            same = (each for each in names if canonical_key(f"{section}.{each}") == key)
            return f"{section}.{next(same, name)}"
    return key


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()
