"""Where things are for capture, where store/places.py does not know: links, worktrees, other systems than Linux."""

from __future__ import annotations

import os

from mind_skills.store.home import misplaced, settings_file, state_folder
from mind_skills.store.places import SETTINGS
from mind_skills.store.project import find, folders


def places(named: object, *, looked_for: bool) -> tuple[str, str, str, list[str]]:
    """State folder, the project's folder and id, and where settings of it may stand (settings/lenient.py).

    ``named`` is the project, or with ``looked_for`` the folder from which it is looked for. Raises ValueError where it
    is neither, HomeError.
    """
    if not isinstance(named, str) or not named:
        raise ValueError("nothing names the project")
    project = find(find(folder=named).root if looked_for else named)
    users = settings_file()
    if why := misplaced(users):
        raise ValueError(f"{users}: {why}")
    files = [os.path.join(folder, ".claude", SETTINGS) for folder in folders(project.root)]
    return state_folder(), project.root, project.id, [*files, users]
