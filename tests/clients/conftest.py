"""Real clients, each over fresh folders."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.client import Client, Found, running
from tests.clients.folders import required, runs_folder
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
    """The real client over fresh folders, as the other three."""
    yield from fresh(Claude)


@pytest.fixture
def codex() -> Iterator[Codex]:
    yield from fresh(Codex)


@pytest.fixture
def gemini() -> Iterator[Gemini]:
    yield from fresh(Gemini)


@pytest.fixture
def opencode() -> Iterator[OpenCode]:
    yield from fresh(OpenCode)


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Client:
    """The one of the four that a test names as its parameter."""
    found: Client = request.getfixturevalue(request.param)
    return found


def fresh(kind: type[Found]) -> Iterator[Found]:
    required(kind.program())
    with (
        tempfile.TemporaryDirectory(dir=runs_folder(), ignore_cleanup_errors=True) as folder,
        running(kind, Path(folder) / "run") as client,
    ):
        yield client
