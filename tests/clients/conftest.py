"""Real clients, each with new folders."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.client import Client, ClientKind, run_client
from tests.clients.folders import get_runs_folder, require_program
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode

HERE = Path(__file__).resolve().parent


@pytest.hookimpl(tryfirst=True)  # the marker is there before -m looks for it
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.clients)


@pytest.fixture
def claude() -> Iterator[Claude]:
    """The real Claude Code with new folders."""
    yield from open_client(Claude)


@pytest.fixture
def codex() -> Iterator[Codex]:
    yield from open_client(Codex)


@pytest.fixture
def gemini() -> Iterator[Gemini]:
    yield from open_client(Gemini)


@pytest.fixture
def opencode() -> Iterator[OpenCode]:
    yield from open_client(OpenCode)


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Client:
    """The client that a test names as its parameter."""
    found: Client = request.getfixturevalue(request.param)
    return found


def open_client(kind: type[ClientKind]) -> Iterator[ClientKind]:
    require_program(kind.program())
    with (
        tempfile.TemporaryDirectory(dir=get_runs_folder(), ignore_cleanup_errors=True) as folder,
        run_client(kind, Path(folder) / "run") as client,
    ):
        yield client
