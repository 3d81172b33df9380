"""Keeps ``.claude/mind-skills-pending.json`` in step with the database, in every folder that a project is worked in.

The file is written after what it shows was committed, in a transaction of its own: that is the lock between processes. It
is read before: what others put in stays, what is unreadable is set aside under a new name. That a candidate is missing
from it says nothing: git, another tool or another branch may have put another file there. A project that refuses
(read-only, symbolic links) is reported, and one whose repository would commit the file gets none (store/git.py).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from mind_skills.errors import StoreError
from mind_skills.staging.form import Json, to_json
from mind_skills.staging.pending_file import (
    FOLDER,
    LIMIT,
    NAME,
    PATH,
    TOKEN,
    PendingFile,
    UnreadablePendingError,
    parse,
    render,
)
from mind_skills.staging.tables import candidates, places
from mind_skills.staging.tables.places import Place
from mind_skills.staging.tables.receipts import was_staged_here
from mind_skills.store.atomic import Folder
from mind_skills.store.git import stamp, verdict
from mind_skills.store.project import Project

if TYPE_CHECKING:
    import sqlite3

    from mind_skills.store.database import Database


def write_files(database: Database, project_id: str) -> list[str]:
    """Write every file of the project that differs from the database; returns what went wrong, in words.

    Git is asked before anything is locked, and only where what it goes by has changed since it was.
    """
    with database.reading() as sql:
        waits = bool(candidates.list_waiting(sql, project_id))
        found = [place for place in places.list_places(sql, project_id) if waits or _has_work(place)]
    if not found:
        return []
    asked = {place.root: _ask_git(place) for place in found}
    problems: list[str] = []
    with database.writing() as sql:
        for place in places.list_places(sql, project_id):
            if place.root not in asked:
                continue  # registered meanwhile: whoever did that asks about it
            try:
                _update(sql, project_id, place._replace(verdict=asked[place.root].verdict), problems)
            except StoreError as error:
                problems.append(str(error))
    return problems


def read_foreign(sql: sqlite3.Connection, project: Project) -> tuple[list[Json], list[str]]:
    """The candidates in the file at ``project.root`` that this machine did not stage; and what went wrong."""
    path = os.path.join(project.root, PATH)
    if not os.path.lexists(path):
        return [], []
    try:
        with Folder(os.path.dirname(path)) as folder:
            return _exclude_ours(sql, project.id, parse(folder.read(NAME, LIMIT) or b"")), []
    except (StoreError, UnreadablePendingError) as error:
        return [], [f"{path}: {error}"]


def _file(place: Place) -> str:
    return os.path.join(place.root, PATH)


def _has_work(place: Place) -> bool:
    """Whether there is something to do where nothing waits: a file, or a folder that is gone."""
    return os.path.lexists(_file(place)) or not os.path.isdir(place.root)


def _ask_git(place: Place) -> Place:
    """The place with what git says of its file now; git is asked only where what it goes by has changed.

    It is not asked about what a link leads to, which is refused in any case.
    """
    if not os.path.isdir(place.root) or os.path.islink(os.path.join(place.root, FOLDER)):
        return place
    if place.verdict.seen and place.verdict.seen == stamp(place.root, PATH, place.git):
        return place
    return place._replace(verdict=verdict(place.root, PATH, place.git))


def _update(sql: sqlite3.Connection, project_id: str, place: Place, problems: list[str]) -> None:
    if not os.path.isdir(place.root):
        places.delete_place(sql, project_id, place.root)
        return
    places.set_verdict(sql, project_id, place)
    if place.verdict.kind:
        _remove_ours(sql, project_id, place)
    else:
        _write(sql, project_id, place, problems)


def _read(folder: Folder, problems: list[str]) -> PendingFile:
    data = folder.read(NAME, LIMIT)
    if data is not None:
        try:
            return parse(data)
        except UnreadablePendingError as error:
            aside = folder.set_aside(NAME, error.kind)
            problems.append(f"{os.path.join(folder.path, NAME)}: {error.reason}; it is kept as {aside}")
    return PendingFile([], version=0)


def _exclude_ours(sql: sqlite3.Connection, project_id: str, content: PendingFile) -> list[Json]:
    return [c for c in content.candidates if not was_staged_here(sql, project_id, cast("str", c["id"]))]


def _write(sql: sqlite3.Connection, project_id: str, place: Place, problems: list[str]) -> None:
    waiting = [record.candidate for record in candidates.list_waiting(sql, project_id)]
    if not waiting and not os.path.lexists(_file(place)):
        return
    with Folder(os.path.join(place.root, FOLDER), make=True) as folder:
        present = _read(folder, problems)
        ours = bool(place.token) and present.token == place.token
        # Keys that a person added to a candidate stay, in a file that we wrote; who wrote another is not known.
        known = {str(c["id"]): c for c in present.candidates} if ours else {}
        listed: list[Json] = []
        for candidate in waiting:
            form = to_json(candidate)
            added = {k: v for k, v in known.get(candidate.id, {}).items() if k not in form and k != "injectedAt"}
            listed.append({**form, **added})
        unreadable = candidates.list_unreadable_ids(sql, project_id)
        listed += [c for c in present.candidates if c["id"] in unreadable]
        listed += _exclude_ours(sql, project_id, present)
        if not (ours and listed and present.candidates == listed):
            _replace(sql, project_id, place, folder, PendingFile(listed, extra=present.extra))


def _remove_ours(sql: sqlite3.Connection, project_id: str, place: Place) -> None:
    """Take what is ours out of a file that git would commit; one that it tracks is left as it is."""
    if place.verdict.kind == "tracked" or not os.path.lexists(_file(place)):
        return
    with Folder(os.path.join(place.root, FOLDER)) as folder:
        try:
            present = parse(folder.read(NAME, LIMIT) or b"")
        except UnreadablePendingError:
            return  # nothing that we wrote
        others = _exclude_ours(sql, project_id, present)
        if others != present.candidates:
            _replace(sql, project_id, place, folder, PendingFile(others, extra=present.extra))


def _replace(sql: sqlite3.Connection, project_id: str, place: Place, folder: Folder, wanted: PendingFile) -> None:
    folder.sweep(NAME)
    if not wanted.candidates and not wanted.extra:
        folder.remove(NAME)
        return
    wanted.token = os.urandom(TOKEN // 2).hex()
    folder.write(NAME, render(wanted))
    places.set_token(sql, project_id, place.root, wanted.token)
