"""What the tables of this package hold of long ago, and forgetting it: votes that have faded away, and old tasks
with their errors.

What was made of the votes stays: states that were set, warnings, patterns with the counts that they had.
"""

from __future__ import annotations

import sqlite3

_OLD = (
    "at IS NOT NULL AND at < :before AND NOT EXISTS (SELECT 1 FROM {table} AS new WHERE new.n < {table}.n"
    " AND new.n >= {table}.n - 100 AND new.at >= :before)"
)
"""What was put down soon after something new is new: it was done by a clock that was behind."""
_ORDER = tuple(
    (table, _OLD.format(table=table))
    for table in ("maturity_feedback", "feedback", "task_errors", "task_plans", "task_outcomes")
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
