"""Locates, checks, registers and removes the LanceDB tables of this state folder. A table is stored in its project's folder."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mind_skills.errors import RefusedPathError, StoreError
from mind_skills.errors.records import LanceError
from mind_skills.memory.encoders import DEFAULT_INDEX
from mind_skills.memory.lance_table import SUFFIX
from mind_skills.store import exclude
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project


@dataclass(frozen=True, slots=True)
class TableLocation:
    """A table's ``path``, and its project's main checkout ``root``, common git folder ``git`` and id ``project``."""

    path: str
    root: str
    git: str
    project: str

    @property
    def pattern(self) -> str:
        """The git exclude pattern for the table, and for temporary and damaged tables next to it."""
        relative_path = os.path.relpath(self.path, self.root).replace(os.sep, "/")
        return f"**/{relative_path.removesuffix(SUFFIX)}*{SUFFIX}*"


def locate_table(root: str, relative_path: str = DEFAULT_INDEX) -> TableLocation:
    """Return the location of the table of the project at ``root``; the worktrees of a checkout share its table.

    Raises LanceError if ``root`` is not a project, or ``relative_path`` not a path inside it that ends in ``.lance``.
    """
    project = resolve_project(project_folder=root)
    base = os.path.dirname(project.git) if os.path.basename(project.git) == ".git" else project.root
    is_project = project.git or os.path.isdir(os.path.join(base, ".claude"))
    if not root or not is_project or base == os.path.realpath(os.path.expanduser("~")):
        raise LanceError(
            f"{base} is not a project, so no index is created in it", "Run the command inside a repository."
        )
    parts = relative_path.split("/")
    if not relative_path.endswith(SUFFIX) or os.path.isabs(relative_path) or not {"", ".", ".."}.isdisjoint(parts):
        message = f"{relative_path} is not a relative path that stays inside the project and ends in {SUFFIX}"
        raise LanceError(message, f"The default is {DEFAULT_INDEX}.")
    return TableLocation(os.path.join(base, *parts), base, project.git, project.id)


def prepare_folder(location: TableLocation) -> None:
    """Create the missing parent folders of the table, accessible only to this user, and exclude the table from commits.

    Raises what ``check_location`` and ``add_pattern`` raise, and LanceError if a folder cannot be created.
    """
    check_location(location)
    path = location.root
    try:
        for component in Path(location.path).relative_to(location.root).parts[:-1]:
            path = os.path.join(path, component)
            if not os.path.isdir(path):
                Path(path).mkdir(mode=0o700)
    except OSError as error:
        raise LanceError(
            f"{path} cannot be created: {error.strerror}", "Check that the project is writable."
        ) from error
    if location.git:
        exclude.add_pattern(location.git, location.pattern)


def check_location(location: TableLocation) -> None:
    """Raise RefusedPathError if the table or a folder between it and ``root`` is a link or not a folder."""
    path = location.root
    for component in Path(location.path).relative_to(location.root).parts:
        path = os.path.join(path, component)
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
        if not stat.S_ISDIR(mode):
            raise RefusedPathError(f"{path} is a symbolic link or not a folder", "Replace it with a real folder.")


@dataclass(frozen=True, slots=True)
class RegisteredTable:
    """The registry's entry for a table; a row of ``memory_indexes`` (memory/vector_store.py).

    ``mark`` is the text that identifies the table; ``records_version`` (column ``followed``) is the version of the records
    that it contains, ``table_version`` (column ``written``) the number that LanceDB gave to the version last written.
    """

    mark: str
    encoder: str
    records_version: int
    table_version: int


class Registry:
    """Registers the tables that belong to this state folder. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        """The migrations of memory/vector_store.py must have been applied to ``database``."""
        self._database = database

    def get(self, location: TableLocation) -> RegisteredTable | None:
        """Return the entry of the table at this location, or None."""
        query = "SELECT mark, encoder, followed, written FROM memory_indexes WHERE path = ?"
        with self._database.reading() as sql:
            row = sql.execute(query, (os.fsencode(location.path),)).fetchone()
        return RegisteredTable(str(row[0]), str(row[1]), int(row[2]), int(row[3])) if row else None

    def put(self, location: TableLocation, entry: RegisteredTable) -> None:
        """Store a table's entry."""
        paths = (os.fsencode(location.path), os.fsencode(location.root), os.fsencode(location.git))
        row = (*paths, entry.mark, entry.encoder, entry.records_version, entry.table_version)
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_indexes VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def count_records(self, location: TableLocation) -> int:
        """Count the records that belong in the table: those of its project, and those of no project."""
        query = "SELECT count(*) FROM memory_records WHERE project IN ('', ?)"
        with self._database.reading() as sql:
            return int(sql.execute(query, (location.project,)).fetchone()[0])


def list_registered_tables(sql: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    """List the registered tables as rows for ``remove_tables``; empty without a registry. Raises sqlite3.Error."""
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_indexes'").fetchone() is None:
        return []
    rows = sql.execute("SELECT path, root, git, mark FROM memory_indexes ORDER BY path").fetchall()
    return [(os.fsdecode(path), os.fsdecode(root), os.fsdecode(git), str(mark)) for path, root, git, mark in rows]


def has_mark(path: str, mark: str) -> bool:
    """Return whether the table at ``path`` has this mark, which LanceDB writes as plain bytes into each version's file.

    Used when uninstalling, because LanceDB itself may no longer be installed by then.
    """
    versions = Path(path, "_versions")
    try:
        return any(mark.encode() in file.read_bytes() for file in versions.iterdir() if file.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return False


def list_leftovers(path: str) -> list[str]:
    """List the leftovers next to a table: unfinished new tables, replaced tables, and damaged tables that were set aside."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(SUFFIX)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    suffixes = tuple(f"-{kind}{SUFFIX}" for kind in ("new", "old"))
    temporary = [each for each in names if each.startswith(f"{stem}-") and each.endswith(suffixes)]
    damaged = [each for each in names if each.startswith(f"{name}.corrupt-") and each.rpartition("-")[2].isdigit()]
    return [os.path.join(folder, each) for each in sorted(temporary + damaged)]


def remove_tables(rows: Sequence[tuple[str, str, str, str]], *, dry_run: bool = False) -> tuple[list[str], list[str]]:
    """Remove tables, given as (path, root, git, mark), with leftovers, empty folders and lines in git's exclude files.

    Returns the paths and lines removed, and a sentence for each table that was not, or not entirely, removed. With
    ``dry_run``, nothing is removed.
    """
    removed: list[str] = []
    not_removed: list[str] = []
    for path, root, git, mark in rows:
        location = TableLocation(path, root, git, "")
        try:
            check_location(location)
            if os.path.isdir(path) and not has_mark(path, mark):
                not_removed.append(f"{path} is no longer the index that mind-skills created")
            for folder in [*([path] if has_mark(path, mark) else []), *list_leftovers(path)]:
                removed.append(folder)
                if not dry_run:
                    shutil.rmtree(folder)
            if git and exclude.has_pattern(git, location.pattern):
                removed.append(f"{os.path.join(git, 'info', 'exclude')}: {location.pattern}")
                if not dry_run:
                    exclude.remove_pattern(git, location.pattern)
            if not dry_run:
                _remove_empty_folders(os.path.dirname(path), root)
        except (StoreError, OSError) as error:
            not_removed.append(f"{path}: {error}")
    return removed, not_removed


def _remove_empty_folders(folder: str, root: str) -> None:
    while folder != root and folder.startswith(root + os.sep):
        try:
            os.rmdir(folder)
        except OSError:
            return  # not empty
        folder = os.path.dirname(folder)
