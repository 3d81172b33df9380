"""Where the hosts keep skills on this machine: what hosts/skills.py says, with what the environment and plugins change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import cast

from mind_skills.hosts.skills import MOVED
from mind_skills.learning.skills.reading import content

_SETTINGS = 1024 * 1024
"""Bytes of a host's own JSON that are read; such files have some kB."""
_PLUGINS, _ABOVE = 200, 40
"""At most so many plugins, and so many folders above a project."""


def parents(root: str) -> list[str]:
    """``root`` and the folders above it up to the top of its repository; ``root`` alone where there is none."""
    found = [os.path.abspath(root)]
    while not os.path.lexists(os.path.join(found[-1], ".git")):
        above = os.path.dirname(found[-1])
        if above == found[-1] or len(found) > _ABOVE:
            return found[:1]
        found.append(above)
    return found


def homes(places: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(folder, rest) for each place in the home, where the environment puts it; none without a home."""
    for place in places:
        first, _, rest = place.partition("/")
        variable, below = MOVED.get(first, ("", ""))
        named = os.environ.get(variable, "") if variable else ""
        if os.path.isabs(named):
            yield os.path.join(named, below) if below else named, rest
        elif os.path.isabs(home := os.path.expanduser("~")):
            yield os.path.join(home, first), rest


def plugins() -> list[str]:
    """The folders for skills of Claude Code's plugins that are installed and not switched off."""
    folder = next((os.path.join(*found) for found in homes([".claude/"])), "")
    if not folder:
        return []
    listed = _table(_json(os.path.join(folder, "plugins", "installed_plugins.json")).get("plugins"))
    switched = _table(_json(os.path.join(folder, "settings.json")).get("enabledPlugins"))
    found: list[str] = []
    for name, copies in list(listed.items())[:_PLUGINS]:
        if switched.get(name) is False or not isinstance(copies, list):
            continue
        for copy in cast("list[object]", copies):
            path = _table(copy).get("installPath")
            if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
                found.append(os.path.join(path, "skills"))
    return found


def _json(path: str) -> dict[str, object]:
    """The object in a file; empty where there is none, or none that can be read: it is another program's file."""
    try:
        return _table(json.loads(content(path, _SETTINGS) or b"{}"))
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
