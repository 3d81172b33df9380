"""A machine with nothing on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugin.watch.machine import Machine


@pytest.fixture(autouse=True)
def _apart() -> None:
    """What is started here gets its folders from the machine."""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A home of its own, with one project in it."""
    with Machine(tmp_path) as made:
        yield made
