"""Where in a project the LanceDB table is, that it may be there, and which ones this state folder has made."""

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
from mind_skills.memory.encoders import INDEX
from mind_skills.memory.lance_table import SUFFIX
from mind_skills.store import exclude
from mind_skills.store.database import Database
from mind_skills.store.project import find


@dataclass(frozen=True, slots=True)
class Place:
    """``path`` of the table, in the folder ``root`` of the project ``project``; ``git`` as in store/project.py."""

    path: str
    root: str
    git: str
    project: str

    @property
    def pattern(self) -> str:
        """What keeps it out of commits, with what is built and set aside beside it."""
        inside = os.path.relpath(self.path, self.root).replace(os.sep, "/")
        return f"**/{inside.removesuffix(SUFFIX)}*{SUFFIX}*"


def locate_table(root: str, inside: str = INDEX) -> Place:
    """The place of the table of the project whose folder is ``root``: one for a repository and all its worktrees.

    Raises LanceError where ``root`` is no project, or ``inside`` no path inside it that ends in ``.lance``.
    """
    project = find(named=root)
    base = os.path.dirname(project.git) if os.path.basename(project.git) == ".git" else project.root
    marked = project.git or os.path.isdir(os.path.join(base, ".claude"))
    if not root or not marked or base == os.path.realpath(os.path.expanduser("~")):
        raise LanceError(f"{base} is no project, so no index is put there", "Run it inside a repository.")
    parts = inside.split("/")
    if not inside.endswith(SUFFIX) or os.path.isabs(inside) or any(part in ("", ".", "..") for part in parts):
        raise LanceError(f"{inside} is no path inside a project that ends in {SUFFIX}", f"The usual is {INDEX}.")
    return Place(os.path.join(base, *parts), base, project.git, project.id)


def prepare_folder(where: Place) -> None:
    """Make the folders above the table, for this user alone, and keep it out of commits.

    Raises RefusedPathError where one of them is a symbolic link or no folder, LanceError where it cannot be made.
    """
    check_place(where)
    here = where.root
    try:
        for part in Path(where.path).relative_to(where.root).parts[:-1]:
            here = os.path.join(here, part)
            if not os.path.isdir(here):
                Path(here).mkdir(mode=0o700)
    except OSError as error:
        raise LanceError(
            f"{here} cannot be made: {error.strerror}", "Check that the project can be written."
        ) from error
    if where.git:
        exclude.add(where.git, where.pattern)


def check_place(where: Place) -> None:
    """Raise RefusedPathError where a folder on the way, or the table, is a link or no folder: it may lead anywhere."""
    here = where.root
    for part in Path(where.path).relative_to(where.root).parts:
        here = os.path.join(here, part)
        try:
            mode = os.lstat(here).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
        if not stat.S_ISDIR(mode):
            raise RefusedPathError(f"{here} is a symbolic link or no folder", "Put a real folder in its place.")


@dataclass(frozen=True, slots=True)
class Known:
    """What this state folder knows of a table that it made; see memory/vector_store.py."""

    mark: str
    encoder: str
    followed: int
    written: int


class Registry:
    """The tables that this state folder has made. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        """``database`` is open with the tables of memory/vector_store.py."""
        self._database = database

    def get(self, where: Place) -> Known | None:
        """What is known of the table there, None where none was made."""
        asked = "SELECT mark, encoder, followed, written FROM memory_indexes WHERE path = ?"
        with self._database.reading() as sql:
            row = sql.execute(asked, (os.fsencode(where.path),)).fetchone()
        return Known(str(row[0]), str(row[1]), int(row[2]), int(row[3])) if row else None

    def put(self, where: Place, known: Known) -> None:
        """Remember a table."""
        named = (os.fsencode(where.path), os.fsencode(where.root), os.fsencode(where.git))
        row = (*named, known.mark, known.encoder, known.followed, known.written)
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_indexes VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def count_belonging(self, where: Place) -> int:
        """How many records belong into the table there: those of its project, and of none."""
        asked = "SELECT count(*) FROM memory_records WHERE project IN ('', ?)"
        with self._database.reading() as sql:
            return int(sql.execute(asked, (where.project,)).fetchone()[0])


def list_made(sql: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    """The tables that a state database knows of, as ``sweep`` takes them; none where it never had any. Raises sqlite3.Error."""
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_indexes'").fetchone() is None:
        return []
    rows = sql.execute("SELECT path, root, git, mark FROM memory_indexes ORDER BY path").fetchall()
    return [(os.fsdecode(path), os.fsdecode(root), os.fsdecode(git), str(mark)) for path, root, git, mark in rows]


def carries_mark(path: str, mark: str) -> bool:
    """Whether the table at ``path`` is the one of that mark, which LanceDB writes into every version as it is.

    For an uninstall, where the library may be gone already.
    """
    versions = Path(path, "_versions")
    try:
        return any(mark.encode() in each.read_bytes() for each in versions.iterdir() if each.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return False


def list_leftovers(path: str) -> list[str]:
    """What stands beside a table of ours: builds that were killed, what was replaced, what was set aside as damaged."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(SUFFIX)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    ends = tuple(f"-{what}{SUFFIX}" for what in ("new", "old"))
    ours = [each for each in names if (each.startswith(f"{stem}-") and each.endswith(ends)) or _aside(each, name)]
    return [os.path.join(folder, each) for each in ours]


def _aside(each: str, name: str) -> bool:
    return each.startswith(f"{name}.corrupt-") and each.rpartition("-")[2].isdigit()


def remove_tables(rows: Sequence[tuple[str, str, str, str]], *, dry_run: bool = False) -> tuple[list[str], list[str]]:
    """Remove tables that were made, given as (path, root, git, mark), and git's lines about them, for an uninstall.

    Returns what went, as paths, and what stays, in sentences.
    """
    removed: list[str] = []
    kept: list[str] = []
    for path, root, git, mark in rows:
        where = Place(path, root, git, "")
        try:
            check_place(where)
            if os.path.isdir(path) and not carries_mark(path, mark):
                kept.append(f"{path} is no longer the index that was made there")
            for each in [*([path] if carries_mark(path, mark) else []), *list_leftovers(path)]:
                removed.append(each)
                if not dry_run:
                    shutil.rmtree(each)
            if git and exclude.listed(git, where.pattern):
                removed.append(f"{os.path.join(git, 'info', 'exclude')}: {where.pattern}")
                if not dry_run:
                    exclude.remove(git, where.pattern)
            if not dry_run:
                _remove_empty(os.path.dirname(path), root)
        except (StoreError, OSError) as error:
            kept.append(f"{path}: {error}")
    return removed, kept


def _remove_empty(folder: str, root: str) -> None:
    while folder != root and folder.startswith(root + os.sep):
        try:
            os.rmdir(folder)
        except OSError:
            return  # somebody else has something in it
        folder = os.path.dirname(folder)
