from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _apart(apart: Path) -> None:
    """Give every test its own home, state, settings and project."""
