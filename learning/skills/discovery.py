"""Which skills are installed: in the folders that some host would look into, bounded in number and bytes.

The folders of all hosts count, because a learning waits for a session of whichever host comes next. What a folder of
skills holds may be anybody's: nothing but regular files is opened, nothing is waited for, and what cannot be read is
passed over with a warning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from mind_skills.hosts.skills import HOME, MOVED, PROJECT
from mind_skills.learning.skills.coverage import mentions, split_passages
from mind_skills.learning.skills.files import FILE_NAME, SKILL_SIZE, read_bytes, read_scalar, split

SKILLS, ENTRIES, BYTES = 300, 2000, 8 * 1024 * 1024
"""At most so many skills are read, so many names in one folder looked at, so many bytes read in all. The longest list
of skills that was seen in use had 180."""
_SETTINGS = 1024 * 1024
"""Bytes of a host's own JSON that are read; such files have some kB."""
_PLUGINS, _ABOVE = 200, 40
"""At most so many plugins, and so many folders above a project."""


class Skill(NamedTuple):
    """An installed skill. ``name`` is its folder's, which is what hosts list it under; ``text`` is the file's, bounded."""

    name: str
    path: str
    description: str
    text: str

    def passages(self) -> list[set[str]]:
        """The telling words of what it says, passage by passage."""
        return split_passages(f"{self.name}\n{self.text}")

    def names(self, id_: str) -> bool:
        """Whether it names a candidate: in its metadata, or anywhere in its text."""
        return mentions(self.text, id_)


class Installed(NamedTuple):
    """What was found, in the order of ``folders``, and what had to be passed over, in sentences."""

    skills: tuple[Skill, ...]
    warnings: tuple[str, ...]


def find_installed(root: str) -> Installed:
    """The skills that a session in the project at ``root`` could use. Never raises.

    Reads the environment for where the hosts' folders are (hosts/skills.py) and the disk; not the clock.
    """
    return find_skills(list_folders(root))


def list_folders(root: str) -> list[str]:
    """Where hosts look for skills of a project, the nearest first: its own folders, those above it, the home, plugins."""
    tops = [
        os.path.join(folder, place) for folder in list_parents(root) for hosts in PROJECT.values() for place in hosts
    ]
    tops += [os.path.join(home, place) for places in HOME.values() for home, place in resolve_homes(places)]
    return list(dict.fromkeys([*tops, *list_plugin_folders()]))


def find_skills(places: Iterable[str]) -> Installed:
    """The skills in these folders, each file once, whatever links lead to it. Never raises."""
    found: dict[str, Skill] = {}
    warnings: list[str] = []
    room = BYTES
    for path in _files(places, warnings):
        real = os.path.realpath(path)
        if real in found or not os.path.lexists(path):
            continue
        if len(found) == SKILLS or room <= 0:
            warnings.append(f"only the first {len(found)} skills were looked at, up to {path}")
            break
        data = read_bytes(path, SKILL_SIZE)
        if data is None:
            warnings.append(f"{path} is no file that can be read")
            continue
        room -= len(data)
        found[real] = parse_skill(path, data)
        if split(found[real].text).problem:
            warnings.append(f"{path} has no frontmatter")
    return Installed(tuple(found.values()), tuple(warnings))


def parse_skill(path: str, data: bytes) -> Skill:
    """The skill whose file is at ``path`` and begins with ``data``."""
    text = data.decode("utf-8", "replace")
    return Skill(os.path.basename(os.path.dirname(path)), path, read_scalar(split(text).front, "description"), text)


def _files(places: Iterable[str], warnings: list[str]) -> Iterator[str]:
    for place in places:
        try:
            entries = os.scandir(place)
        except (FileNotFoundError, NotADirectoryError):
            continue  # most hosts are not there, and most projects keep no skills
        except OSError as error:
            warnings.append(f"{place} cannot be listed: {error.strerror}")
            continue
        with entries:
            names = sorted(entry.name for _, entry in zip(range(ENTRIES), entries, strict=False))
        yield from (os.path.join(place, name, FILE_NAME) for name in names)


def list_parents(root: str) -> list[str]:
    """``root`` and the folders above it up to the top of its repository; ``root`` alone where there is none."""
    found = [os.path.abspath(root)]
    while not os.path.lexists(os.path.join(found[-1], ".git")):
        above = os.path.dirname(found[-1])
        if above == found[-1] or len(found) > _ABOVE:
            return found[:1]
        found.append(above)
    return found


def resolve_homes(places: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(folder, rest) for each place in the home, where the environment puts it; none without a home."""
    for place in places:
        first, _, rest = place.partition("/")
        variable, below = MOVED.get(first, ("", ""))
        named = os.environ.get(variable, "") if variable else ""
        if os.path.isabs(named):
            yield os.path.join(named, below) if below else named, rest
        elif os.path.isabs(home := os.path.expanduser("~")):
            yield os.path.join(home, first), rest


def list_plugin_folders() -> list[str]:
    """The folders for skills of Claude Code's plugins that are installed and not switched off."""
    folder = next((os.path.join(*found) for found in resolve_homes([".claude/"])), "")
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
        return _table(json.loads(read_bytes(path, _SETTINGS) or b"{}"))
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
