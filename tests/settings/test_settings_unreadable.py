"""Settings that cannot be read for the moment: nothing is pruned because of them, and no spool is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.hooks import captured_spools
from mind_skills.plugin.opencode import SPOOL_FOLDER
from mind_skills.plugin.opencode.spool import drain_spool
from mind_skills.settings import lenient
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import ensure_folder

GONE = 2**22 + 1
"""A number that Linux gives to no process."""
BROKEN = "enabled = maybe\n"


@pytest.fixture
def spooled(project: Path) -> str:
    """A state folder with a spool of OpenCode and a spool of a captured session."""
    place = Path(ensure_folder())
    for folder in (SPOOL_FOLDER, captured_spools.FOLDER):
        (place / folder).mkdir(parents=True)
    payload = {"event": "idle", "sessionID": "of-opencode", "directory": str(project), "pid": GONE, "at": 5}
    (place / SPOOL_FOLDER / f"{GONE}.jsonl").write_text(json.dumps(payload) + "\n")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "captured", "prompt": "x"}
    line = {"capture": 1, "host": "claude-code", "at": 5, "pid": 0, "project": str(project), "event": event}
    (place / captured_spools.FOLDER / "claude-code-x.jsonl").write_text(json.dumps(line) + "\n")
    return str(place)


def list_spools(spooled: str) -> list[str]:
    return sorted(path.name for path in Path(spooled, "spool").rglob("*.jsonl"))


def list_sessions(spooled: str) -> list[str]:
    with Ledger.open(spooled) as ledger:
        return sorted(seen.session_id for seen in ledger.list_unfinished())


def import_spools(spooled: str) -> list[str]:
    """Imports both spools; returns the problems."""
    return [*drain_spool(spooled), *captured_spools.adopt_spools(spooled, 6)]


@pytest.mark.parametrize("place", ["project", "home"])
def test_spools_wait_until_the_settings_that_may_disable_them_can_be_read(
    spooled: str, project: Path, apart: Path, place: str
) -> None:
    folder = project / ".claude" if place == "project" else apart / "home/.config/mind-skills"
    folder.mkdir(parents=True)
    path = folder / "mind-skills.toml"
    path.write_text(BROKEN)
    (problem,) = import_spools(spooled)
    assert str(path) in problem
    assert (list_spools(spooled), list_sessions(spooled)) == ([f"{GONE}.jsonl", "claude-code-x.jsonl"], [])
    path.unlink()
    assert import_spools(spooled) == []
    assert (list_spools(spooled), list_sessions(spooled)) == (["claude-code-x.jsonl"], ["captured", "of-opencode"])


def test_spools_of_a_disabled_project_are_removed(spooled: str, project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").write_text("enabled = false\n")
    assert (import_spools(spooled), list_spools(spooled), list_sessions(spooled)) == ([], [], [])


@pytest.mark.parametrize("text", [BROKEN, "retention_days = 30\nx = [\n"])
def test_unreadable_settings_mean_the_longest_retention_and_the_most_episodes(apart: Path, text: str) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text("retention_days = 30\n[memory]\nepisodes = 7\n")
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (30, 7)
    path.write_text(text)
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (36_500, 100_000)
