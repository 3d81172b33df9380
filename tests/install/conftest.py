from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mind_skills.detectors.model import Evidence
from mind_skills.plugin.cli import run
from mind_skills.staging.identity import candidate_id, fingerprint
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import find

sys.path.insert(0, str(Path(__file__).resolve().parent))  # importlib mode leaves the folder off the path


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it, where state and settings are in their usual places; no host is on the PATH."""
    place = tmp_path / "home"
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in (
        *("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"),
        *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(project)
    return place


@pytest.fixture
def state(home: Path) -> Path:
    """Where the state is, unless a test names another place."""
    return home / ".local/state/mind-skills"


@pytest.fixture
def learn() -> Callable[[Path, Path], Candidate]:
    """A session of Claude Code that was observed, and learned one thing in a project."""

    def once(state: Path, project: Path) -> Candidate:
        mark = fingerprint("error_fix", "boom")
        evidence = (Evidence("problem", "symptom", "boom", "", 1), Evidence("solution", "cause", "calm", "", 2))
        candidate = Candidate(
            candidate_id(mark), "error_fix", "Boom", "it failed", "high", mark, evidence, score=1.0, detected_at=2
        )
        with Ledger.open(state) as ledger:
            place = find(named=str(project))
            ledger.seen("one", "claude-code", place, "", 1)
            ledger.stage(place, "one", "claude-code", [candidate], 3)
        return candidate

    return once


@pytest.fixture
def mind_skills(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command line in this process, as the console script does."""

    def call(*arguments: str | Path) -> Ran:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def tree() -> Callable[[Path], dict[str, tuple[int, bytes | str]]]:
    """Everything below a folder: mode, and content or target of the link; folders count as well."""

    def look(top: Path) -> dict[str, tuple[int, bytes | str]]:
        found: dict[str, tuple[int, bytes | str]] = {}
        for path in sorted(top.rglob("*")):
            kind: bytes | str = "folder"
            if path.is_symlink():
                kind = f"link to {path.readlink()}"
            elif path.is_file():
                kind = path.read_bytes()
            found[str(path.relative_to(top))] = (path.lstat().st_mode, kind)
        return found

    return look
