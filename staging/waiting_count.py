"""Count the pending learnings not offered yet, without opening a ledger: shell prompts and status lines ask often."""

from __future__ import annotations

import os

try:
    import _sqlite3 as sqlite3  # as in store/database.py: the package around it is slow to import
except ImportError:  # interpreters other than CPython
    import sqlite3  # type: ignore[no-redef]

from mind_skills.store.database import DATABASE_NAME

MAX_COUNT = 10
"""Copy of ``MAX_PENDING`` in staging/model.py, whose import would take longer than the count; a test compares the two."""
TIMEOUT_SECONDS = 0.2
"""How long to wait for another process that writes to the database; a prompt must not hang."""


def count_waiting(home: str, project_id: str) -> int:
    """Return the number of pending learnings of a project that are not offered yet, at most ten.

    Opens the database of the state folder ``home`` read-only. Returns 0 if there is no database, or if it cannot be read
    (`mind-skills doctor` reports that).
    """
    path = os.path.join(home, DATABASE_NAME)
    if not os.path.exists(path):
        return 0
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        sql = sqlite3.connect(f"file:{escaped}?mode=ro", uri=True, timeout=TIMEOUT_SECONDS)
        try:
            query = "SELECT count(*) FROM candidates WHERE project = ? AND state = 'pending' AND offered_to IS NULL"
            return min(MAX_COUNT, int(sql.execute(query, (project_id,)).fetchone()[0]))
        finally:
            sql.close()
    except sqlite3.Error:
        return 0
