"""The skills that a session wrote: those that its log shows, and those that stand in the project's folder for skills.

The log alone does not do: a shell command, or a program, writes files that no line of it names.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from mind_skills.learning.skills.files import read_text
from mind_skills.staging.analyse import WrittenSkill

SKILLS, ENTRIES = 200, 2000
"""At most so many skills are read, and so many names in the folder looked at."""
SLACK = 2000
"""Milliseconds: the times of some file systems have no finer grain."""


def written(skills: list[WrittenSkill], root: str) -> dict[str, str]:
    """Path to text of the skills that a session's log shows: what it shows of each, and what stands on disk now.

    The log bounds what it shows, and an id may stand behind the bound; the file may be gone. Together they suffice.
    """
    texts: dict[str, str] = {}
    for skill in skills:
        path = os.path.join(root, skill.path)
        texts[path] = f"{texts.get(path, '')}\n{skill.text}"
    return {path: f"{text}\n{read_text(path)}" for path, text in texts.items()}


def changed(folder: str, since: int) -> dict[str, str]:
    """Path to text of each ``folder/NAME/SKILL.md`` that changed at ``since`` (UTC milliseconds) or later.

    Whoever changed it: that it is of the session only its naming a candidate can say. Regular files, bounded.
    """
    texts: dict[str, str] = {}
    for path in _files(folder):
        if len(texts) == SKILLS:
            break
        try:
            found = os.stat(path)
        except OSError:
            continue  # a folder without a skill, or out of reach
        if stat.S_ISREG(found.st_mode) and found.st_mtime_ns // 1_000_000 >= since - SLACK:
            texts[path] = read_text(path)
    return texts


def _files(folder: str) -> Iterator[str]:
    try:
        entries = os.scandir(folder)
    except OSError:
        return  # the project keeps no skills
    with entries:
        for number, entry in enumerate(entries):
            if number == ENTRIES:
                return
            yield os.path.join(folder, entry.name, "SKILL.md")
