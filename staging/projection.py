"""Keeps ``.claude/mind-skills-pending.json`` in step with the database, in every folder that a project is worked in.

Everything here runs inside the database's IMMEDIATE transaction: that is the lock between processes. The file is read
before it is written: what a person took out counts as dismissed, what others put in stays, what is unreadable is set
aside under a new name. A project that refuses (read-only, symbolic links) is reported; the database goes on.
"""

from __future__ import annotations

import os
import sqlite3

from mind_skills.staging import records, verdicts
from mind_skills.staging.form import Json, to_json
from mind_skills.staging.group import head
from mind_skills.staging.pending_file import LIMIT, NAME, PendingFile, UnreadablePendingError, parse, render
from mind_skills.store import exclude
from mind_skills.store.atomic import Folder
from mind_skills.store.errors import StoreError
from mind_skills.store.project import Project

FOLDER = ".claude"
REMOVED = "removed from the pending file by hand"
_REVISIONS = 20
"""How many writes ago a person may have opened the file that is saved now."""


def register(sql: sqlite3.Connection, project: Project) -> None:
    """Remember that the project is worked in at ``project.root``."""
    sql.execute(
        "INSERT INTO places (project, root, git) VALUES (?, ?, ?)"
        " ON CONFLICT (project, root) DO UPDATE SET git = excluded.git WHERE git != excluded.git",
        (project.id, os.fsencode(project.root), os.fsencode(project.git)),
    )


def absorb(sql: sqlite3.Connection, project_id: str, at: int) -> list[str]:
    """Take over what people did to the files; returns what went wrong, in words."""
    problems: list[str] = []
    for root, _, _ in _places(sql, project_id):
        try:
            if os.path.lexists(os.path.join(root, FOLDER, NAME)):
                with Folder(os.path.join(root, FOLDER)) as folder:
                    content = _read(folder, problems)
                    if content is not None:
                        _dismiss_removed(sql, project_id, root, content, at)
        except StoreError as error:
            problems.append(str(error))
    return problems


def write(sql: sqlite3.Connection, project_id: str) -> list[str]:
    """Write every file of the project that differs from the database; returns what went wrong, in words."""
    problems: list[str] = []
    for root, git, revision in _places(sql, project_id):
        if not os.path.isdir(root):
            sql.execute("DELETE FROM places WHERE project = ? AND root = ?", (project_id, os.fsencode(root)))
            continue
        try:
            _write(sql, project_id, root, revision, problems)
            if git and os.path.lexists(os.path.join(root, FOLDER, NAME)):
                exclude.add(git)
        except StoreError as error:
            problems.append(str(error))
    return problems


def foreign(sql: sqlite3.Connection, project: Project) -> tuple[list[Json], list[str]]:
    """The candidates in the file at ``project.root`` that this machine did not stage; and what went wrong."""
    problems: list[str] = []
    try:
        if os.path.lexists(os.path.join(project.root, FOLDER, NAME)):
            with Folder(os.path.join(project.root, FOLDER)) as folder:
                content = parse(folder.read(NAME, LIMIT) or b"")
            ours = _ours(sql, project.id)
            return [c for c in content.candidates if c["id"] not in ours], []
    except (StoreError, UnreadablePendingError) as error:
        problems.append(f"{os.path.join(project.root, FOLDER, NAME)}: {error}")
    return [], problems


def stamp(root: str) -> str:
    """What changes when the file changes; empty where there is none. As staging/claim.py computes it."""
    try:
        found = os.lstat(os.path.join(root, FOLDER, NAME))
    except OSError:
        return ""
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"


def _places(sql: sqlite3.Connection, project_id: str) -> list[tuple[str, str, int]]:
    rows = sql.execute("SELECT root, git, revision FROM places WHERE project = ? ORDER BY root", (project_id,))
    return [(os.fsdecode(root), os.fsdecode(git), revision) for root, git, revision in rows.fetchall()]


def _read(folder: Folder, problems: list[str]) -> PendingFile | None:
    data = folder.read(NAME, LIMIT)
    if data is None:
        return None
    try:
        return parse(data)
    except UnreadablePendingError as error:
        aside = folder.set_aside(NAME, error.kind)
        problems.append(f"{os.path.join(folder.path, NAME)}: {error.reason}; it is kept as {aside}")
        return None


def _dismiss_removed(sql: sqlite3.Connection, project_id: str, root: str, content: PendingFile, at: int) -> None:
    row = sql.execute(
        "SELECT ids FROM revisions WHERE project = ? AND root = ? AND revision = ?",
        (project_id, os.fsencode(root), content.revision if content.version else -1),
    ).fetchone()
    gone = set(row[0].split()) - set(content.ids()) if row is not None else set[str]()
    if not gone:
        return
    for record in records.records(sql, "project = ? AND state IN ('pending', 'merged')", (project_id,)):
        if record.candidate.id in gone and (whole := head(sql, record)).state == "pending":
            verdicts.decide(sql, whole, ("dismissed", REMOVED), at)
    # Said once is enough: a dismissal that is undone must not be found again in the same edit.
    sql.execute(
        "UPDATE revisions SET ids = ? WHERE project = ? AND root = ? AND revision = ?",
        (" ".join(content.ids()), project_id, os.fsencode(root), content.revision),
    )


def _ours(sql: sqlite3.Connection, project_id: str) -> set[str]:
    ids = {row[0] for row in sql.execute("SELECT id FROM candidates WHERE project = ?", (project_id,))}
    # What was withdrawn has no row any more, but it may still stand in a file that we wrote.
    for row in sql.execute("SELECT ids FROM revisions WHERE project = ?", (project_id,)):
        ids.update(row[0].split())
    return ids


def _write(sql: sqlite3.Connection, project_id: str, root: str, revision: int, problems: list[str]) -> None:
    place = os.path.join(root, FOLDER)
    waiting = [record.candidate for record in records.waiting(sql, project_id)]
    if not waiting and not os.path.lexists(os.path.join(place, NAME)):
        return
    with Folder(place, make=True) as folder:
        present = _read(folder, problems)
        others = present.candidates if present else []
        known = {str(c["id"]): c for c in others}
        ours = _ours(sql, project_id) - records.unreadable(sql, project_id)
        listed: list[Json] = []
        for candidate in waiting:
            form = to_json(candidate)
            before = {k: v for k, v in known.get(candidate.id, {}).items() if k != "injectedAt"}
            listed.append({**form, **{key: value for key, value in before.items() if key not in form}})
        listed += [form for form in others if form["id"] not in ours]
        # Beyond both, so that a number means one content, also where a transaction failed after its file was written.
        wanted = PendingFile(listed, revision=max(revision, present.revision if present else 0))
        wanted.extra = present.extra if present else {}
        if not listed and not wanted.extra:
            folder.remove(NAME)
            return
        if present is not None and present.version and present.revision == revision and present.candidates == listed:
            _remember(sql, project_id, root, revision)
            return
        _put(sql, project_id, root, folder, wanted, [c.id for c in waiting])


def _put(
    sql: sqlite3.Connection, project_id: str, root: str, folder: Folder, wanted: PendingFile, ids: list[str]
) -> None:
    wanted.revision += 1
    key = (project_id, os.fsencode(root))
    sql.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?)", (*key, wanted.revision, " ".join(ids)))
    sql.execute(
        "DELETE FROM revisions WHERE project = ? AND root = ? AND revision <= ?", (*key, wanted.revision - _REVISIONS)
    )
    folder.sweep(NAME)
    folder.write(NAME, render(wanted))
    _remember(sql, project_id, root, wanted.revision)


def _remember(sql: sqlite3.Connection, project_id: str, root: str, revision: int) -> None:
    """This is the file as it should be: until it looks different, a claim need not read it."""
    sql.execute(
        "UPDATE places SET revision = ?, stamp = ? WHERE project = ? AND root = ? AND (revision, stamp) != (?, ?)",
        (revision, now := stamp(root), project_id, os.fsencode(root), revision, now),
    )
