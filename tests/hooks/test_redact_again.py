"""Text that older rules let through is redacted by the current ones: resumable, without changing ids, votes or times."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import redact_again as again
from mind_skills.hooks.redact_again import TABLES, is_due, redact_again
from mind_skills.learning import storage as learned
from mind_skills.memory import records as remembered
from mind_skills.redaction import personal
from mind_skills.staging.tables import schema as staged
from mind_skills.store.database import Database
from tests.hooks.old_secrets import Secrets, find_secrets

SCHEMAS = (staged.SCHEMA, learned.SCHEMA, remembered.SCHEMA)
NOW = 4_000_000_000_000
EXEMPT = {
    "digests": {"session", "project"},
    "candidates": {"project", "fingerprint", "id", "state", "offered_to"},
    "sightings": {"project", "fingerprint", "session"},
    "offers": {"session", "project", "ids"},
    "sessions": {"session", "host", "project"},
    "places": {"project", "token", "asked", "kind", "detail"},
    "revisions": {"project", "ids"},
    "receipts": {"what", "project", "candidate", "session"},
    "skills_used": {"session", "project", "name", "how", "of_project", "of"},
    "outcomes": {"session", "project", "type"},
    "errors_met": {"session", "project"},
    "reminders": {"session", "project", "name"},
    "muted": {"project", "what"},
    "archived": {"project", "candidate"},
    "feedback": {"id", "criterion", "type", "task_id", "timestamp"},
    "task_errors": {"id", "task_id", "error_type", "project", "session"},
    "patterns": {"id", "kind", "inverted_to"},
    "maturities": {"pattern_id", "state"},
    "maturity_feedback": {"pattern_id", "type", "source"},
    "task_plans": {"project", "task_id", "session", "done_as"},
    "task_outcomes": {"project", "task_id", "said_by", "session", "failure_mode", "agent_name", "type"},
    "decisions": {"id", "project", "pattern_id", "what", "source"},
    "refused_votes": {"pattern_id", "source"},
    "memory_records": {"id", "kind", "project", "reference", "task_id", "source", "taint"},
    "memory_state": {"name", "value"},
    "versions": {"package"},
    "redacted": {"part", "rules", "upto"},
}
"""Columns that hold ids, states and names that we chose; in ``places``, answers of git, which is asked again."""


@pytest.fixture
def secrets() -> Secrets:
    return Secrets()


@pytest.fixture(autouse=True)
def _fresh_personal_cache() -> Iterator[None]:
    personal.is_personal_redaction_enabled.cache_clear()
    yield
    personal.is_personal_redaction_enabled.cache_clear()


def _columns(home: str) -> dict[str, dict[str, str]]:
    """The columns of every table with their types."""
    with Database.open(home, again.SCHEMA) as database, database.reading() as sql:
        names = [
            r[0] for r in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        ]
        return {name: {row[1]: row[2] for row in sql.execute(f"PRAGMA table_info({name})")} for name in names}


def _fill(home: str, secrets: Secrets) -> None:
    """Inserts three rows into every table, with a secret in every column that is to be redacted."""
    for schema in SCHEMAS:
        Database.open(home, schema).close()
    columns = _columns(home)
    with Database.open(home, again.SCHEMA) as database, database.writing() as sql:
        for table in TABLES:
            for number in (1, 2, 3):
                values: dict[str, Any] = {}
                for name, kind in columns[table.name].items():
                    where = f"{table.name}.{name}.{number}"
                    if name == "n":
                        values[name] = number
                    elif name in table.documents:
                        values[name] = json.dumps(
                            {"id": f"sc_{number}", "title": f"with {secrets[where]}", "list": ["jane@corp.com"]}
                        )
                    elif name in (*table.texts, *table.paths):
                        values[name] = f"text with {secrets[where]} of jane@corp.com"
                    else:
                        values[name] = number if kind in ("INTEGER", "REAL") else f"{name}-{number}"
                marks = ", ".join("?" * len(values))
                sql.execute(f"INSERT INTO {table.name} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def _rows(home: str) -> dict[str, list[tuple[object, ...]]]:
    """The columns that are not redacted, by table."""
    found = {}
    with Database.open(home, again.SCHEMA) as database, database.reading() as sql:
        for table in TABLES:
            info = [row[1] for row in sql.execute(f"PRAGMA table_info({table.name})")]
            columns = [c for c in info if c not in (*table.texts, *table.documents, *table.paths, "version")]
            found[table.name] = sql.execute(f"SELECT {', '.join(columns)} FROM {table.name} ORDER BY 1, 2").fetchall()
    return found


def test_every_text_column_of_every_table_is_redacted_or_exempt(tmp_path: Path) -> None:
    home = str(tmp_path / "state")
    for schema in SCHEMAS:
        Database.open(home, schema).close()
    redacted = {t.name: {*t.texts, *t.documents, *t.paths} for t in TABLES}
    texts = {
        name: {column for column, kind in columns.items() if kind == "TEXT"} for name, columns in _columns(home).items()
    }
    unknown = {name: found - redacted.get(name, set()) - EXEMPT.get(name, set()) for name, found in texts.items()}
    assert {name: left for name, left in unknown.items() if left} == {}


def test_repeated_redaction_removes_every_secret_from_the_database_and_changes_no_other_column(
    tmp_path: Path, secrets: Secrets
) -> None:
    home = tmp_path / "state"
    _fill(str(home), secrets)
    before = _rows(str(home))
    assert {where for _, where in find_secrets(home, secrets)} == set(secrets.made)
    assert is_due(str(home))
    assert redact_again(str(home))
    assert not is_due(str(home))
    assert find_secrets(home, secrets) == []
    assert "jane@corp.com" not in (home / "mind-skills.db").read_bytes().decode("latin-1")
    assert _rows(str(home)) == before


def test_repeated_redaction_removes_secrets_from_freed_pages(tmp_path: Path, secrets: Secrets) -> None:
    home = tmp_path / "state"
    _fill(str(home), secrets)
    with Database.open(str(home), learned.SCHEMA) as database:
        database.sql.execute("PRAGMA secure_delete = OFF")
        database.sql.execute("DELETE FROM task_errors")
        database.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert any(where.startswith("task_errors") for _, where in find_secrets(home, secrets))
    assert redact_again(str(home))
    assert find_secrets(home, secrets) == []


def test_a_redaction_interrupted_at_any_batch_resumes_with_the_same_result(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "BATCH_ROWS", 1)
    home = tmp_path / "state"
    _fill(str(home), secrets)
    before = _rows(str(home))

    class KilledError(Exception):
        pass

    runs = 0
    while is_due(str(home)):
        runs += 1
        steps = [3 if runs % 2 else 1]

        def step(steps: list[int] = steps) -> None:
            steps[0] -= 1
            if steps[0] == 0:
                raise KilledError

        try:
            redact_again(str(home), step=step)
        except KilledError:
            continue
    assert runs > 20
    assert find_secrets(home, secrets) == []
    assert _rows(str(home)) == before


def test_a_run_stops_at_its_time_limit_and_the_next_run_continues(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "BATCH_ROWS", 1)
    home = str(tmp_path / "state")
    _fill(home, secrets)
    steps: list[int] = []
    assert redact_again(home, seconds=-1.0, step=lambda: steps.append(1)) is False
    assert len(steps) == 1
    assert redact_again(home, seconds=-1.0, step=lambda: steps.append(1)) is False
    assert len(steps) == 2


def test_a_change_of_the_rules_or_of_the_personal_data_setting_makes_redaction_due_again(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "state")
    _fill(home, secrets)
    assert redact_again(home)
    monkeypatch.setattr(again, "compute_rules_version", lambda: "2099-01-01-abc")
    assert is_due(home)
    assert redact_again(home)
    monkeypatch.setattr(again, "is_personal_redaction_enabled", lambda: False)
    assert is_due(home)


def test_a_missing_state_folder_needs_no_redaction_and_is_not_created(tmp_path: Path) -> None:
    assert redact_again(str(tmp_path / "state"))
    assert not (tmp_path / "state").exists()
