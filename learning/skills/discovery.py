"""Which skills are installed: in the folders that some host would look into, bounded in number and bytes.

The folders of all hosts count, because a learning waits for a session of whichever host comes next. What a folder of
skills holds may be anybody's: nothing but regular files is opened, nothing is waited for, and what cannot be read is
passed over with a warning.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mind_skills.hosts.skills import HOME, PROJECT
from mind_skills.learning.skills.coverage import names, passages
from mind_skills.learning.skills.folders import homes, parents, plugins
from mind_skills.learning.skills.frontmatter import scalar, split
from mind_skills.learning.skills.reading import NAME, SKILL_SIZE, content

SKILLS, ENTRIES, BYTES = 300, 2000, 8 * 1024 * 1024
"""At most so many skills are read, so many names in one folder looked at, so many bytes read in all. The longest list
of skills that was seen in use had 180."""


class Skill(NamedTuple):
    """An installed skill. ``name`` is its folder's, which is what hosts list it under; ``text`` is the file's, bounded."""

    name: str
    path: str
    description: str
    text: str

    def passages(self) -> list[set[str]]:
        """The telling words of what it says, passage by passage."""
        return passages(f"{self.name}\n{self.text}")

    def names(self, id_: str) -> bool:
        """Whether it names a candidate: in its metadata, or anywhere in its text."""
        return names(self.text, id_)


class Installed(NamedTuple):
    """What was found, in the order of ``folders``, and what had to be passed over, in sentences."""

    skills: tuple[Skill, ...]
    warnings: tuple[str, ...]


def installed(root: str) -> Installed:
    """The skills that a session in the project at ``root`` could use. Never raises.

    Reads the environment for where the hosts' folders are (hosts/skills.py) and the disk; not the clock.
    """
    return within(folders(root))


def folders(root: str) -> list[str]:
    """Where hosts look for skills of a project, the nearest first: its own folders, those above it, the home, plugins."""
    tops = [os.path.join(folder, place) for folder in parents(root) for hosts in PROJECT.values() for place in hosts]
    tops += [os.path.join(home, place) for places in HOME.values() for home, place in homes(places)]
    return list(dict.fromkeys([*tops, *plugins()]))


def within(places: Iterable[str]) -> Installed:
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
        data = content(path, SKILL_SIZE)
        if data is None:
            warnings.append(f"{path} is no file that can be read")
            continue
        room -= len(data)
        found[real] = read(path, data)
        if split(found[real].text).problem:
            warnings.append(f"{path} has no frontmatter")
    return Installed(tuple(found.values()), tuple(warnings))


def read(path: str, data: bytes) -> Skill:
    """The skill whose file is at ``path`` and begins with ``data``."""
    text = data.decode("utf-8", "replace")
    return Skill(os.path.basename(os.path.dirname(path)), path, scalar(split(text).front, "description"), text)


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
            kept = sorted(entry.name for _, entry in zip(range(ENTRIES), entries, strict=False))
        yield from (os.path.join(place, name, NAME) for name in kept)
