"""The table ``places``: the folders of a project, with git's verdict on the pending file in each."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.store.git import Verdict
from mind_skills.store.project import Project


class Place(NamedTuple):
    """A folder of a project, with its ``git`` folder, the ``token`` of its last pending file and git's ``verdict`` on that file."""

    root: str
    git: str
    token: str
    verdict: Verdict


def register_place(sql: sqlite3.Connection, project: Project) -> None:
    """Register ``project.root`` as a folder of the project."""
    sql.execute(
        "INSERT INTO places (project, root, git) VALUES (?, ?, ?)"
        " ON CONFLICT (project, root) DO UPDATE SET git = excluded.git WHERE git != excluded.git",
        (project.id, os.fsencode(project.root), os.fsencode(project.git)),
    )


def list_places(sql: sqlite3.Connection, project_id: str) -> list[Place]:
    """List the places of a project, sorted by path."""
    columns = "root, git, token, kind, detail, asked"
    rows = sql.execute(f"SELECT {columns} FROM places WHERE project = ? ORDER BY root", (project_id,))  # noqa: S608
    return [
        Place(os.fsdecode(root), os.fsdecode(git), token, Verdict(kind, detail, asked))
        for root, git, token, kind, detail, asked in rows.fetchall()
    ]


def list_roots(sql: sqlite3.Connection, project: Project) -> list[str]:
    """List the registered folders of a project, including its worktrees, sorted."""
    return [place.root for place in list_places(sql, project.id)]


def list_project_ids(sql: sqlite3.Connection) -> list[str]:
    return [row[0] for row in sql.execute("SELECT DISTINCT project FROM places ORDER BY project")]


def find_git_verdict(sql: sqlite3.Connection, project: Project) -> Verdict:
    """Return git's last verdict on the pending file in ``project.root``; an empty kind means that it may be written."""
    row = sql.execute(
        "SELECT kind, detail, asked FROM places WHERE project = ? AND root = ?", (project.id, os.fsencode(project.root))
    ).fetchone()
    return Verdict(*row) if row else Verdict()


def set_verdict(sql: sqlite3.Connection, project_id: str, place: Place) -> None:
    """Store the git verdict of a place if it differs from the stored one."""
    sql.execute(
        "UPDATE places SET kind = ?, detail = ?, asked = ? WHERE project = ? AND root = ? AND (kind, detail, asked) != (?, ?, ?)",
        (*place.verdict, project_id, os.fsencode(place.root), *place.verdict),
    )


def set_token(sql: sqlite3.Connection, project_id: str, root: str, token: str) -> None:
    """Set the token of the pending file that was just written at ``root``."""
    sql.execute("UPDATE places SET token = ? WHERE project = ? AND root = ?", (token, project_id, os.fsencode(root)))


def delete_place(sql: sqlite3.Connection, project_id: str, root: str) -> None:
    """Delete the place of a folder that no longer exists."""
    sql.execute("DELETE FROM places WHERE project = ? AND root = ?", (project_id, os.fsencode(root)))
