"""The state that a command works on: the time, the project, the ledger and the project's pending file."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mind_skills.output.text import note, path_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FOLDER, NAME, PATH
from mind_skills.store.exclude import PATTERN
from mind_skills.store.home import ensure

if TYPE_CHECKING:
    from collections.abc import Generator

    from mind_skills.store.project import Project

_MENDS = {
    "tracked": f"`git rm --cached {PATH}`, and commit that, where nobody needs it there; older commits keep what they hold.",
    "not_ignored": f"Let git ignore it: `{PATTERN}` behind the line that lets it in, or in the list that cannot be written.",
    "unknown": "Mend that; until git says that it ignores the file, it is not written.",
}
"""By the kind of git's answer (store/git.py)."""


def now() -> int:
    """UTC milliseconds. Commands are where the clock is read; everything below is told the time."""
    return time.time_ns() // 1_000_000


def choose_project(project: str) -> Project:
    """The project whose folder ``--project`` names, else the one that the working directory belongs to.

    Raises MindSkillsError where that folder is not there.
    """
    from mind_skills.errors import MindSkillsError
    from mind_skills.store.project import find as find_project

    if not project:
        try:
            return find_project(folder=os.getcwd())
        except FileNotFoundError as failure:
            message = "the folder you are in no longer exists"
            raise MindSkillsError("project_missing", message, "Change to another one.") from failure
    path = os.path.abspath(os.path.expanduser(project))
    if not os.path.isdir(path):
        raise MindSkillsError("project_missing", f"{path} is not a folder", "Name the project's folder with --project.")
    return find_project(named=path)


@contextmanager
def open_ledger() -> Generator[Ledger]:
    """The ledger of this machine, made if need be; what went wrong beside the database is said on stderr at the end.

    Raises StoreError.
    """
    with Ledger.open(ensure()) as opened:
        yield opened
        for problem in dict.fromkeys(opened.problems):
            note(problem)


def pending_file(project: Project) -> str:
    """Where a project's pending file is, whether or not there is one."""
    return os.path.join(project.root, FOLDER, NAME)


def catch_up(opened: Ledger, project: Project) -> None:
    """Bring the list and its file up to date, so that no command shows what is no longer so.

    Skills may have come or gone since the last session, and somebody may have put another file in its place.
    """
    skills = None
    if opened.has_coverable(project):
        from mind_skills.learning.skills.discovery import find_installed

        skills = find_installed(project.root).skills
    if skills is not None or os.path.lexists(pending_file(project)):
        opened.update_pending_file(project, now(), skills)


def withheld(opened: Ledger, project: Project) -> tuple[str, str]:
    """Why the project has no pending file although something may wait, and what to do about it; empty where it may have one."""
    said = opened.find_git_verdict(project)
    if not said.kind:
        return "", ""
    path = path_text(pending_file(project))
    text = f"{path} is not written, and what waits is kept in the state folder alone: {said.detail}"
    return text, _MENDS[said.kind]
