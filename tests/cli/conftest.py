from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _isolated(apart: Path) -> None:
    """Every test has its own home, state, settings and project, whether it requests them or not."""
