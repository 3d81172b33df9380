"""The extra `fleet`: its tests are run by `make fleet`, and not collected where the extra is not installed."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.testkit.paths import DEMO, FIXTURES

INSTALLED = all(find_spec(name) for name in ("distributed", "pyarrow"))
if not INSTALLED and os.environ.get("MIND_SKILLS_REQUIRE_EXTRAS") == "fleet":
    raise RuntimeError("dask[distributed] and pyarrow have to be installed")
collect_ignore_glob = [] if INSTALLED else ["test_extras_*.py"]
LOGS = 12


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with twelve sessions of three projects, each with one learning."""
    folder = tmp_path / "logs"
    text = DEMO.read_text(encoding="utf-8")
    first = next(record for line in text.splitlines() if "cwd" in (record := json.loads(line)))
    session, project = first["sessionId"], first["cwd"]
    for number in range(LOGS):
        (folder / f"project-{number % 3}").mkdir(parents=True, exist_ok=True)
        changed = text.replace(session, f"session-{number}").replace(project, f"/srv/project-{number % 3}")
        (folder / f"project-{number % 3}" / f"session-{number}.jsonl").write_text(changed, encoding="utf-8")
    return folder


@pytest.fixture
def mixed_logs(logs: Path) -> Path:
    """The same folder with logs of other coding agents, a log that is cut off, and a file of another program."""
    (logs / "rollout-0.169.jsonl").write_bytes((FIXTURES / "codex" / "rollout-0.169.jsonl").read_bytes())
    (logs / "cut.jsonl").write_bytes(DEMO.read_bytes()[:-200])
    (logs / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    return logs


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of the results, which does not exist yet."""
    return tmp_path / "scan"
