"""Settings that cannot be read for the moment: nothing is pruned because of them, and no spool is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.plugin.opencode import SPOOL_FOLDER
from mind_skills.plugin.opencode.spool import drain_spool
from mind_skills.settings import lenient
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import ensure_folder

GONE = 2**22 + 1
"""A number that Linux gives to no process."""
BROKEN = "enabled = maybe\n"


@pytest.fixture
def spool(project: Path) -> Path:
    """The spool of an OpenCode process that has ended, with one session."""
    path = Path(ensure_folder(), SPOOL_FOLDER, f"{GONE}.jsonl")
    path.parent.mkdir(parents=True)
    payload = {"event": "idle", "sessionID": "of-opencode", "directory": str(project), "pid": GONE, "at": 5}
    path.write_text(json.dumps(payload) + "\n")
    return path


def list_sessions() -> list[str]:
    with Ledger.open(ensure_folder()) as ledger:
        return sorted(seen.session_id for seen in ledger.list_unfinished())


@pytest.mark.parametrize("place", ["project", "home"])
def test_a_spool_waits_until_the_settings_that_may_disable_it_can_be_read(
    spool: Path, project: Path, apart: Path, place: str
) -> None:
    folder = project / ".claude" if place == "project" else apart / "home/.config/mind-skills"
    folder.mkdir(parents=True)
    path = folder / "mind-skills.toml"
    path.write_text(BROKEN)
    (problem,) = drain_spool(ensure_folder())
    assert str(path) in problem
    assert (spool.exists(), list_sessions()) == (True, [])
    path.unlink()
    assert drain_spool(ensure_folder()) == []
    assert (spool.exists(), list_sessions()) == (False, ["of-opencode"])


def test_the_spool_of_a_disabled_project_is_removed(spool: Path, project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").write_text("enabled = false\n")
    assert (drain_spool(ensure_folder()), spool.exists(), list_sessions()) == ([], False, [])


@pytest.mark.parametrize("text", [BROKEN, "retention_days = 30\nx = [\n"])
def test_unreadable_settings_mean_the_longest_retention_and_the_most_episodes(apart: Path, text: str) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text("retention_days = 30\n[memory]\nepisodes = 7\n")
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (30, 7)
    path.write_text(text)
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (36_500, 100_000)
