"""Fixtures for a small world in which sessions start, learn, go idle, end and die."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hooks.lifecycle_world import World


@pytest.fixture(autouse=True, scope="module")
def _temporary_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A temporary home, because hooks also search the home for skills."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        yield


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """One project, one state folder, any number of sessions."""
    with World(tmp_path) as world:
        yield world
