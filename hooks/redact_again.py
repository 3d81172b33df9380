"""Redaction of stored data with the present rules, identified by ``compute_rules_version``. Rows are rewritten in
batches, with the progress in the database; then the index is rebuilt and the database vacuumed, as freed pages keep
bytes. Runs for a limited time after a session, to the end in `mind-skills prune`. In paths that must lead to files,
only secrets are redacted.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from mind_skills.errors import RefusedPathError, StoreError
from mind_skills.hooks.session_state import DEFERRED, LOG_STATE, NOTICED, RECEIPTS, list_markers
from mind_skills.learning import storage as learning_storage
from mind_skills.memory import records as memory_records
from mind_skills.memory.store import purge_index
from mind_skills.redaction.personal import is_personal_redaction_enabled, redact_personal
from mind_skills.redaction.secrets import compute_rules_version, redact
from mind_skills.redaction.text import strip_controls
from mind_skills.staging import start_files
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FILE_NAME as PENDING
from mind_skills.staging.pending_file import FOLDER_NAME as PROJECT_FOLDER
from mind_skills.staging.pending_file import is_pending_file_name
from mind_skills.staging.tables import schema as staging_schema
from mind_skills.store.atomic import Folder
from mind_skills.store.database import DATABASE_NAME as DATABASE
from mind_skills.store.database import Database, Schema
from mind_skills.store.home import REPORTS_FOLDER, remove_file

if TYPE_CHECKING:
    import sqlite3

SCHEMA = Schema(
    "redaction",
    (("CREATE TABLE redacted (part TEXT PRIMARY KEY, rules TEXT NOT NULL, upto TEXT NOT NULL) WITHOUT ROWID",),),
)
"""``part`` is a table, or one of ``_FINAL_PARTS``; ``upto`` is the key of the last rewritten row (JSON), or ``DONE``."""
DONE = "done"
BATCH_ROWS = 100
"""Rows per transaction, during which other processes wait for the database."""
TIME_LIMIT_SECONDS = 20.0
"""Time limit in seconds of a run after a session's end."""
_FINAL_PARTS = ("files", "index", "pages")
MAX_FILE_BYTES = 8 << 20
"""Maximum size in bytes of a file that is rewritten; all our files are smaller."""
_LINE_FOLDERS = ("log", start_files.ADVICE_FOLDER, start_files.OPEN_ERRORS_FOLDER, DEFERRED, NOTICED, RECEIPTS)
"""Folders in the state folder whose files are redacted line by line."""


class Table(NamedTuple):
    """A table's key and the columns to redact: plain text, JSON documents, and paths or JSON that contains paths."""

    name: str
    key: tuple[str, ...]
    texts: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


TABLES = (
    Table("sightings", ("project", "fingerprint", "session"), (), ("body",)),
    Table("candidates", ("project", "fingerprint"), ("entry",), ("body",), ("detail",)),
    Table("digests", ("session",), (), ("body",)),
    Table("offers", ("session",), ("text",)),
    Table("outcomes", ("session",), ("reasoning",), (), ("files",)),
    Table("errors_met", ("session", "signature"), ("signature",)),
    Table("reminders", ("session", "name"), ("signature",)),
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
_KEY_FIELDS = frozenset(
    {"id", "fingerprint", "session", "sessionId", "sessions", "session_id", "project", "path", "skill", "pattern_id"}
)
"""Fields of JSON documents that are not redacted, because other data refers to their values."""
_TRIGGERS = {"receipts": "receipts_stay"}
"""Maps the name of a table to the trigger that forbids changes to the table."""


def is_due(home: str) -> bool:
    """Return whether stored data may need redaction with the current rules. Raises StoreError."""
    if not os.path.exists(os.path.join(home, DATABASE)):
        return False
    rules = identify_rules()
    with _open_database(home) as database, database.reading() as sql:
        rows = sql.execute("SELECT part FROM redacted WHERE rules = ? AND upto = ?", (rules, DONE)).fetchall()
    return {row[0] for row in rows} != {*(table.name for table in TABLES), *_FINAL_PARTS}


def identify_rules() -> str:
    """Identify the current rules: their version, and whether personal data is redacted."""
    return f"{compute_rules_version()}{'+personal' if is_personal_redaction_enabled() else ''}"


def redact_again(home: str, seconds: float = TIME_LIMIT_SECONDS, step: Callable[[], None] = lambda: None) -> bool:
    """Continue for about ``seconds``; return whether everything is redacted. ``step`` is called after each batch.
    Raises StoreError, OSError.
    """
    if not is_due(home):
        return True
    rules, deadline = identify_rules(), time.monotonic() + seconds
    with _open_database(home) as database:
        database.sql.execute("PRAGMA secure_delete = ON")  # overwrite deleted content with zeros
        for table in TABLES:
            while (upto := _read_progress(database, table.name, rules)) != DONE:
                _rewrite_batch(database, table, rules, upto)
                step()
                if time.monotonic() > deadline:
                    return False
        final_steps: tuple[Callable[[], object], ...] = (
            lambda: redact_files(home, database),
            lambda: purge_index(home),
            database.shrink,  # pages freed long ago retain their content
        )
        for part, work in zip(_FINAL_PARTS, final_steps, strict=True):
            if _read_progress(database, part, rules) != DONE:
                work()
                with database.writing() as sql:
                    _record_progress(sql, part, rules, DONE)
                step()
    return True


def continue_redaction(home: str) -> list[str]:
    """Continue the redaction for about ``TIME_LIMIT_SECONDS``. Return a sentence on the failure if it failed."""
    try:
        redact_again(home)
    except (StoreError, OSError) as error:
        return [f"data stored under older redaction rules could not be redacted again: {error}"]
    return []


def _open_database(home: str) -> Database:
    for schema in (staging_schema.SCHEMA, learning_storage.SCHEMA, memory_records.SCHEMA):
        Database.open(home, schema).close()
    return Database.open(home, SCHEMA)


def _read_progress(database: Database, part: str, rules: str) -> str:
    with database.reading() as sql:
        row = sql.execute("SELECT upto FROM redacted WHERE part = ? AND rules = ?", (part, rules)).fetchone()
    return str(row[0]) if row else ""


def _record_progress(sql: sqlite3.Connection, part: str, rules: str, upto: str) -> None:
    sql.execute("INSERT OR REPLACE INTO redacted VALUES (?, ?, ?)", (part, rules, upto))


def _rewrite_batch(database: Database, table: Table, rules: str, upto: str) -> None:
    """Rewrite the next rows of a table, and record the progress in the same transaction."""
    columns = (*table.key, *table.texts, *table.documents, *table.paths)
    key = ", ".join(table.key)
    after = f"WHERE ({key}) > ({', '.join('?' * len(table.key))})" if upto else ""
    with database.writing() as sql:
        rows = sql.execute(
            f"SELECT {', '.join(columns)} FROM {table.name} {after} ORDER BY {key} LIMIT {BATCH_ROWS}",  # noqa: S608
            json.loads(upto) if upto else (),
        ).fetchall()
        create_trigger = _drop_trigger(sql, table.name)
        for row in rows:
            _rewrite_row(sql, table, dict(zip(columns, row, strict=True)), row[: len(table.key)])
        if create_trigger:
            sql.execute(create_trigger)
        _record_progress(
            sql, table.name, rules, json.dumps(rows[-1][: len(table.key)]) if len(rows) == BATCH_ROWS else DONE
        )


def _drop_trigger(sql: sqlite3.Connection, table: str) -> str:
    """Drop the trigger that forbids changes, and return the statement that restores it; empty without a trigger."""
    if table not in _TRIGGERS:
        return ""
    name = _TRIGGERS[table]
    (create_trigger,) = sql.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", (name,)
    ).fetchone()
    sql.execute(f"DROP TRIGGER {name}")
    return str(create_trigger)


def _rewrite_row(sql: sqlite3.Connection, table: Table, row: dict[str, Any], key: Sequence[object]) -> None:
    changed = {name: redacted for name in table.texts if (redacted := redact_text(row[name])) != row[name]}
    changed |= {name: redacted for name in table.documents if (redacted := redact_document(row[name])) != row[name]}
    changed |= {
        name: redacted for name in table.paths if (redacted := redact_document(row[name], _redact_path)) != row[name]
    }
    if not changed:
        return
    if table.name == "memory_records":  # the index recognises changed records by their version
        changed["version"] = memory_records.increment_version(sql)
    condition = " AND ".join(f"{name} = ?" for name in table.key)
    values = ", ".join(f"{name} = ?" for name in changed)
    # Keys that differ only in a secret become equal: only the first row is preserved.
    sql.execute(f"UPDATE OR IGNORE {table.name} SET {values} WHERE {condition}", (*changed.values(), *key))  # noqa: S608
    if set(changed) & set(table.key):
        sql.execute(f"DELETE FROM {table.name} WHERE {condition}", tuple(key))  # noqa: S608


def redact_text(text: Any) -> Any:
    """Redact text with the current rules; return a value of any other type unchanged."""
    return redact_personal(redact(strip_controls(text))) if isinstance(text, str) else text


def redact_secrets(text: str) -> str:
    """Redact secrets, but not personal data."""
    return redact(strip_controls(text))


def _redact_path(text: str) -> str:
    """Redact text; in an absolute path, redact only secrets, because the path locates a file."""
    return redact_secrets(text) if os.path.isabs(text) and "\n" not in text else redact_text(text)


def redact_document(text: Any, change: Callable[[str], str] = redact_text) -> Any:
    """Redact the strings of a JSON document with ``change``, except in ``_KEY_FIELDS``; other text is redacted as a whole."""
    if not isinstance(text, str) or not text:
        return text
    try:
        before = json.loads(text)
    except (ValueError, RecursionError):
        return change(text)
    after = _redact_values(before, change)
    return text if after == before else json.dumps(after, sort_keys=True)


def _redact_values(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_redact_values(item, change) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {key: item if key in _KEY_FIELDS else _redact_values(item, change) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def redact_files(home: str, database: Database) -> None:
    """Redact the hooks' log, texts waiting for delivery and pending files; delete saved states and report pages."""
    for path in list_markers(home, LOG_STATE):
        remove_file(path)  # the next checkpoint reads the log from the start
    for path in list_markers(home, REPORTS_FOLDER):
        if not os.path.isdir(path):
            remove_file(path)  # can be generated again
    for name in _LINE_FOLDERS:
        for folder, _, names in os.walk(os.path.join(home, name)):
            for path in (os.path.join(folder, file_name) for file_name in sorted(names)):
                with suppress(FileNotFoundError):  # another process has removed it
                    _rewrite_file(path, _redact_lines)
    with Ledger.open(home) as ledger:
        ledger.rewrite_pending_files()
    with database.reading() as sql:
        roots = [os.fsdecode(row[0]) for row in sql.execute("SELECT DISTINCT root FROM places")]
    for root in roots:
        redact_project(root)


def redact_project(root: str) -> None:
    """Redact a project's pending files that were renamed because they could not be read. Links are not followed."""
    folder = os.path.join(root, PROJECT_FOLDER)
    if os.path.isdir(folder) and not os.path.islink(folder):
        for name in sorted(os.listdir(folder)):
            if is_pending_file_name(name) and name != PENDING:
                _rewrite_file(os.path.join(folder, name), redact_text)


def _redact_lines(text: str) -> str:
    return "\n".join(map(redact_text, text.split("\n")))


def _rewrite_file(path: str, change: Callable[[str], str]) -> None:
    """Rewrite a file if ``change`` modifies its content. Links and oversized files are skipped."""
    folder, name = os.path.split(path)
    try:
        with Folder(folder) as opened:
            data = opened.read(name, MAX_FILE_BYTES)
            if data is None or len(data) > MAX_FILE_BYTES:
                return
            text = data.decode("utf-8", "surrogateescape")
            if (changed := change(text)) != text:
                opened.write(name, changed.encode("utf-8", "surrogateescape"))
    except RefusedPathError:
        return  # a link, or something else that this program did not create
