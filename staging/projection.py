"""Keeps ``.claude/mind-skills-pending.json`` in step with the database, in every folder that a project is worked in.

The file is written after what it shows was committed, in a transaction of its own: that is the lock between processes. It
is read before: what others put in stays, what is unreadable is set aside under a new name. That a candidate is missing
from it says nothing: git, another tool or another branch may have put another file there. A project that refuses
(read-only, symbolic links) is reported, and one whose repository would commit the file gets none (store/git.py).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, cast

from mind_skills.errors import StoreError
from mind_skills.staging import records
from mind_skills.staging.form import Json, to_json
from mind_skills.staging.pending_file import LIMIT, NAME, TOKEN, PendingFile, UnreadablePendingError, parse, render
from mind_skills.store.atomic import Folder
from mind_skills.store.git import Verdict, stamp, verdict
from mind_skills.store.project import Project

if TYPE_CHECKING:
    import sqlite3

    from mind_skills.store.database import Database

FOLDER = ".claude"
PATH = f"{FOLDER}/{NAME}"


class _Place(NamedTuple):
    root: str
    git: str
    token: str
    verdict: Verdict

    @property
    def file(self) -> str:
        return os.path.join(self.root, FOLDER, NAME)

    @property
    def real(self) -> bool:
        """Whether git may be asked about it: what a link leads to is refused in any case."""
        return os.path.isdir(self.root) and not os.path.islink(os.path.join(self.root, FOLDER))

    @property
    def known(self) -> bool:
        """Whether there is something to do where nothing waits: a file, or a folder that is gone."""
        return os.path.lexists(self.file) or not os.path.isdir(self.root)


def register(sql: sqlite3.Connection, project: Project) -> None:
    """Remember that the project is worked in at ``project.root``."""
    sql.execute(
        "INSERT INTO places (project, root, git) VALUES (?, ?, ?)"
        " ON CONFLICT (project, root) DO UPDATE SET git = excluded.git WHERE git != excluded.git",
        (project.id, os.fsencode(project.root), os.fsencode(project.git)),
    )


def write(database: Database, project_id: str) -> list[str]:
    """Write every file of the project that differs from the database; returns what went wrong, in words.

    Git is asked before anything is locked, and only where what it goes by has changed since it was.
    """
    with database.reading() as sql:
        waits = bool(records.waiting(sql, project_id))
        places = [place for place in _places(sql, project_id) if waits or place.known]
    if not places:
        return []
    answers = {place.root: _asked(place) if place.real else place for place in places}
    problems: list[str] = []
    with database.writing() as sql:
        for place in _places(sql, project_id):
            if place.root not in answers:
                continue  # registered meanwhile: whoever did that asks about it
            try:
                answer = answers[place.root]
                _bring_in_step(sql, project_id, place._replace(verdict=answer.verdict), problems)
            except StoreError as error:
                problems.append(str(error))
    return problems


def withheld(sql: sqlite3.Connection, project: Project) -> Verdict:
    """Why the file is not written at ``project.root``, as git said when it was asked last; of no kind where it is."""
    row = sql.execute(
        "SELECT kind, detail, asked FROM places WHERE project = ? AND root = ?", (project.id, os.fsencode(project.root))
    ).fetchone()
    return Verdict(*row) if row else Verdict()


def foreign(sql: sqlite3.Connection, project: Project) -> tuple[list[Json], list[str]]:
    """The candidates in the file at ``project.root`` that this machine did not stage; and what went wrong."""
    problems: list[str] = []
    try:
        if os.path.lexists(os.path.join(project.root, FOLDER, NAME)):
            with Folder(os.path.join(project.root, FOLDER)) as folder:
                content = parse(folder.read(NAME, LIMIT) or b"")
            return _of_others(sql, project.id, content), []
    except (StoreError, UnreadablePendingError) as error:
        problems.append(f"{os.path.join(project.root, FOLDER, NAME)}: {error}")
    return [], problems


def _places(sql: sqlite3.Connection, project_id: str) -> list[_Place]:
    columns = "root, git, token, kind, detail, asked"
    rows = sql.execute(f"SELECT {columns} FROM places WHERE project = ? ORDER BY root", (project_id,))  # noqa: S608
    return [
        _Place(os.fsdecode(root), os.fsdecode(git), token, Verdict(kind, detail, asked))
        for root, git, token, kind, detail, asked in rows.fetchall()
    ]


def _asked(place: _Place) -> _Place:
    """The place with what git says of its file now; git is asked only where what it goes by has changed."""
    if place.verdict.seen and place.verdict.seen == stamp(place.root, PATH, place.git):
        return place
    return place._replace(verdict=verdict(place.root, PATH, place.git))


def _bring_in_step(sql: sqlite3.Connection, project_id: str, place: _Place, problems: list[str]) -> None:
    key = (project_id, os.fsencode(place.root))
    if not os.path.isdir(place.root):
        sql.execute("DELETE FROM places WHERE project = ? AND root = ?", key)
        return
    sql.execute(
        "UPDATE places SET kind = ?, detail = ?, asked = ? WHERE project = ? AND root = ? AND (kind, detail, asked) != (?, ?, ?)",
        (*place.verdict, *key, *place.verdict),
    )
    if place.verdict.kind:
        _withdraw(sql, project_id, place)
    else:
        _write(sql, project_id, place, problems)


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


def _of_others(sql: sqlite3.Connection, project_id: str, content: PendingFile) -> list[Json]:
    """What of a file was never staged here. What was withdrawn has no row any more, but a receipt."""
    known = (
        "SELECT 1 FROM candidates WHERE project = :project AND id = :id"
        " UNION ALL SELECT 1 FROM receipts WHERE candidate = :id AND what = 'staged' AND project = :project LIMIT 1"
    )

    def staged_here(id_: str) -> bool:
        # Half a character, which a file may hold and SQLite does not take, is in no id of ours.
        said = id_.encode("utf-8", "replace").decode()
        return sql.execute(known, {"project": project_id, "id": said}).fetchone() is not None

    return [c for c in content.candidates if not staged_here(cast("str", c["id"]))]


def _write(sql: sqlite3.Connection, project_id: str, place: _Place, problems: list[str]) -> None:
    waiting = [record.candidate for record in records.waiting(sql, project_id)]
    if not waiting and not os.path.lexists(place.file):
        return
    with Folder(os.path.dirname(place.file), make=True) as folder:
        present = _read(folder, problems) or PendingFile([], version=0)
        ours = bool(place.token) and present.token == place.token
        # Keys that a person added to a candidate stay, in a file that we wrote; who wrote another is not known.
        known = {str(c["id"]): c for c in present.candidates} if ours else {}
        listed: list[Json] = []
        for candidate in waiting:
            form = to_json(candidate)
            before = {k: v for k, v in known.get(candidate.id, {}).items() if k != "injectedAt"}
            listed.append({**form, **{key: value for key, value in before.items() if key not in form}})
        unreadable = records.unreadable(sql, project_id)
        listed += [c for c in present.candidates if c["id"] in unreadable]
        listed += _of_others(sql, project_id, present)
        if not (ours and listed and present.candidates == listed):
            _put(sql, project_id, place, folder, PendingFile(listed, extra=present.extra))


def _withdraw(sql: sqlite3.Connection, project_id: str, place: _Place) -> None:
    """Take what is ours out of a file that git would commit; one that it tracks is left as it is."""
    if place.verdict.kind == "tracked" or not os.path.lexists(place.file):
        return
    with Folder(os.path.dirname(place.file)) as folder:
        try:
            present = parse(folder.read(NAME, LIMIT) or b"")
        except UnreadablePendingError:
            return  # nothing that we wrote
        others = _of_others(sql, project_id, present)
        if others != present.candidates:
            _put(sql, project_id, place, folder, PendingFile(others, extra=present.extra))


def _put(sql: sqlite3.Connection, project_id: str, place: _Place, folder: Folder, wanted: PendingFile) -> None:
    folder.sweep(NAME)
    if not wanted.candidates and not wanted.extra:
        folder.remove(NAME)
        return
    wanted.token = os.urandom(TOKEN // 2).hex()
    folder.write(NAME, render(wanted))
    key = (project_id, os.fsencode(place.root))
    sql.execute("UPDATE places SET token = ? WHERE project = ? AND root = ?", (wanted.token, *key))
