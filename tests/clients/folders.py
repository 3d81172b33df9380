"""Where the clients are, where they run, what happens where one is missing, and a checkout for those that install from one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests.testkit.paths import ROOT


def clients_folder() -> Path:
    """Where ``install.sh`` puts the clients: outside the repository, shared by all checkouts."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("MIND_SKILLS_CLIENTS") or f"{cache}/mind-skills-clients")


def runs_folder() -> Path:
    """Where the clients' homes and projects are: not below /tmp, where clients count changes as scratch work."""
    folder = clients_folder() / "runs"
    folder.mkdir(exist_ok=True)
    return folder


def copied(folder: Path) -> Path:
    """A checkout of its own in that folder, as far as it is shipped."""
    unshipped = shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis", "__pycache__")
    shutil.copytree(ROOT, folder, symlinks=True, ignore=unshipped)
    return folder


def missing(reason: str) -> NoReturn:
    """Skip, but where the real clients are required: there it is a failure."""
    if os.environ.get("MIND_SKILLS_REQUIRE_CLIENTS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def required(program: Path) -> None:
    """A test that needs a client ends here if it is not installed."""
    if not program.exists():
        missing("the real client is not installed; run tests/clients/install.sh")
