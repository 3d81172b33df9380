"""A secret in any text field of any supported log appears in none of its observations."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from mind_skills.errors import LogError
from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session
from tests.redaction.planted import ISSUED
from tests.testkit.examples import stride
from tests.testkit.paths import FIXTURES

LOGS = {
    "claude_code/transcript.jsonl": "claude-code",
    "codex/rollout-2025.jsonl": "codex-rollout",
    "codex/rollout-0.142.jsonl": "codex-rollout",
    "codex/rollout-0.169.jsonl": "codex-rollout",
    "gemini/chat-0.61.jsonl": "gemini",
    "antigravity/brain/00000000000000000000000000000002/.system_generated/logs/transcript_full.jsonl": "antigravity",
    "gemini/chat-document.json": "gemini",
    "opencode/export-1.18.json": "opencode-export",
    "opencode/export-refusals.json": "opencode-export",
    "swe_agent/session.traj": "swe-agent-traj",
    "mini_swe_agent/session.traj.json": "mini-swe-traj",
    "mini_swe_agent/blocks.traj.json": "mini-swe-traj",
}
SECRET = ISSUED["github-token"][0](Random(7))
Place = tuple[object, ...]
MAX_TEXTS = 60
"""If a log has more texts than this, the default run tries only some of them."""


def _texts(value: object, at: Place = ()) -> Iterator[Place]:
    """The places of all texts in a document."""
    if isinstance(value, str):
        yield at
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, (*at, number))


def _plant(value: object, at: Place) -> object:
    """The document with the secret appended to the text at a place."""
    if not at:
        return f"{value} {SECRET}"
    if isinstance(value, dict):
        return {key: _plant(inner, at[1:]) if key == at[0] else inner for key, inner in value.items()}
    assert isinstance(value, list)
    return [_plant(inner, at[1:]) if number == at[0] else inner for number, inner in enumerate(value)]


def _dump(session: Session) -> str:
    """Everything that detectors can see, and the recorded skills and warnings."""
    parts = [
        *map(asdict, session.observations),
        *map(asdict, session.skills),
        *map(asdict, session.warnings),
    ]
    return json.dumps(parts, ensure_ascii=False)


@pytest.mark.parametrize("name", LOGS)
def test_a_secret_after_any_text_of_a_log_is_in_no_observation(name: str, tmp_path: Path) -> None:
    text = (FIXTURES / name).read_text("utf-8")
    rows = [json.loads(row) for row in text.splitlines()] if name.endswith(".jsonl") else [json.loads(text)]
    log = tmp_path / "log"
    reached = 0
    leaked: list[Place] = []
    places = [(number, row, place) for number, row in enumerate(rows) for place in _texts(row)]
    for number, row, place in places[:: stride(1 + len(places) // MAX_TEXTS)]:
        changed = [*rows[:number], _plant(row, place), *rows[number + 1 :]]
        log.write_text("\n".join(json.dumps(each) for each in changed), "utf-8")
        try:
            shown = _dump(read_session(log, LOGS[name]))
        except LogError:
            continue  # no longer a log of this format, so it shows nothing
        reached += "[redacted:" in shown
        leaked += [(number, *place)] if SECRET[4:] in shown else []
    assert leaked == []
    assert reached > 3  # enough of the texts do reach an observation


def test_a_secret_after_any_text_of_opencodes_database_is_in_no_observation(tmp_path: Path) -> None:
    script = (FIXTURES / "opencode" / "database-1.18.sql").read_text("utf-8")
    reached, leaked = 0, list[str]()
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(script)
        rows = [
            (table, *row)
            for table in ("message", "part")
            for row in connection.execute(f"SELECT id, data FROM {table}")
        ]
    planted = [(*row, place) for row in rows for place in _texts(json.loads(row[2]))]
    for table, row_id, data, place in planted[:: stride(1 + len(planted) // MAX_TEXTS)]:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            changed = json.dumps(_plant(json.loads(data), place))
            connection.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (changed, row_id))
        shown = _dump(read_session(path, "opencode-db"))
        reached += "[redacted:" in shown
        leaked += [f"{table} {row_id} {place}"] if SECRET[4:] in shown else []
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (data, row_id))
    assert leaked == []
    assert reached > 3
