"""Fixtures for an empty machine, with the watch in this process or in a separate one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watch.in_process import InProcessMachine
from tests.watch.machine import Machine


@pytest.fixture(autouse=True)
def _isolated() -> None:
    """Replace the isolation of other tests: processes started here get their folders from the machine."""


@pytest.fixture
def machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[InProcessMachine]:
    """A home with one project. The watch runs in this process, and waiting takes no time."""
    with InProcessMachine(tmp_path, monkeypatch, capfd) as machine:
        yield machine


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Machine]:
    """The same, but the watch and every command run as separate processes."""
    with Machine(tmp_path) as machine:
        yield machine
