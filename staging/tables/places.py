"""The table ``places``: the folders that a project is worked in, and what git said of the pending file in each."""

from __future__ import annotations

import os
import sqlite3
from typing import NamedTuple

from mind_skills.store.git import Verdict
from mind_skills.store.project import Project


class Place(NamedTuple):
    """A folder of a project. ``token`` is that of the pending file written there last, ``verdict`` what git said of it."""

    root: str
    git: str
    token: str
    verdict: Verdict


def register_place(sql: sqlite3.Connection, project: Project) -> None:
    """Remember that the project is worked in at ``project.root``."""
    sql.execute(
        "INSERT INTO places (project, root, git) VALUES (?, ?, ?)"
        " ON CONFLICT (project, root) DO UPDATE SET git = excluded.git WHERE git != excluded.git",
        (project.id, os.fsencode(project.root), os.fsencode(project.git)),
    )


def list_places(sql: sqlite3.Connection, project_id: str) -> list[Place]:
    """The places of a project, by their folders."""
    columns = "root, git, token, kind, detail, asked"
    rows = sql.execute(f"SELECT {columns} FROM places WHERE project = ? ORDER BY root", (project_id,))  # noqa: S608
    return [
        Place(os.fsdecode(root), os.fsdecode(git), token, Verdict(kind, detail, asked))
        for root, git, token, kind, detail, asked in rows.fetchall()
    ]


def list_roots(sql: sqlite3.Connection, project: Project) -> list[str]:
    """The folders of a project: its own, and those of its worktrees that sessions ran in."""
    return [place.root for place in list_places(sql, project.id)]


def list_project_ids(sql: sqlite3.Connection) -> list[str]:
    return [row[0] for row in sql.execute("SELECT DISTINCT project FROM places ORDER BY project")]


def find_git_verdict(sql: sqlite3.Connection, project: Project) -> Verdict:
    """Why the pending file is not written at ``project.root``, as git said when it was asked last; of no kind where it is."""
    row = sql.execute(
        "SELECT kind, detail, asked FROM places WHERE project = ? AND root = ?", (project.id, os.fsencode(project.root))
    ).fetchone()
    return Verdict(*row) if row else Verdict()


def set_verdict(sql: sqlite3.Connection, project_id: str, place: Place) -> None:
    """Put down what git said of a place, where that is new."""
    sql.execute(
        "UPDATE places SET kind = ?, detail = ?, asked = ? WHERE project = ? AND root = ? AND (kind, detail, asked) != (?, ?, ?)",
        (*place.verdict, project_id, os.fsencode(place.root), *place.verdict),
    )


def set_token(sql: sqlite3.Connection, project_id: str, root: str, token: str) -> None:
    """Put down the token of the pending file that was just written at ``root``."""
    sql.execute("UPDATE places SET token = ? WHERE project = ? AND root = ?", (token, project_id, os.fsencode(root)))


def delete_place(sql: sqlite3.Connection, project_id: str, root: str) -> None:
    """Forget a folder that is gone."""
    sql.execute("DELETE FROM places WHERE project = ? AND root = ?", (project_id, os.fsencode(root)))
