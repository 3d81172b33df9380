"""What a purge must know before it deletes anything: the projects with files of ours, our candidates, indexes and skills.

The database lists them. If it is missing or damaged, projects are found in the hosts' logs and in the spools of our hooks
as well, and a candidate is recognised as ours by its form.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field

from mind_skills.errors import LogError
from mind_skills.learning.skills.files import FILE_NAME as SKILL_FILE_NAME
from mind_skills.memory import lance
from mind_skills.output.text import format_path
from mind_skills.staging.pending_file import list_pending_files
from mind_skills.store import database
from mind_skills.store.git import PENDING_FILE_PATTERN, list_untracked_files
from mind_skills.store.project import Project, resolve_project

MAX_EXCLUDE_BYTES = 4 * 1024 * 1024
"""Maximum number of bytes read from git's exclude file, as in store/git.py."""
_DATABASE_PATTERN = re.compile(rf"{re.escape(database.DATABASE_NAME)}(?:\.corrupt-\d+)?")
"""The database, and damaged databases that were set aside."""


@dataclass(slots=True)
class PurgeRecords:
    """What is known of our files outside the state folder.

    ``projects`` maps the folder of each recorded project to its common git folders; there are several if it was moved to another
    repository. ``other_projects`` are those that were
    found elsewhere and have files of ours. ``ids`` are candidate ids, and ``indexes`` are our LanceDB tables as
    memory/lance.py lists them. ``skills`` are the existing skill files that agents wrote from candidates, including
    archived ones. ``unreadable`` maps the paths of databases whose projects cannot be read to the reasons.
    ``is_complete`` is false if there is no database or one cannot be read.
    """

    projects: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    other_projects: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    ids: set[str] = field(default_factory=set[str])
    indexes: tuple[tuple[str, str, str, str], ...] = ()
    skills: tuple[str, ...] = ()
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    is_complete: bool = False

    def list_git_folders(self) -> list[str]:
        """List the common git folders of all projects, sorted."""
        return sorted(set[str]().union(*self.projects.values(), *self.other_projects.values()))


def read_purge_records(home: str, project: Project | None = None) -> PurgeRecords:
    """Read the records from the databases in the state folder ``home``, and find the projects that they do not list.

    ``project`` is examined in any case. Raises OSError.
    """
    records = _read_databases(home)
    folders = [project.root] if project is not None else []
    if not records.is_complete:
        folders += _list_logged_folders(home)
    for folder in dict.fromkeys(folders):
        found = resolve_project(project_folder=folder)
        _add_other_project(records, found.root, found.git_folder)
    for git in records.list_git_folders():
        for path in list_untracked_files(git, PENDING_FILE_PATTERN):
            _add_other_project(records, os.path.dirname(os.path.dirname(path)), git)
    return records


def _add_other_project(records: PurgeRecords, root: str, git: str) -> None:
    """Add a project that is not recorded, if it has files of ours."""
    if root in records.projects or root in records.other_projects:
        return
    try:
        has_files = bool(list_pending_files(root))
    except OSError:
        has_files = True  # the purge then reports why they cannot be removed
    if has_files or (git and git not in records.list_git_folders() and has_exclude_entry(git)):
        records.other_projects[root] = {git} if git else set()


def has_exclude_entry(git: str) -> bool:
    """Return whether git's exclude file contains our line."""
    try:
        with open(os.path.join(git, "info", "exclude"), "rb") as file:
            return PENDING_FILE_PATTERN.encode() in (line.strip() for line in file.read(MAX_EXCLUDE_BYTES).splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # the purge then reports why the line cannot be removed


def _read_databases(home: str) -> PurgeRecords:
    records = PurgeRecords()
    try:
        names = sorted(filter(_DATABASE_PATTERN.fullmatch, os.listdir(home)))
    except (FileNotFoundError, NotADirectoryError):
        return records
    skill_paths, indexes = set[str](), list[tuple[str, str, str, str]]()
    records.is_complete = database.DATABASE_NAME in names
    for path in (os.path.join(home, name) for name in names):
        if not os.path.getsize(path):
            records.is_complete = False
            continue
        try:
            with closing(open_read_only(path)) as sql:
                if not _has_places(sql):
                    continue
                rows = sql.execute("SELECT root, git FROM places UNION SELECT root, git FROM sessions").fetchall()
                for root, git in rows:
                    records.projects.setdefault(os.fsdecode(root), set()).update({os.fsdecode(git)} - {""})
                records.ids.update(_read_ids(sql))
                indexes += lance.list_registered_tables(sql)
                skill_paths.update(_read_skill_paths(sql))
        except (sqlite3.Error, TypeError) as error:  # a damaged row may have a value of another type
            records.unreadable[path] = str(error)
            records.is_complete = False
    records.projects = dict(sorted(records.projects.items()))
    records.skills = tuple(sorted(format_path(path) for path in skill_paths if os.path.isfile(path)))
    records.indexes = tuple(dict.fromkeys(indexes))
    return records


def _has_places(sql: sqlite3.Connection) -> bool:
    """Return whether there is a table of projects. Raises sqlite3.Error if it may be missing because of damage."""
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'places'").fetchone():
        return True
    if sql.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError("the table of projects is missing")
    return False


def _read_ids(sql: sqlite3.Connection) -> Iterable[str]:
    yield from (row[0] for row in sql.execute("SELECT id FROM candidates"))
    yield from (row[0] for row in sql.execute("SELECT DISTINCT candidate FROM receipts WHERE what = 'staged'"))


def _read_skill_paths(sql: sqlite3.Connection) -> Iterable[str]:
    written = sql.execute("SELECT detail FROM candidates WHERE state = 'accepted' AND detail != ''")
    yield from (os.fsdecode(row[0]) for row in written)
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'archived'").fetchone():
        archived = sql.execute("SELECT target FROM archived WHERE restored_at IS NULL")
        yield from (os.path.join(os.fsdecode(row[0]), SKILL_FILE_NAME) for row in archived)


def open_read_only(path: str) -> sqlite3.Connection:
    """Open a read-only connection. Raises sqlite3.Error."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode=ro", uri=True, timeout=10.0)


def _list_logged_folders(home: str) -> list[str]:
    """List the project folders in the hosts' logs and in the spools of our hooks. Only the beginning of each log is read."""
    from mind_skills.observations.find_logs import find_logs
    from mind_skills.observations.read import open_log
    from mind_skills.watch.watched_files import list_roots, list_snapshots

    snapshots = [snapshot for root in list_roots(home) for snapshot in list_snapshots(root)]
    folders: list[str] = []
    for log in find_logs(snapshot.item.path for snapshot in snapshots).logs:
        try:
            session, observations = open_log(log.path, log.format)
            next(observations, None)
        except LogError:
            continue  # a log that cannot be read names no project
        if os.path.isabs(session.project) and os.path.isdir(session.project):
            folders.append(session.project)
    return folders
