"""The start of a session: offer it the waiting candidates, each candidate to one session only.

The user waits for this. With nothing waiting it costs two stats; otherwise one short transaction over text that was rendered
at staging. It imports ``os`` and, late, ``sqlite3``, which is why its SQL stands here and not in staging/tables/.
"""

from __future__ import annotations

import os

from mind_skills.staging import start_files
from mind_skills.staging.frame import ASK, COMMAND, SKILLS, assemble, fitting
from mind_skills.staging.tables.schema import PACKAGE, RECEIPT, STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from mind_skills.store.project import Project

PATIENCE = 2.0
"""Seconds to wait for other processes; after that the session starts without an offer, and the next one gets it."""
_PENDING, _PER_OFFER = 10, 5
"""As in staging/model.py, which imports dataclasses."""


class Offer:
    """What one session is shown: ``text`` byte for byte, the candidates' ``ids``, ``at`` in UTC milliseconds.

    An offer that is not ``fresh`` stands in the session's context already, unless its first answer got lost.
    """

    __slots__ = ("answered", "at", "early", "fresh", "ids", "session_id", "settled", "text")

    def __init__(
        self,
        session_id: str,
        text: str,
        ids: tuple[str, ...],
        at: int,
        *,
        settled: bool = False,
        fresh: bool = False,
        answered: bool = False,
        early: bool = False,
    ) -> None:
        """``settled``: the session has ended and its candidates have left the list. ``fresh``: made by this claim.
        ``answered``: the agent was seen to answer since, by another sign than its log; ``early``: by the clock it did so
        before it was asked, so that was set back, and what a log tells of times says nothing.
        """
        self.session_id = session_id
        self.text = text
        self.ids = ids
        self.at = at
        self.settled = settled
        self.fresh = fresh
        self.answered = answered
        self.early = early


def could_offer(home: str, project_id: str, session_id: str) -> bool:
    """Whether ``claim`` could return something. Two stats."""
    flags = (start_files.project_flag(home, project_id), start_files.session_flag(home, session_id))
    return any(map(os.path.exists, flags))


def claim(
    home: str,
    project: Project,
    session_id: str,
    at: int,
    skills: str = SKILLS,
    most: int = _PER_OFFER,
    *,
    command: str = COMMAND,
    writing: str = ASK,
    leave_open: list[object] | None = None,
) -> Offer | None:
    """The offer of this session: the best ``most`` that nobody was offered yet, stamped ``at``; None if there are none.

    ``skills``, ``command`` and ``writing`` as in staging/frame.py.

    Asked again for the same session, the same bytes, whatever the other arguments; but one that was given advice alone,
    and comes back when something waits, is handed that. Two sessions that ask at once
    never get the same candidate. The pending file is left to ``Ledger.update_pending_file``, in a detached process.
    ``leave_open`` is from a process that is about to end: it takes the open database. Closing the last connection would copy
    the log into the database and wait for the disk, which whoever opens it next can do as well.

    Raises StoreError (errors/); BusyDatabaseError after two seconds.
    """
    if not session_id or not could_offer(home, project.id, session_id):
        return None
    from mind_skills.store.database import Database

    database = Database.open(home, PACKAGE, STEPS, PATIENCE, brief=leave_open is not None)
    try:
        with database.writing() as sql:
            return _claim(
                sql,
                home,
                project,
                session_id,
                at,
                lambda entries, advice: assemble(entries, skills, advice, command=command, writing=writing),
                min(most, _PER_OFFER),
            )
    finally:
        if leave_open is None:
            database.close()
        else:
            leave_open.append(database)


def _claim(
    sql: sqlite3.Connection,
    home: str,
    project: Project,
    session_id: str,
    at: int,
    render: Callable[[list[str], str], str],
    most: int,
) -> Offer | None:
    held = find_offer(sql, session_id)
    if held is not None and held.ids:
        return held
    free = _list_free(sql, project.id)
    # What only this session has seen it knows already, also where it was resumed: it waits for another.
    chosen = [row for row in free if not _is_own(sql, project.id, row[0], session_id)][:most]
    chosen = chosen[: fitting([entry for _, _, entry in chosen])]  # the others wait for the next session
    advice = start_files.read_advice(home, project.id)
    if chosen or (advice and held is None):  # advice alone is no offer of candidates: one can still be made to it
        if chosen:
            shelve_surplus(sql, project.id, at)
        ids = tuple(id_ for _, id_, _ in chosen)
        held = Offer(session_id, render([entry for _, _, entry in chosen], advice), ids, at, fresh=True)
        sql.execute(
            "INSERT OR REPLACE INTO offers (session, project, ids, text, at) VALUES (?, ?, ?, ?, ?)",
            (session_id, project.id, " ".join(ids), held.text, at),
        )
        for mark, id_, _ in chosen:
            sql.execute(
                "UPDATE candidates SET offered_to = ?, injected_at = ? WHERE project = ? AND fingerprint = ?",
                (session_id, at, project.id, mark),
            )
            sql.execute(RECEIPT, (at, "offered", project.id, id_, session_id, ""))
        start_files.set_flag(start_files.session_flag(home, session_id), up=True)
    start_files.set_flag(start_files.project_flag(home, project.id), up=len(free) > len(chosen) or bool(advice))
    return held


def find_offer(sql: sqlite3.Connection, session_id: str) -> Offer | None:
    """The offer that a session holds, also after its end; None if it never got one."""
    row = sql.execute(
        "SELECT text, ids, at, settled_at, answered_at FROM offers WHERE session = ?", (session_id,)
    ).fetchone()
    if row is None:
        return None
    text, ids, at, settled_at, answered_at = row
    settled, answered = settled_at is not None, answered_at is not None
    early = answered and answered_at < at
    return Offer(session_id, text, tuple(ids.split()), at, settled=settled, answered=answered, early=early)


def shelve_surplus(sql: sqlite3.Connection, project_id: str, at: int) -> None:
    """Shelve what does not fit in a full list, before a place in it becomes free by an offer or a decision.

    Until then it stays in reserve, because a session may still withdraw what displaced it; afterwards only a new
    sighting brings it back, so that a list that was worked through does not fill up with what was not good enough.
    """
    for mark, id_, _ in _list_free(sql, project_id, f"-1 OFFSET {_PENDING}"):
        sql.execute(
            "UPDATE candidates SET state = 'shelved', settled_at = ? WHERE project = ? AND fingerprint = ?",
            (at, project_id, mark),
        )
        sql.execute(RECEIPT, (at, "shelved", project_id, id_, "", ""))


def update_project_flag(sql: sqlite3.Connection, home: str, project_id: str) -> None:
    """Make the project's flag say what the database says; inside the transaction that changed it."""
    up = bool(_list_free(sql, project_id)) or bool(start_files.read_advice(home, project_id))
    start_files.set_flag(start_files.project_flag(home, project_id), up=up)


def _list_free(sql: sqlite3.Connection, project_id: str, limit: str = f"{_PENDING}") -> list[tuple[str, str, str]]:
    """Fingerprint, id and entry of the ten best that wait and that nobody was offered yet, best first.

    Those that were offered take no place of the ten: sessions that stay open for long would starve all others.
    """
    return sql.execute(
        "SELECT fingerprint, id, entry FROM candidates WHERE project = ? AND state = 'pending' AND offered_to IS NULL"  # noqa: S608
        f" ORDER BY rank DESC, detected_at, fingerprint LIMIT {limit}",
        (project_id,),
    ).fetchall()


def _is_own(sql: sqlite3.Connection, project_id: str, mark: str, session_id: str) -> bool:
    """Whether this session is the only one that has seen a learning."""
    seen = "SELECT session FROM sightings WHERE project = ? AND fingerprint = ?"
    return [row[0] for row in sql.execute(seen, (project_id, mark))] == [session_id]
