"""A home and a project for each server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tasks.mcp.mcp_place import Place


@pytest.fixture(autouse=True)
def _apart() -> None:
    """Do nothing: here, ``place`` sets the folders."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A home, a state folder and a project of this test, for its own process and for servers."""
    made = Place(tmp_path)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    for name in ("CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(made.project)
    return made
