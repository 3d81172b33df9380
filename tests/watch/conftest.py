"""A machine with nothing on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watch.here import Here
from tests.watch.machine import Machine


@pytest.fixture(autouse=True)
def _apart() -> None:
    """What is started here gets its folders from the machine."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Here]:
    """A home of its own, with one project in it; the watch runs in this process, and waits for nothing."""
    with Here(tmp_path, monkeypatch, capfd) as made:
        yield made


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Machine]:
    """The same with the watch, and every command, as processes of their own."""
    with Machine(tmp_path) as made:
        yield made
