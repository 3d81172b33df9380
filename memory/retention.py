"""What memory holds of long ago, and forgetting it: past sessions. What was learned in them stays."""

from __future__ import annotations

import sqlite3

from mind_skills.memory.records import forget

_OLD = (
    "FROM memory_records AS old WHERE kind = 'episode' AND at > 0 AND at < :before AND NOT EXISTS (SELECT 1 FROM"
    " memory_records AS new WHERE new.n < old.n AND new.n >= old.n - 100 AND new.kind = 'episode' AND new.at >= :before)"
)
"""What was put down soon after something new is new: it was done by a clock that was behind."""


def prune(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Forget what is older than ``before`` (UTC ms), inside the caller's transaction; how many episodes went."""
    return {"episodes": forget(sql, [n for (n,) in sql.execute(f"SELECT n {_OLD}", {"before": before}).fetchall()])}


def stale(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """How many ``prune`` would forget."""
    return {"episodes": int(sql.execute(f"SELECT count(*) {_OLD}", {"before": before}).fetchone()[0])}
