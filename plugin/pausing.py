"""Pauses: hooks do nothing, everywhere or in one project, until `mind-skills resume`.

A pause is a file in ``<state folder>/paused``, named ``everywhere`` or by the id of a project. It contains when the pause
ends (UTC ms), or nothing if it lasts until it is ended. This module is on the hot path, so it imports only ``os`` and small
modules; without a pause, a check costs two system calls.
"""

from __future__ import annotations

import os
import time

from mind_skills.store.home import FILE_MODE, ensure_folder, get_state_folder
from mind_skills.store.project import Project, resolve_project

FOLDER, EVERYWHERE = "paused", "everywhere"


def is_paused(home: str, project_id: str) -> bool:
    """Return whether hooks are paused in a project, and remove pauses that have ended. ``home`` is the state folder."""
    for name in (EVERYWHERE, project_id):
        if os.path.exists(os.path.join(home, FOLDER, name)):
            if find_pause_start(home, name) is not None:
                return True
            try:  # noqa: SIM105 -- importing contextlib takes time
                resume(home, name)  # so that later checks need only one system call
            except OSError:
                pass
    return False


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
    period = find_pause(home, project_id)
    return None if period is None else period[0]


def find_pause(home: str, project_id: str = "") -> tuple[int, int | None] | None:
    """Return when the same pause began and when it ends (UTC ms, None if it has no end); None if there is no pause."""
    path = os.path.join(home, FOLDER, project_id or EVERYWHERE)
    try:
        with open(path, "rb") as file:
            text, start = file.read(32), os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return None
    end = int(text) if text.isdigit() else None
    return None if end is not None and end <= time.time_ns() // 1_000_000 else (start, end)


def list_paused_projects(home: str) -> list[str]:
    """Return the ids of the projects with a pause of their own, sorted."""
    try:
        names = os.listdir(os.path.join(home, FOLDER))
    except FileNotFoundError:
        return []
    return sorted(name for name in names if name != EVERYWHERE and find_pause_start(home, name) is not None)


def pause(home: str, project_id: str = "", end: int | None = None) -> bool:
    """Pause a project, or everywhere without ``project_id``, until ``end`` (UTC ms) or, if that is None, without an end.

    Returns False if it was paused already; the new end replaces that of the earlier pause. Raises HomeError, OSError.
    """
    path = os.path.join(ensure_folder(os.path.join(ensure_folder(home), FOLDER)), project_id or EVERYWHERE)
    was_paused = find_pause_start(home, project_id) is not None
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if end or not was_paused else 0), FILE_MODE)
    try:
        os.write(descriptor, b"" if end is None else str(end).encode())
    finally:
        os.close(descriptor)
    return not was_paused


def resume(home: str, project_id: str = "") -> bool:
    """End the pause of a project, or the pause everywhere; return False if there was none. Raises OSError."""
    folder, was_paused = os.path.join(home, FOLDER), find_pause_start(home, project_id) is not None
    try:
        os.unlink(os.path.join(folder, project_id or EVERYWHERE))
    except FileNotFoundError:
        return False
    if not os.listdir(folder):
        os.rmdir(folder)  # later checks then need only one system call
    return was_paused
