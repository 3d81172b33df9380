"""A home and a project for each server, and the folder of these tests on the path (importlib mode leaves it off)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tasks.mcp.mcp_place import Place


@pytest.fixture(autouse=True)
def _apart() -> None:
    """What is started here gets its folders from the place."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A home, a state and a project that the real ones cannot be reached from, here and in a server."""
    made = Place(tmp_path)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    for name in ("CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(made.project)
    return made
