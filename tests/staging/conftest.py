from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode leaves the folder off the path

from workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A state folder, a project that is a git repository, and an open ledger."""
    with Workbench(tmp_path) as opened:
        yield opened
