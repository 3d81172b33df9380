"""The folders of the clients and of their runs, tests without a client, and a copy of the checkout to install from."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests.testkit.paths import ROOT


def get_clients_folder() -> Path:
    """Return where ``install.sh`` puts the clients: outside the repository, shared by all checkouts."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("MIND_SKILLS_CLIENTS") or f"{cache}/mind-skills-clients")


def get_runs_folder() -> Path:
    """Return where the clients' homes and projects are: not below /tmp, where clients count changes as scratch work."""
    folder = get_clients_folder() / "runs"
    folder.mkdir(exist_ok=True)
    return folder


def copy_checkout(folder: Path) -> Path:
    """Copy the shipped files of the checkout to that folder."""
    unshipped = shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis", "__pycache__")
    shutil.copytree(ROOT, folder, symlinks=True, ignore=unshipped)
    return folder


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test; fail it if the real clients are required."""
    if os.environ.get("MIND_SKILLS_REQUIRE_CLIENTS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def require_program(program: Path) -> None:
    """Skip or fail the test if that client is not installed."""
    if not program.exists():
        skip_or_fail("the real client is not installed; run tests/clients/install.sh")
