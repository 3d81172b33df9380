"""Putting a skill's folder away where no host reads it, and back: in one step each, with all that is in it.

The archive is beside the folder of skills (``.claude/mind-skills-archive`` for ``.claude/skills``): on the same disk, so
that moving is one step that happens or does not, and the user's own, so that an uninstall does not delete what they may
want again.
"""

from __future__ import annotations

import contextlib
import os

from mind_skills.errors import RefusedPathError
from mind_skills.learning.skills.discovery import list_plugin_folders
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.store.atomic import Folder

ARCHIVE = "mind-skills-archive"
_TOPS = ("skills", "skill")
DEEP = 2_000
"""Folders inside of a skill that are looked through for a second skill."""


def find_archive(path: str) -> str:
    """The folder into which the skill whose file is at ``path`` would be moved. Nothing is touched.

    Raises RefusedPathError where the skill cannot be moved by itself: it has no folder of its own, other skills stand in
    it, it or its file is a link, or a plugin brought it.
    """
    folder = os.path.dirname(os.path.abspath(path))
    parts = os.path.dirname(folder).split(os.sep)
    top = max((number for number, part in enumerate(parts) if part in _TOPS), default=-1)
    if os.path.basename(folder) in _TOPS or top < 0:
        raise RefusedPathError(f"{folder} is no folder of one skill below one of skills", "Move it by hand.")
    if any(folder.startswith(place + os.sep) for place in list_plugin_folders()):
        raise RefusedPathError(f"{folder} belongs to a plugin", "Switch the plugin off in its host.")
    _real(folder, path)
    return os.sep.join([*parts[:top], ARCHIVE])


def _real(folder: str, path: str) -> None:
    for place in (os.path.dirname(folder), folder, path):
        if os.path.islink(place):
            raise RefusedPathError(
                f"{place} is a symbolic link", "What it leads to may be used elsewhere: move it by hand."
            )
    for number, (place, _, files) in enumerate(os.walk(folder)):
        if number > DEEP or (place != folder and FILE_NAME in files):
            raise RefusedPathError(f"{folder} holds more than one skill", "Move it by hand.")


def find_free_path(folder: str, name: str, taken: frozenset[str] = frozenset()) -> str:
    """A path in the archive ``folder`` at which nothing stands: of this name, or with a number; none of ``taken``."""
    number, found = 1, os.path.join(folder, name)
    while os.path.lexists(found) or found in taken:
        number += 1
        found = os.path.join(folder, f"{name}-{number}")
    return found


def move_skill(source: str, target: str) -> None:
    """Move a skill's folder; the folder that ``target`` lies in is made if need be, and the one left is removed if empty.

    Raises RefusedPathError, UnwritablePathError (errors/); nothing has been moved then, unless it was moved and the
    disk would not confirm it.
    """
    with (
        Folder(os.path.dirname(source)) as here,
        Folder(os.path.dirname(target), make=True) as there,
    ):
        here.move(os.path.basename(source), there, os.path.basename(target))
    left = os.path.dirname(source)
    if os.path.basename(left) == ARCHIVE:
        with contextlib.suppress(OSError):  # others are archived there; or somebody looks into it
            os.rmdir(left)
