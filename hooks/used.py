"""The skills that a session used, as they are counted: where each stands, and without those that it wrote itself.

Writing a skill is not using it, nor is looking at it again afterwards, nor reading it in order to change it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from mind_skills.hosts.skills import HOME, PLACE, PROJECT
from mind_skills.learning.skills.files import read_text
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.skill_use import NAME, SkillUse
from mind_skills.staging.usage import Use

OURS = "mind-skills:"
"""How the commands of our own plugin begin, which an agent can load like skills. A plugin's skill is PLUGIN:NAME."""

_PLACE = compile_later(PLACE)
_ID = compile_later(r"(?<!\w)sc_[0-9a-f]{8}(?!\w)")


def used(analysis: Analysis, root: str, host: str, since: int = 0) -> list[Use]:
    """Each skill that this session used, once: by its path, or by its name where no file of that name is found.

    ``root`` is the project's, ``host`` the one whose folders a name is looked for in. What happened before ``since``
    (UTC ms) does not count: the log of a fork begins with its parent's.
    """
    folders = [root, analysis.session.project]
    wrote = [(_absolute(skill.path, folders), skill.line) for skill in analysis.skills_written]
    found: dict[str, Use] = {}
    brought = {use.name: use.path for use in analysis.skills_used if use.how == "host"}
    for use in sorted(analysis.skills_used, key=lambda use: use.how == "read"):  # the first way that is seen is kept
        if since and use.at is not None and use.at < since:
            continue
        if use.name.startswith(OURS):
            continue
        path = _absolute(use.path or brought.get(use.name.rsplit(":", 1)[-1], ""), folders)
        path = path or _standing(use.name, root, host)
        if _own(use.name, path, use, wrote):
            continue
        known = bool(_PLACE.search(path)) if path else True
        found.setdefault(path or use.name, Use(use.name, path, use.how, use.at, known, tuple(_named(path)), use.first))
    return list(found.values())


def _absolute(path: str, folders: Iterable[str]) -> str:
    """A path as the log has it, below the first of ``folders`` where there is such a file."""
    if not path:
        return ""
    expanded = os.path.expanduser(path)
    places = [os.path.normpath(os.path.join(folder, expanded)) for folder in folders if folder]
    return next((place for place in places if os.path.isfile(place)), places[0] if places else expanded)


def _standing(name: str, root: str, host: str) -> str:
    """Where the skill of a name is, in the folders that this host reads: the project's before the user's."""
    if not re.fullmatch(r"[\w.-]+", name):
        return ""
    home = os.path.expanduser("~")
    tops = [os.path.join(root, place) for place in PROJECT.get(host, ())]
    tops += [os.path.join(home, place) for place in HOME.get(host, ())] if os.path.isabs(home) else []
    paths = [os.path.join(top, name, NAME) for top in tops]
    return next((path for path in paths if os.path.isfile(path)), "")


def _own(name: str, path: str, use: SkillUse, wrote: list[tuple[str, int]]) -> bool:
    """Whether the session wrote it: before it used it, or at any time where it only read the file."""
    lines = [line for place, line in wrote if place == path or (not path and _folder(place) == name)]
    return bool(lines) and (use.how == "read" or min(lines) <= use.last)


def _folder(path: str) -> str:
    return os.path.basename(os.path.dirname(path))


def _named(path: str) -> Iterator[str]:
    """The ids of candidates that the skill names: it descends from them, wherever it has been moved to since."""
    if path:
        yield from dict.fromkeys(_ID.findall(read_text(path)))
