"""Fixtures for logs of hosts, and for comparing observations by all fields that differ from their defaults.

Fields that are derived from a command or an error are tested with the modules that derive them, not with each reader.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from mind_skills.observations.model import Observation, Session
from tests.testkit.paths import FIXTURES

EXPECTED = Path(__file__).parent / "expected"
DERIVED = ("signature", "target", "error_signature")
_DEFAULTS = asdict(Observation("tool", 0))


def _facts(observation: Observation) -> dict[str, object]:
    facts = {
        key: value for key, value in asdict(observation).items() if key in ("kind", "line") or value != _DEFAULTS[key]
    }
    for key in DERIVED:
        facts.pop(key, None)
    if "files" in facts:
        facts["files"] = list(observation.files)
    return facts


@pytest.fixture
def facts() -> Callable[[Session], list[dict[str, object]]]:
    """A function that returns the observations of a session as dictionaries without default values."""
    return lambda session: [_facts(observation) for observation in session.observations]


@pytest.fixture
def expected() -> Callable[[str], list[dict[str, object]]]:
    """A function that reads the expected observations of a fixture, stored as one JSON object per line."""
    return lambda name: [json.loads(line) for line in (EXPECTED / f"{name}.jsonl").read_text().splitlines()]


@pytest.fixture
def log() -> Callable[[str], Path]:
    """A function that returns the path of a fixture."""
    return lambda name: FIXTURES / name


@pytest.fixture(scope="session")
def _database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("opencode") / "opencode.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript((FIXTURES / "opencode" / "database-1.18.sql").read_text())
    return path


@pytest.fixture
def database(_database: Path, tmp_path: Path) -> Path:
    """OpenCode's database as 1.18.33 wrote it: a root session and the subagent that it started."""
    return Path(shutil.copy(_database, tmp_path))


@pytest.fixture
def write_log(tmp_path: Path) -> Callable[[bytes], Path]:
    """A function that writes bytes into a file and returns its path."""

    def write(data: bytes) -> Path:
        path = tmp_path / "log"
        path.write_bytes(data)
        return path

    return write
