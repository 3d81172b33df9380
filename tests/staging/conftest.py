from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.staging.workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A state folder, a project that is a git repository, and an open ledger."""
    with Workbench(tmp_path) as bench:
        yield bench
