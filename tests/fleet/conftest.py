"""The extra `fleet`: its tests are run by `make fleet`, and not collected where the extra is not installed."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.testkit.paths import DEMO

INSTALLED = all(find_spec(name) for name in ("distributed", "pyarrow", "pebble"))
if not INSTALLED and os.environ.get("MIND_SKILLS_REQUIRE_EXTRAS") == "fleet":
    raise RuntimeError("dask[distributed], pyarrow and pebble have to be installed")
collect_ignore_glob = [] if INSTALLED else ["test_extras_*.py"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with twelve sessions, each with one learning."""
    folder = tmp_path / "logs"
    for number in range(12):
        (folder / f"project-{number % 3}").mkdir(parents=True, exist_ok=True)
        text = DEMO.read_text(encoding="utf-8")
        session = text[text.index('"sessionId":"') + 13 :].partition('"')[0]
        changed = text.replace(session, f"session-{number}")
        (folder / f"project-{number % 3}" / f"session-{number}.jsonl").write_text(changed, encoding="utf-8")
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of the results; nobody has made it yet."""
    return tmp_path / "scan"


@pytest.fixture
def with_big_log(logs: Path) -> Path:
    """The same folder with a sparse file of 2 GB among the sessions."""
    with (logs / "sparse.jsonl").open("wb") as file:
        file.truncate(2_000_000_000)
    shutil.copy(DEMO, logs / "one-more.jsonl")
    return logs
