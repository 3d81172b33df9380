"""Finds installed skills in the folders of all hosts, within limits. Content is untrusted: nothing blocks, unreadable
skills are warnings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, cast

from mind_skills.hosts.skills import FOLDER_OVERRIDES, HOME_SKILL_FOLDERS, PROJECT_SKILL_FOLDERS
from mind_skills.learning.skills.files import (
    FILE_NAME,
    MAX_SKILL_BYTES,
    contains_id,
    read_bytes,
    read_scalar,
    split_passages,
    split_skill_file,
)
from mind_skills.store.home import find_git_entry

MAX_SKILLS, MAX_FOLDER_ENTRIES, MAX_TOTAL_BYTES = 300, 2000, 8 * 1024 * 1024
"""Skills read, names examined per folder, and bytes in total. At most 180 skills have been seen."""
_MAX_SETTINGS_BYTES = 1024 * 1024
"""Maximum number of bytes read from a host's settings file; typical files have a few kB."""
_MAX_PLUGINS, _MAX_PARENTS = 200, 40
"""Maximum number of plugins examined, and of folders examined above a project."""


class Skill(NamedTuple):
    """An installed skill: the name of its folder, and the beginning of its SKILL.md, up to ``MAX_SKILL_BYTES``."""

    name: str
    path: str
    description: str
    text: str

    def split_passages(self) -> list[set[str]]:
        """Return the distinctive words of the name and text, one set per passage."""
        return split_passages(f"{self.name}\n{self.text}")

    def contains_id(self, id_: str) -> bool:
        """Return whether the file, including its frontmatter, contains a candidate's id."""
        return contains_id(self.text, id_)


class DiscoveredSkills(NamedTuple):
    """Installed skills, in the order of the folders, and warnings about files that were skipped or have no complete frontmatter."""

    skills: tuple[Skill, ...]
    warnings: tuple[str, ...]


def find_installed_skills(root: str, accepted: Iterable[str] = ()) -> DiscoveredSkills:
    """Find the skills that the project at ``root`` can load, and the files ``accepted`` anywhere in its work tree. Never raises."""
    start, git = os.path.join(list_parents(root)[-1], ""), find_git_entry(root)
    files = (path for path in accepted if path.startswith(start) and find_git_entry(os.path.dirname(path)) == git)
    return find_skills(list_skill_folders(root), files)


def list_skill_folders(root: str) -> list[str]:
    """Return the folders that hosts search for skills: in the project, then in its parents, the home, and plugins."""
    parents = list_parents(root)
    folders = [
        os.path.join(parent, path) for parent in parents for paths in PROJECT_SKILL_FOLDERS.values() for path in paths
    ]
    folders += [
        os.path.join(home, path) for paths in HOME_SKILL_FOLDERS.values() for home, path in resolve_homes(paths)
    ]
    return list(dict.fromkeys([*folders, *list_plugin_folders()]))


def find_skills(folders: Iterable[str], files: Iterable[str] = ()) -> DiscoveredSkills:
    """Find the skills in these folders, and these files; a file that several paths lead to counts once. Never raises."""
    skills: dict[str, Skill] = {}
    warnings: list[str] = []
    bytes_left = MAX_TOTAL_BYTES
    for path in chain(_iterate_skill_files(folders, warnings), files):
        real = os.path.realpath(path)
        if real in skills or not os.path.lexists(path):
            continue
        if len(skills) == MAX_SKILLS or bytes_left <= 0:
            warnings.append(f"only the first {len(skills)} skills were read; {path} and those after it were not")
            break
        data = read_bytes(path, MAX_SKILL_BYTES)
        if data is None:
            warnings.append(f"{path} is not a readable file")
            continue
        bytes_left -= len(data)
        skills[real] = parse_skill(path, data)
        if split_skill_file(skills[real].text).problem:
            warnings.append(f"{path} has no complete frontmatter")
    return DiscoveredSkills(tuple(skills.values()), tuple(warnings))


def parse_skill(path: str, data: bytes) -> Skill:
    """Build the skill whose file is at ``path`` and has the (possibly truncated) content ``data``."""
    text = data.decode("utf-8", "replace")
    return Skill(
        os.path.basename(os.path.dirname(path)), path, read_scalar(split_skill_file(text).front, "description"), text
    )


def _iterate_skill_files(folders: Iterable[str], warnings: list[str]) -> Iterator[str]:
    for folder in folders:
        try:
            entries = os.scandir(folder)
        except (FileNotFoundError, NotADirectoryError):
            continue  # most hosts are not installed, and most projects have no skills
        except OSError as error:
            warnings.append(f"{folder} cannot be listed: {error.strerror}")
            continue
        with entries:
            names = sorted(entry.name for entry in islice(entries, MAX_FOLDER_ENTRIES))
        yield from (os.path.join(folder, name, FILE_NAME) for name in names)


def list_parents(root: str) -> list[str]:
    """Return ``root`` and its parent folders up to the top of its repository; outside a repository, only ``root``."""
    parents = [os.path.abspath(root)]
    while not os.path.lexists(os.path.join(parents[-1], ".git")):
        parent = os.path.dirname(parents[-1])
        if parent == parents[-1] or len(parents) > _MAX_PARENTS:
            return parents[:1]
        parents.append(parent)
    return parents


def resolve_homes(relative_paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Split each path relative to the home into its first folder, which variables may move, and the rest; omitted
    without a home.
    """
    for relative_path in relative_paths:
        first, _, rest = relative_path.partition("/")
        variable, subfolder = FOLDER_OVERRIDES.get(first, ("", ""))
        override = os.environ.get(variable, "") if variable else ""
        if os.path.isabs(override):
            yield os.path.join(override, subfolder) if subfolder else override, rest
        elif os.path.isabs(home := os.path.expanduser("~")):
            yield os.path.join(home, first), rest


def list_plugin_folders() -> list[str]:
    """Return the skill folders of the plugins that are installed in Claude Code and not disabled."""
    folder = next((os.path.join(*parts) for parts in resolve_homes([".claude/"])), "")
    if not folder:
        return []
    plugins = _as_table(_read_json_object(os.path.join(folder, "plugins", "installed_plugins.json")).get("plugins"))
    enabled = _as_table(_read_json_object(os.path.join(folder, "settings.json")).get("enabledPlugins"))
    folders: list[str] = []
    for name, copies in list(plugins.items())[:_MAX_PLUGINS]:
        if enabled.get(name) is False or not isinstance(copies, list):
            continue
        for copy in cast("list[object]", copies):
            path = _as_table(copy).get("installPath")
            if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
                folders.append(os.path.join(path, "skills"))
    return folders


def _read_json_object(path: str) -> dict[str, object]:
    """Return the JSON object in another program's file; empty if the file is missing or invalid."""
    try:
        return _as_table(json.loads(read_bytes(path, _MAX_SETTINGS_BYTES) or b"{}"))
    except (ValueError, RecursionError):
        return {}


def _as_table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
