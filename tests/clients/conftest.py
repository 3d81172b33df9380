"""Real clients: skipped with a reason where they are not installed, a failure where they are required."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.client import Client, Found, running
from tests.clients.folders import runs_folder
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode

HERE = Path(__file__).resolve().parent

KINDS: dict[str, type[Client]] = {"claude": Claude, "codex": Codex, "gemini": Gemini, "opencode": OpenCode}
"""By the name of the fixture that runs the client."""
WANT = "the real client is not installed; run tests/clients/install.sh"


@pytest.hookimpl(tryfirst=True)  # the marker is there before -m looks for it
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    required = os.environ.get("MIND_SKILLS_REQUIRE_CLIENTS") == "1"
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.clients)
        chosen = (
            item.callspec.params.get("client")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else ""
        )
        names = {chosen, *getattr(item, "fixturenames", ())}
        missing = any(name in names and not kind.program().exists() for name, kind in KINDS.items())
        if missing and not required:
            item.add_marker(pytest.mark.skip(reason=WANT))


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
    if not kind.program().exists():
        pytest.fail(WANT)
    with (
        tempfile.TemporaryDirectory(dir=runs_folder(), ignore_cleanup_errors=True) as folder,
        running(kind, Path(folder) / "run") as client,
    ):
        yield client
