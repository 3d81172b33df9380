"""The jobs of the watch's worker that no real watch is needed for."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks.redact_again import is_due
from mind_skills.memory.records import SCHEMA
from mind_skills.redaction import personal
from mind_skills.store.database import DATABASE_NAME, Database
from mind_skills.watch.jobs import finish_sessions

SECRET = "gh" + "p_" + "0aA1bB2cC3dD4eE5fF6gG7hH8iI9jJ0kK1lL"
NOW = 1_790_000_000_000


def test_finishing_sessions_redacts_data_stored_under_older_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    personal.is_personal_redaction_enabled.cache_clear()
    home = tmp_path / "state"
    values = ("one", f"the token is {SECRET}")
    with Database.open(str(home), SCHEMA) as database, database.writing() as sql:
        sql.execute(
            "INSERT INTO memory_records VALUES (1, ?, 1, 'learning', ?, '', 'shop', '', '', 1, 0.0, 1, '', '')", values
        )
    assert finish_sessions(str(home), NOW, 60_000)["problems"] == []
    with Database.open(str(home), SCHEMA) as database, database.reading() as sql:
        (content,) = sql.execute("SELECT content FROM memory_records").fetchone()
    assert (content, is_due(str(home))) == ("the token is [redacted:github-token]", False)
    assert SECRET.encode() not in (home / DATABASE_NAME).read_bytes()
