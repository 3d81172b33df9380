"""Moves a skill's folder to an archive that no host reads (``.claude/mind-skills-archive`` for ``.claude/skills``), and
back, in one step.
"""

from __future__ import annotations

import contextlib
import os

from mind_skills.errors import RefusedPathError
from mind_skills.learning.skills.discovery import list_plugin_folders
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.store.atomic import Folder

ARCHIVE_NAME = "mind-skills-archive"
_SKILL_ROOTS = ("skills", "skill")
_MOVE_IT_MANUALLY = "Move the skill manually."
MAX_FOLDERS_SEARCHED = 2_000
"""Maximum number of folders in a skill that are searched for a second skill; a skill with more is not moved."""


def find_archive(path: str) -> str:
    """Return the archive folder for the skill at ``path``. Raises RefusedPathError if it cannot be moved by itself."""
    folder = os.path.dirname(os.path.abspath(path))
    parts = os.path.dirname(folder).split(os.sep)
    root_index = max((index for index, part in enumerate(parts) if part in _SKILL_ROOTS), default=-1)
    if os.path.basename(folder) in _SKILL_ROOTS or root_index < 0:
        raise RefusedPathError(f"{folder} is not the folder of one skill inside a skills folder", _MOVE_IT_MANUALLY)
    if any(folder.startswith(plugin_folder + os.sep) for plugin_folder in list_plugin_folders()):
        raise RefusedPathError(f"{folder} belongs to a plugin", "Disable the plugin in its host.")
    _check_movable(folder, path)
    return os.sep.join([*parts[:root_index], ARCHIVE_NAME])


def _check_movable(folder: str, file: str) -> None:
    for path in (os.path.dirname(folder), folder, file):
        if os.path.islink(path):
            raise RefusedPathError(
                f"{path} is a symbolic link", "Something else may use its target: move the skill manually."
            )
    for number, (path, _, files) in enumerate(os.walk(folder)):
        if number > MAX_FOLDERS_SEARCHED or (path != folder and FILE_NAME in files):
            raise RefusedPathError(f"{folder} contains more than one skill, or too many folders", _MOVE_IT_MANUALLY)


def find_free_path(folder: str, name: str, taken: frozenset[str] = frozenset()) -> str:
    """Return the path for ``name`` in ``folder``, with a number appended if that path exists or is in ``taken``."""
    number, path = 1, os.path.join(folder, name)
    while os.path.lexists(path) or path in taken:
        number += 1
        path = os.path.join(folder, f"{name}-{number}")
    return path


def move_skill(source: str, target: str) -> None:
    """Move a skill's folder, creating the target's parent and deleting an empty archive. Raises RefusedPathError,
    UnwritablePathError.
    """
    with Folder(os.path.dirname(source)) as source_folder, Folder(os.path.dirname(target), make=True) as target_folder:
        source_folder.move(os.path.basename(source), target_folder, os.path.basename(target))
    source_parent = os.path.dirname(source)
    if os.path.basename(source_parent) == ARCHIVE_NAME:
        with contextlib.suppress(OSError):  # the archive is not empty, or in use
            os.rmdir(source_parent)
