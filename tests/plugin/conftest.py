from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mind_skills.plugin.cli import run
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import find


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own home, state, settings and project; the real ones cannot be reached."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MIND_SKILLS_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("MIND_SKILLS_CONFIG", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)  # these tests are a person, unless they say otherwise
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.fixture
def project(apart: Path) -> Path:
    return apart / "project"


@pytest.fixture
def session(apart: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Begin a session of the project, of which a hook tells; what is typed from now on is typed by its agent."""

    def begins(name: str) -> None:
        with Ledger.open(apart / "state") as ledger:
            ledger.seen(name, "claude-code", find(folder=str(project)), "", 1)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", name)

    return begins


@pytest.fixture
def mind_skills(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command line in this process, as the console script does."""

    def call(*arguments: str | Path) -> Ran:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
