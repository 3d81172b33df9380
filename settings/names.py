"""Alternative names of settings: camelCase (docs/learning.md), converted to snake_case."""

from __future__ import annotations

import re
from typing import Any, cast

from mind_skills.settings.table import PREFIX_KEY

CAMEL_CASE_SECTIONS = ("learning", "anti_pattern", "maturity")
"""Sections with camelCase names."""
RENAMED_KEYS = {"learning.max_errors_for_helpful": "learning.max_errors_neutral", "anti_pattern.prefix": PREFIX_KEY}
"""Canonical key by alternative key (in snake_case), where they differ by more than their case. `maxErrorsForHelpful` is the maximum
number of errors for which a session gets the middle score, not the best one (docs/learning.md, D3)."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def normalise_key(key: str) -> str:
    """Return the canonical form of a dotted key: `antiPattern.minObservations` becomes ``anti_pattern.min_observations``."""
    section, dot, name = key.partition(".")
    section_name = _to_snake_case(section)
    if section_name not in CAMEL_CASE_SECTIONS:
        return key
    canonical_key = f"{section_name}{dot}{_to_snake_case(name)}"
    return RENAMED_KEYS.get(canonical_key, canonical_key)


def normalise_names(data: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the settings with canonical names, and the first key that is set under two names (empty if there is none)."""
    settings: dict[str, Any] = {}
    duplicate = ""
    for section, value in data.items():
        name = normalise_key(section)
        if name not in CAMEL_CASE_SECTIONS or not isinstance(value, dict):
            settings[section] = value
            continue
        table = settings.setdefault(name, {})
        for key, setting_value in cast("dict[str, Any]", value).items():
            setting_name = normalise_key(f"{section}.{key}").partition(".")[2]
            duplicate = duplicate or (f"{name}.{setting_name}" if setting_name in table else "")
            table.setdefault(setting_name, setting_value)
    return settings, duplicate


def find_spelling(data: dict[str, Any], key: str) -> str:
    """Return ``key`` as ``data`` spells it, so that an edit changes the existing line.

    If ``data`` has only the key's section, the section's spelling is used; otherwise ``key`` is returned unchanged.
    """
    top, _, name = key.partition(".")
    for section, value in data.items():
        if normalise_key(section) == top and isinstance(value, dict):
            names = cast("dict[str, Any]", value)
            spellings = (spelling for spelling in names if normalise_key(f"{section}.{spelling}") == key)
            return f"{section}.{next(spellings, name)}"
    return key


def _to_snake_case(name: str) -> str:
    return _HUMP.sub("_", name).lower()
