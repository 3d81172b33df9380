"""The state that a command works on: the time, the project, the ledger and the pending file."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mind_skills.output.text import format_path, print_note
from mind_skills.plugin.hooklog import MAX_LOG_BYTES, find_log_path
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FILE_NAME, FILE_PATH, FOLDER_NAME, check_again
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.store.database import DATABASE_NAME, Database, Schema, describe_set_aside
from mind_skills.store.git import PENDING_FILE_PATTERN
from mind_skills.store.home import ensure_folder, get_state_folder

if TYPE_CHECKING:
    from collections.abc import Generator

    from mind_skills.learning.skills.discovery import Skill
    from mind_skills.store.project import Project

_ADVICE_BY_KIND = {
    "tracked": f"Run `git rm --cached {FILE_PATH}` and commit, unless someone needs the file in the repository. "
    "It remains in older commits.",
    "not_ignored": f"Make git ignore the file: add `{PENDING_FILE_PATTERN}` at the end of the ignore list named here, or of "
    ".gitignore if none is named.",
    "named_by_log": "Run `git init` or make a folder `.claude` there if you want the file.",
    "unknown": "Fix this problem; the file is not written until git reports that it is ignored.",
}
"""Advice for each ``kind`` of ``Verdict`` (store/git.py) that keeps the pending file from being written."""


def read_clock() -> int:
    """Return the time in UTC milliseconds, for functions that take it as an argument. Raises MindSkillsError."""
    try:
        return time.time_ns() // 1_000_000
    except OverflowError as failure:
        from mind_skills.errors import MindSkillsError

        message = "the clock of this machine is set to a year after 2262"
        raise MindSkillsError("clock_out_of_range", message, "Set the clock.") from failure


def require_active(project: Project) -> None:
    """Raise MindSkillsError if mind-skills is disabled or paused, in which case nothing is read, offered or stored."""
    from mind_skills.errors import MindSkillsError
    from mind_skills.plugin import pausing
    from mind_skills.settings.lenient import is_enabled

    hint = "Continue without it. A person can change that: `mind-skills status` says how."
    if not is_enabled(project.root):
        raise MindSkillsError("switched_off", "mind-skills is disabled in this project", hint)
    if pausing.is_paused_here(project.root):
        raise MindSkillsError("paused", "mind-skills is paused", hint)


def resolve_project_option(folder: str) -> Project:
    """Return the project at ``folder`` or, if ``folder`` is empty, the project of the working directory.

    Raises MindSkillsError if there is no such folder.
    """
    from mind_skills.errors import MindSkillsError
    from mind_skills.store.project import resolve_project

    try:
        if not folder:
            return resolve_project(folder=os.getcwd())
        path = os.path.abspath(os.path.expanduser(folder))
    except FileNotFoundError as failure:
        message = "the current folder no longer exists"
        raise MindSkillsError("project_missing", message, "Change to another folder.") from failure
    if not os.path.isdir(path):
        raise MindSkillsError("project_missing", f"{path} is not a folder", "Give the path of an existing folder.")
    return resolve_project(project_folder=path)


def resolve_log_project(host: str, folder: str) -> Project:
    """Return the project of a session whose log names ``folder``, as hooks and a watch do.

    Claude Code names the project's folder, other hosts the folder in which they were started.
    """
    from mind_skills.hosts import find_spec
    from mind_skills.store.project import resolve_project

    spec = find_spec(host)
    is_root = spec is not None and not spec.searches_parent_folders
    return resolve_project(project_folder=folder) if is_root else resolve_project(folder=folder)


def format_project_option(root: str) -> str:
    """Return the ``--project`` option, after a space, that a command in the current folder needs for the project at ``root``."""
    from shlex import quote as quote_word

    from mind_skills.errors import MindSkillsError

    try:
        is_here = resolve_project_option("").root == root
    except MindSkillsError:  # the current folder is gone
        is_here = False
    return "" if is_here else f" --project {quote_word(root)}"


def has_database() -> bool:
    """Return whether the state folder contains a database, possibly a damaged one.

    Raises HomeError for an unusable folder, OSError for one that cannot be read.
    """
    folder = get_state_folder()
    if not os.path.lexists(folder):
        return False
    names = os.listdir(ensure_folder(folder))
    return DATABASE_NAME in names or f"{DATABASE_NAME}.damaged" in names


def open_database(schema: Schema, *, create: bool = True, timeout: float = 10.0) -> Database:
    """Open the state database for the tables of a schema, as ``Database.open`` does; report damage. Raises StoreError."""
    database = _open_database(schema, create=create, timeout=timeout)
    report_damage(database)
    return database


def _open_database(schema: Schema, *, create: bool, timeout: float) -> Database:
    if create or has_database():
        return Database.open(ensure_folder(), schema, timeout)
    return Database.open_in_memory(schema)


def report_damage(database: Database) -> None:
    """Print a note on stderr if the database was damaged, and so is new and empty."""
    if database.set_aside:
        print_note(f"mind-skills: {describe_set_aside(database.set_aside)}")


@contextmanager
def open_ledger(*, create: bool = True, timeout: float = 10.0) -> Generator[Ledger]:
    """Open the ledger of this machine, creating it if necessary; at the end, print its problems on stderr.

    Without ``create``, nothing is written where there is no database: the ledger is empty. Each statement waits ``timeout``
    seconds for other processes. Raises StoreError.
    """
    with Ledger(_open_database(SCHEMA, create=create, timeout=timeout), get_state_folder()) as ledger:
        try:
            yield ledger
        finally:
            for problem in dict.fromkeys(ledger.problems):
                print_note(f"mind-skills: {problem}")


def read_hook_log(home: str) -> list[str]:
    """Return the last lines of the hooks' log, within ``MAX_LOG_BYTES``, oldest first; an empty list if there is no log."""
    try:
        with open(find_log_path(home), "rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - MAX_LOG_BYTES))
            return log.read(MAX_LOG_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []


def get_pending_file_path(project: Project) -> str:
    """Return the path of a project's pending file, which need not exist."""
    return os.path.join(project.root, FOLDER_NAME, FILE_NAME)


def update_pending_list(ledger: Ledger, project: Project) -> None:
    """Update the pending list and its file, so that no command shows outdated candidates."""
    if not ledger.database.path:
        return  # nothing has been stored
    skills = None
    if ledger.has_coverable(project):
        from mind_skills.learning.skills.discovery import find_installed_skills

        skills = find_installed_skills(project.root).skills
    if skills is not None or os.path.lexists(get_pending_file_path(project)) or ledger.list_pending(project):
        ledger.update_pending_file(project, read_clock(), skills)


def list_project_skills(ledger: Ledger, project: Project) -> tuple[Skill, ...]:
    """List the skills that sessions of a project can load, and those that its candidates became in any folder of it."""
    from mind_skills.learning.skills.discovery import find_installed_skills

    accepted = [record.detail for record in ledger.list_by_state(project, "accepted")]
    return find_installed_skills(project.root, accepted).skills


def explain_missing_pending_file(ledger: Ledger, project: Project) -> tuple[str, str]:
    """Return why the project's pending file is not written, and what to do about it; two empty strings if it is."""
    verdict = check_again(project.root, project.git_folder, ledger.find_git_verdict(project))
    if not verdict.kind:
        return "", ""
    path = format_path(get_pending_file_path(project))
    text = f"{path} is not written, and candidates are only stored in the state folder: {verdict.detail}"
    return text, _ADVICE_BY_KIND[verdict.kind]
