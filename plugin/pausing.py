"""Pauses: hooks do nothing, everywhere or in one project, until `mind-skills resume`.

A pause is an empty file in ``<state folder>/paused``, named ``everywhere`` or by the id of a project. This module is on
the hot path, so it imports only ``os`` and small modules, and a check costs two stat calls.
"""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE, ensure_folder, get_state_folder
from mind_skills.store.project import Project, resolve_project

FOLDER, EVERYWHERE = "paused", "everywhere"


def is_paused(home: str, project_id: str) -> bool:
    """Return whether hooks are paused in a project. ``home`` is the state folder."""
    return any(os.path.exists(os.path.join(home, FOLDER, name)) for name in (EVERYWHERE, project_id))


def is_paused_here(project: str) -> bool:
    """Return whether hooks are paused in the project folder ``project``, according to the user's state folder.

    Raises HomeError if the state folder is unusable.
    """
    return is_paused(get_state_folder(), resolve_project(project).id)


def is_active(home: str, project: Project) -> bool:
    """Return whether hooks work in a project, whose folder may be gone: they are not paused, and mind-skills is enabled."""
    from mind_skills.settings.lenient import is_project_enabled

    return not is_paused(home, project.id) and is_project_enabled(project)


def find_pause_start(home: str, project_id: str = "") -> int | None:
    """Return when the pause of a project began (UTC ms), or without ``project_id`` the pause everywhere; None if there is none."""
    try:
        return os.stat(os.path.join(home, FOLDER, project_id or EVERYWHERE)).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return None


def count_paused_projects(home: str) -> int:
    """Return the number of projects with a pause of their own."""
    try:
        names = os.listdir(os.path.join(home, FOLDER))
    except FileNotFoundError:
        return 0
    return sum(name != EVERYWHERE for name in names)


def pause(home: str, project_id: str = "") -> bool:
    """Pause a project, or everywhere without ``project_id``; return False if already paused.

    Raises HomeError, OSError.
    """
    path = os.path.join(ensure_folder(os.path.join(ensure_folder(home), FOLDER)), project_id or EVERYWHERE)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except FileExistsError:
        return False
    return True


def resume(home: str, project_id: str = "") -> bool:
    """End the pause of a project, or the pause everywhere; return False if there was none. Raises OSError."""
    folder = os.path.join(home, FOLDER)
    try:
        os.unlink(os.path.join(folder, project_id or EVERYWHERE))
    except FileNotFoundError:
        return False
    if not os.listdir(folder):
        os.rmdir(folder)  # later checks then need only one stat call
    return True
