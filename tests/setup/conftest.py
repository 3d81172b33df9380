from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate as make_candidate


@pytest.fixture(autouse=True)
def _default_folders(repository: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and settings are in their default folders below the home, and no host is on the PATH."""
    monkeypatch.delenv("MIND_SKILLS_HOME")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def state(home: Path) -> Path:
    return home / ".local/state/mind-skills"


@pytest.fixture
def learn() -> Callable[[Path, Path], Candidate]:
    """A function that records a session of Claude Code, and stages one candidate that it learned in a project."""

    def record_and_stage(state: Path, project: Path) -> Candidate:
        candidate = make_candidate("boom", at=2)
        with Ledger.open(state) as ledger:
            place = resolve_project(project_folder=str(project))
            ledger.register_session("one", "claude-code", place, "", 1)
            ledger.stage(place, "one", "claude-code", [candidate], 3)
        return candidate

    return record_and_stage


@pytest.fixture
def tree() -> Callable[[Path], dict[str, tuple[int, bytes | str]]]:
    """A function that returns the mode and content of everything below a folder, by relative path.

    The content is bytes for a file, and a text for a link or a folder.
    """

    def read_tree(top: Path) -> dict[str, tuple[int, bytes | str]]:
        entries: dict[str, tuple[int, bytes | str]] = {}
        for path in sorted(top.rglob("*")):
            content: bytes | str = "folder"
            if path.is_symlink():
                content = f"link to {path.readlink()}"
            elif path.is_file():
                content = path.read_bytes()
            entries[str(path.relative_to(top))] = (path.lstat().st_mode, content)
        return entries

    return read_tree
