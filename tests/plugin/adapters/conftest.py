"""A host that starts hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.adapters.hook_host import Host


@pytest.fixture(autouse=True)
def _apart() -> None:
    """Do nothing: the ``host`` gives the processes that are started here their folders."""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """One project, one state folder."""
    return Host(tmp_path)
