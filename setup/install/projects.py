"""What we left in projects: pending files, and a line in git's private list of what to ignore."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass, field

from mind_skills.errors import StoreError
from mind_skills.memory import lance_place
from mind_skills.settings.lenient import project_file
from mind_skills.setup.install import journal
from mind_skills.staging.pending_file import (
    FOLDER,
    LIMIT,
    NAME,
    PendingFile,
    UnreadablePendingError,
    is_ours,
    parse,
    render,
)
from mind_skills.store import database, exclude
from mind_skills.store.atomic import Folder

LIST = 4 * 1024 * 1024
"""Bytes of git's list that are looked at; store/exclude.py takes no longer ones."""


@dataclass(slots=True)
class Purged:
    """What went, as paths, and what stays and why, in sentences."""

    removed: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows: ``places`` as (folder of the project, its common git folder), ids of candidates, and
    ``indexes`` of LanceDB as memory/lance_place.py has them.
    """

    places: tuple[tuple[str, str], ...] = ()
    ids: frozenset[str] = frozenset()
    indexes: tuple[tuple[str, str, str, str], ...] = ()


def read_known(home: str) -> Known:
    """What the database of the state folder ``home`` knows. Raises sqlite3.Error where it cannot be read."""
    path = os.path.join(home, database.NAME)
    if not os.path.exists(path):
        return Known()
    with closing(open_readonly(path)) as sql:
        rows = sql.execute("SELECT root, git FROM places UNION SELECT root, git FROM sessions").fetchall()
        ids = {row[0] for row in sql.execute("SELECT id FROM candidates")}
        ids.update(row[0] for row in sql.execute("SELECT DISTINCT candidate FROM receipts WHERE what = 'staged'"))
        indexes = tuple(lance_place.list_made(sql))
    places = tuple(sorted({(os.fsdecode(root), os.fsdecode(git)) for root, git in rows}))
    return Known(places, frozenset(ids), indexes)


def open_readonly(path: str) -> sqlite3.Connection:
    """A connection that cannot change the database. Raises sqlite3.Error."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode=ro", uri=True, timeout=10.0)


def clean_project(root: str, git: str, ids: frozenset[str], done: Purged, *, dry_run: bool) -> None:
    """Take our files out of one project; what others put into the pending file stays in it. Raises OSError."""
    place = os.path.join(root, FOLDER)
    try:
        if os.path.isdir(place) and not os.path.islink(place):
            with Folder(place) as folder:
                for name in list_pending_files(place):
                    _clean_pending(folder, name, ids, done, dry_run)
            if not dry_run:
                journal.remove_empty(place)
        if git and is_listed(git):
            done.removed.append(f"{os.path.join(git, 'info', 'exclude')}: {exclude.PATTERN}")
            if not dry_run:
                exclude.remove(git)
    except StoreError as error:
        done.kept.append(str(error))
    own = project_file(root)
    if os.path.lexists(own):
        done.kept.append(f"{own} is yours, and may belong to the repository")


def list_pending_files(place: str) -> list[str]:
    """The pending file of a folder ``.claude``, and those that were set aside beside it."""
    return sorted(filter(is_ours, os.listdir(place)))


def is_listed(git: str) -> bool:
    """Whether our line stands in git's list."""
    try:
        with open(os.path.join(git, "info", "exclude"), "rb") as file:
            return exclude.PATTERN.encode() in (line.strip() for line in file.read(LIST).splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _clean_pending(folder: Folder, name: str, ids: frozenset[str], done: Purged, dry_run: bool) -> None:
    path = os.path.join(folder.path, name)
    state = folder.state_of(name)
    if state is None or not stat.S_ISREG(state.st_mode):
        done.kept.append(f"{path} is no file of ours")
        return
    try:
        others = _read_others(folder, ids) if name == NAME else None
    except UnreadablePendingError as newer:
        done.kept.append(f"{path} is not from this mind-skills: {newer.reason}")
        return
    if others is None:
        done.removed.append(path)
        if not dry_run:
            folder.remove(name)
        return
    done.kept.append(f"{path} holds candidates that another tool put there")
    if not dry_run:
        folder.write(name, render(others))


def _read_others(folder: Folder, ids: frozenset[str]) -> PendingFile | None:
    """The pending file without our candidates; None where nothing is left then.

    Raises UnreadablePendingError where it is of a version that is not ours.
    """
    try:
        content = parse(folder.read(NAME, LIMIT) or b"")
    except UnreadablePendingError as error:
        if error.kind == "newer":
            raise
        return None  # no file that anybody could read
    content.candidates = [candidate for candidate in content.candidates if candidate["id"] not in ids]
    return content if content.candidates or content.extra else None
