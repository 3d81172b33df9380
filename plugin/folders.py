"""Which project a command is about."""

from __future__ import annotations

import os

from mind_skills.errors import MindSkillsError
from mind_skills.store.project import Project, find


def chosen(project: str) -> Project:
    """The project whose folder ``--project`` names, else the one that the working directory belongs to.

    Raises MindSkillsError where that folder is not there.
    """
    if not project:
        try:
            return find(folder=os.getcwd())
        except FileNotFoundError as failure:
            message = "the folder you are in no longer exists"
            raise MindSkillsError("project_missing", message, "Change to another one.") from failure
    path = os.path.abspath(os.path.expanduser(project))
    if not os.path.isdir(path):
        raise MindSkillsError("project_missing", f"{path} is not a folder", "Name the project's folder with --project.")
    return find(named=path)
