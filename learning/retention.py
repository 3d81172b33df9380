"""What the tables of this package hold of long ago, and forgetting it: votes that have faded away, and old tasks
with their errors.

What was made of the votes stays: states that were set, warnings, patterns with the counts that they had.
"""

from __future__ import annotations

import sqlite3

_ORDER = (
    ("maturity_feedback", "at IS NOT NULL AND at < :before"),
    ("feedback", "at IS NOT NULL AND at < :before"),
    ("task_errors", "at < :before"),
    ("task_plans", "at < :before"),
    ("task_outcomes", "at < :before"),
)


def prune(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Forget what is older than ``before`` (UTC ms), inside the caller's transaction; how many rows of each table went."""
    found = stale(sql, before)
    for table, where in _ORDER:
        sql.execute(f"DELETE FROM {table} WHERE {where}", {"before": before})  # noqa: S608
    return found


def stale(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """How many rows of each table ``prune`` would forget."""
    return {
        table: int(sql.execute(f"SELECT count(*) FROM {table} WHERE {where}", {"before": before}).fetchone()[0])  # noqa: S608
        for table, where in _ORDER
    }
