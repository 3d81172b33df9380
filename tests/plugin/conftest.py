from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import find


@pytest.fixture(autouse=True)
def _apart(apart: Path) -> None:
    """Every test has its own home, state, settings and project, whether it asks for them or not."""


@pytest.fixture
def session(state: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Begin a session of the project, of which a hook tells; what is typed from now on is typed by its agent."""

    def begins(name: str) -> None:
        with Ledger.open(state) as ledger:
            ledger.seen(name, "claude-code", find(folder=str(project)), "", 1)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", name)

    return begins
