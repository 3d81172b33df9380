"""The skills of a run: where they are, and how a host lists them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mind_skills.learning.skills.files import FILE_NAME, read_scalar, split_skill_file

SKILLS_FOLDER = ".claude/skills"
"""Relative to the project."""
MAX_DESCRIPTION = 1_536
"""Characters of a description that the host lists."""


class Skill(NamedTuple):
    """A skill as its host sees it."""

    name: str
    description: str
    body: str


def parse_skill(text: str, folder: str = "") -> Skill:
    """Parse the text of a SKILL.md; without a name, a skill has that of its ``folder``."""
    parts = split_skill_file(text)
    name = read_scalar(parts.front, "name") or folder
    return Skill(name, read_scalar(parts.front, "description")[:MAX_DESCRIPTION], parts.body.strip())


def read_skills(folder: Path) -> dict[str, str]:
    """Return the texts of the skills in ``folder``, by the names of their own folders."""
    return {
        path.parent.name: path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.glob(f"*/{FILE_NAME}"))
    }


def copy_skills(sources: Iterable[Path], target: Path) -> None:
    """Copy all skills in the ``sources`` to ``target``; of two with one name, the first stays. Raises OSError."""
    for path in [path.parent for source in sources for path in sorted(source.glob(f"*/{FILE_NAME}"))]:
        if not (target / path.name).exists():
            shutil.copytree(path, target / path.name)


def list_skills(folder: Path) -> str:
    """Return the skills of a project as the host lists them to the agent: names and descriptions."""
    skills = [parse_skill(text, name) for name, text in read_skills(folder).items()]
    return "\n".join(f"- {skill.name}: {skill.description}" for skill in skills)
