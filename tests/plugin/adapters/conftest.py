"""A host that starts hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.adapters.hook_host import Host


@pytest.fixture(autouse=True)
def _apart() -> None:
    """Processes that are started here get their folders from the host."""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """One project, one state folder."""
    return Host(tmp_path)
