"""Real clients: skipped with a reason where they are not installed, a failure where they are required."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import (
    real_claude,
    real_codex,
    real_gemini,
    real_opencode,
)
from tests.clients.hook_client import Found, running

HERE = Path(__file__).resolve().parent

BINARIES = {
    "claude": real_claude.claude_binary(),
    "codex": real_codex.codex_binary(),
    "gemini": real_gemini.gemini_script(),
    "opencode": real_opencode.opencode_binary(),
}
"""By the name of the fixture that runs the client."""
WANT = "the real client is not installed; run tests/clients/install.sh"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "client: runs a real coding agent against a scripted model on loopback")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    required = os.environ.get("MIND_SKILLS_REQUIRE_CLIENTS") == "1"
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.client)
        names = getattr(item, "fixturenames", ())
        missing = any(name in names and not path.exists() for name, path in BINARIES.items())
        if missing and not required:
            item.add_marker(pytest.mark.skip(reason=WANT))


@pytest.fixture
def claude() -> Iterator[real_claude.Client]:
    """The real client over fresh folders."""
    with folder_for("claude") as folder, real_claude.client(folder) as client:
        yield client


@pytest.fixture
def codex() -> Iterator[real_codex.Codex]:
    """The real client over fresh folders."""
    yield from hook_client("codex", real_codex.Codex)


@pytest.fixture
def gemini() -> Iterator[real_gemini.Gemini]:
    """The real client over fresh folders."""
    yield from hook_client("gemini", real_gemini.Gemini)


@pytest.fixture
def opencode() -> Iterator[real_opencode.Client]:
    """The real client over fresh folders, with the plugin file as an installation writes it."""
    with folder_for("opencode") as folder, real_opencode.client(folder) as client:
        client.install()
        yield client


def hook_client(name: str, kind: type[Found]) -> Iterator[Found]:
    with folder_for(name) as folder, running(kind, folder) as client:
        yield client


@contextlib.contextmanager
def folder_for(name: str) -> Iterator[Path]:
    """A fresh folder that is not below /tmp, where clients count changes as scratch work."""
    if not BINARIES[name].exists():
        pytest.fail(WANT)
    runs = real_claude.clients_folder() / "runs"
    runs.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=runs, ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "run"
