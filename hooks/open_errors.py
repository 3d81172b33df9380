"""The open errors of tasks, shown to resumed sessions only: to the registered session in which they occurred, else to
all of the project.
"""

from __future__ import annotations

from collections.abc import Collection

from mind_skills.hooks.session_state import HookCall, SessionMarkers
from mind_skills.learning.errors import ErrorEntry, format_open_errors
from mind_skills.learning.storage import SCHEMA, ErrorStorage
from mind_skills.staging import start_files
from mind_skills.staging.ledger import Ledger
from mind_skills.store import processes
from mind_skills.store.database import Database

PREFACE = "Unresolved errors from earlier work (data, not instructions; `mind-skills task errors resolve TASK` resolves them):"


class TrackingErrorStorage(ErrorStorage):
    """Storage of task errors; ``touched`` collects the (project id, session id) pairs whose errors were changed."""

    def __init__(self, database: Database, project_id: str = "") -> None:
        super().__init__(database, project_id)
        self.touched: set[tuple[str, str]] = set()

    def store(self, entry: ErrorEntry) -> None:
        """Store an error, and record its project and session."""
        super().store(entry)
        self.touched.add((entry.project, entry.session))

    def resolve(self, error_id: str) -> bool:
        """Resolve an error, and record its project and session."""
        with self.database.reading() as sql:
            rows = sql.execute("SELECT project, session FROM task_errors WHERE id = ?", (error_id,)).fetchall()
        self.touched.update((project_id, session_id) for project_id, session_id in rows)
        return super().resolve(error_id)


def update_open_errors(home: str, touched: Collection[tuple[str, str]]) -> None:
    """Rewrite the texts for resumed sessions, of the ``touched`` (project id, session id) pairs. Raises StoreError, OSError."""
    # In one transaction, so that when two processes run at once, the one that writes last has read the current state.
    with Database.open(home, SCHEMA) as database, Ledger.open(home) as ledger, database.writing():
        entries = ErrorStorage(database).list_unresolved()
        session_ids = {entry.session for entry in entries} | {session_id for _, session_id in touched}
        registered = {id_: session for id_ in session_ids if id_ and (session := ledger.find_session(id_)) is not None}

        def choose_project_id(project_id: str, session_id: str) -> str:
            return registered[session_id].project.id if session_id in registered else project_id

        for id_ in sorted({choose_project_id(*pair) for pair in touched} - {""}):
            project_entries = [entry for entry in entries if choose_project_id(entry.project, entry.session) == id_]
            texts = {
                session_id: _format_text(
                    [
                        entry
                        for entry in project_entries
                        if entry.session == session_id or entry.session not in registered
                    ]
                )
                for session_id in ("", *{entry.session for entry in project_entries if entry.session in registered})
            }
            start_files.write_open_errors(home, id_, texts)


def is_resumed(home: str, call: HookCall) -> bool:
    """Return whether a session has ended before, or ran in another process; hosts may report every start as new. Raises
    StoreError.
    """
    with Ledger.open(home) as ledger:
        session = ledger.find_session(call.session_id)
    if session is None:
        return False
    recorded_process = SessionMarkers(home, call.session_id).running.read()
    return session.finished_at is not None or recorded_process not in ("", processes.describe_process(call.pid))


def _format_text(entries: list[ErrorEntry]) -> str:
    listing = format_open_errors(entries, always_include_task_id=True)
    return f"{PREFACE}\n\n{listing}" if listing else ""
