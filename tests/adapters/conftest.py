"""A host that starts hooks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))  # importlib mode leaves the folder off the path

from hook_host import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """One project, one state folder."""
    return Host(tmp_path)
