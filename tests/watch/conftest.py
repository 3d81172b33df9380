"""A machine with nothing on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))  # importlib mode leaves the folder off the path

from machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A home of its own, with one project in it."""
    with Machine(tmp_path) as made:
        yield made
