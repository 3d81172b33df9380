"""A database that only resembles OpenCode's is rejected before any of it is evaluated."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.observations.model import Session
from mind_skills.observations.readers import opencode_db, opencode_file

SESSION = "CREATE TABLE session(id, parent_id, time_updated, time_created, directory)"
MESSAGE = "CREATE TABLE message(id, session_id, time_created, time_updated, data)"
PART = "CREATE TABLE part(id, message_id, session_id, time_created, time_updated, data)"
ENDLESS = "AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"
SESSIONS = "'ses_' || x AS id, NULL AS parent_id, x AS time_updated, x AS time_created, '/x' AS directory"
REJECTED = {
    "session": (f"CREATE VIEW session {ENDLESS} {SESSIONS} FROM c", MESSAGE, PART),
    "message": (SESSION, f"CREATE VIEW message {ENDLESS} x AS id, 'ses_1' AS session_id, '{{}}' AS data FROM c", PART),
    "Part": (SESSION, MESSAGE, PART.replace("part", "Part").replace("data", "data AS (hex(zeroblob(400000000)))")),
}


def make_database(path: Path, statements: tuple[str, ...]) -> Path:
    with closing(sqlite3.connect(path)) as database:
        for statement in (*statements, "INSERT INTO session VALUES ('ses_1', NULL, 1, 1, '/x')"):
            if not statement.startswith("INSERT") or SESSION in statements:
                database.execute(statement)
        database.commit()
    return path


@pytest.mark.parametrize("which", REJECTED)
def test_a_view_or_a_computed_column_is_rejected(tmp_path: Path, which: str) -> None:
    path = make_database(tmp_path / "opencode.db", REJECTED[which])
    for ask in (
        lambda: opencode_file.get_last_change(path),
        lambda: opencode_db.list_sessions(path),
        lambda: list(opencode_db.read(path, Session())),
    ):
        with pytest.raises(OSError, match=f"{which} is not a plain table"):
            ask()


def test_plain_tables_are_read_whatever_else_is_in_the_database(tmp_path: Path) -> None:
    path = make_database(
        tmp_path / "opencode.db", (SESSION, MESSAGE, PART, "CREATE VIEW others AS SELECT id FROM session")
    )
    assert opencode_db.list_sessions(path) == ["ses_1"]
