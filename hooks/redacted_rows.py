"""What of each table is text, and a row of it as the rules of redaction in force would have kept it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mind_skills.memory import records
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.text import strip

if TYPE_CHECKING:
    import sqlite3


class Table(NamedTuple):
    """``key`` and the columns with text in them; ``documents`` hold JSON, ``places`` paths or JSON with paths in it."""

    name: str
    key: tuple[str, ...]
    texts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


TABLES = (
    Table("sightings", ("project", "fingerprint", "session"), (), ("body",)),
    Table("candidates", ("project", "fingerprint"), ("entry",), ("body",), ("detail",)),
    Table("offers", ("session",), ("text",)),
    Table("outcomes", ("session",), ("reasoning",), (), ("files",)),
    Table("errors_met", ("session", "signature"), ("signature",)),
    Table("receipts", ("n",), (), (), ("detail",)),
    Table("archived", ("n",), ("name", "reason")),
    Table("feedback", ("n",), ("context",)),
    Table("task_errors", ("n",), ("message", "stack_trace", "context", "tool_name")),
    Table("patterns", ("n",), ("content", "reason"), ("tags", "example_tasks")),
    Table("maturities", ("n",), ("reason",)),
    Table("task_plans", ("n",), ("task",), ("context",)),
    Table(
        "task_outcomes",
        ("n",),
        ("strategy", "failure_details", "summary", "reasoning"),
        ("strategies",),
        ("files_touched",),
    ),
    Table("decisions", ("n",), (), (), ("before",)),
    Table("memory_records", ("n",), ("content", "task")),
)
_STAY = frozenset(
    {"id", "fingerprint", "session", "sessionId", "sessions", "session_id", "project", "path", "skill", "pattern_id"}
)
"""Names of fields by which something is found."""
_TRIGGERS = {"receipts": "receipts_stay"}
"""What forbids others to change a row."""


def lifted(sql: sqlite3.Connection, table: str) -> str:
    """Take away what forbids changes, for this transaction: the statement that puts it back."""
    if table not in _TRIGGERS:
        return ""
    name = _TRIGGERS[table]
    (guard,) = sql.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", (name,)).fetchone()
    sql.execute(f"DROP TRIGGER {name}")
    return str(guard)


def rewrite(sql: sqlite3.Connection, table: Table, row: dict[str, Any], key: Sequence[object]) -> None:
    changed = {name: done for name in table.texts if (done := told(row[name])) != row[name]}
    changed |= {name: done for name in table.documents if (done := document(row[name])) != row[name]}
    changed |= {name: done for name in table.places if (done := document(row[name], found)) != row[name]}
    if not changed:
        return
    if table.name == "memory_records":  # an index follows by the versions
        changed["version"] = records.tick(sql)
    where = " AND ".join(f"{name} = ?" for name in table.key)
    values = ", ".join(f"{name} = ?" for name in changed)
    # Two names that differ in a secret alone become one: the row that was first stays.
    sql.execute(f"UPDATE OR IGNORE {table.name} SET {values} WHERE {where}", (*changed.values(), *key))  # noqa: S608
    if set(changed) & set(table.key):
        sql.execute(f"DELETE FROM {table.name} WHERE {where}", tuple(key))  # noqa: S608


def told(text: Any) -> Any:
    """A text as it would be kept now; anything else as it is."""
    return redact_personal(redact(strip(text))) if isinstance(text, str) else text


def secrets(text: str) -> str:
    return redact(strip(text))


def found(text: str) -> str:
    """What is a path as a whole stays one by which a file is found."""
    return secrets(text) if os.path.isabs(text) and "\n" not in text else told(text)


def document(text: Any, change: Callable[[str], str] = told) -> Any:
    """JSON with its texts as they would be kept now, but for what something is found by; as a text where it is no JSON."""
    if not isinstance(text, str) or not text:
        return text
    try:
        before = json.loads(text)
    except (ValueError, RecursionError):
        return change(text)
    after = _walked(before, change)
    return text if after == before else json.dumps(after, sort_keys=True)


def _walked(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_walked(item, change) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {key: item if key in _STAY else _walked(item, change) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
