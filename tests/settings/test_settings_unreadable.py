"""Settings that cannot be read at the moment: nothing is forgotten for it, and nothing that was left behind is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.hooks import captured_spools
from mind_skills.plugin.opencode.spool import FOLDER, drain_spool
from mind_skills.settings import lenient
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import ensure_folder

GONE = 2**22 + 1
"""No Linux gives a process such a number."""
BROKEN = "enabled = maybe\n"


@pytest.fixture
def spooled(project: Path) -> str:
    """A state folder in which OpenCode and a captured session have left a spool each."""
    place = Path(ensure_folder())
    for folder in (FOLDER, captured_spools.FOLDER):
        (place / folder).mkdir(parents=True)
    moment = {"event": "idle", "sessionID": "of-opencode", "directory": str(project), "pid": GONE, "at": 5}
    (place / FOLDER / f"{GONE}.jsonl").write_text(json.dumps(moment) + "\n")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "captured", "prompt": "x"}
    line = {"capture": 1, "host": "claude-code", "at": 5, "pid": 0, "project": str(project), "event": event}
    (place / captured_spools.FOLDER / "claude-code-x.jsonl").write_text(json.dumps(line) + "\n")
    return str(place)


def left(spooled: str) -> list[str]:
    return sorted(path.name for path in Path(spooled, "spool").rglob("*.jsonl"))


def known(spooled: str) -> list[str]:
    with Ledger.open(spooled) as ledger:
        return sorted(seen.session_id for seen in ledger.list_unfinished())


def taken_over(spooled: str) -> list[str]:
    """The problems of it."""
    return [*drain_spool(spooled), *captured_spools.adopt_spools(spooled, 6)]


@pytest.mark.parametrize("place", ["project", "home"])
def test_what_was_left_behind_waits_until_it_can_be_read_whether_it_is_wanted(
    spooled: str, project: Path, apart: Path, place: str
) -> None:
    folder = project / ".claude" if place == "project" else apart / "home/.config/mind-skills"
    folder.mkdir(parents=True)
    path = folder / "mind-skills.toml"
    path.write_text(BROKEN)
    (problem,) = taken_over(spooled)
    assert str(path) in problem
    assert (left(spooled), known(spooled)) == ([f"{GONE}.jsonl", "claude-code-x.jsonl"], [])
    path.unlink()
    assert taken_over(spooled) == []
    assert (left(spooled), known(spooled)) == (["claude-code-x.jsonl"], ["captured", "of-opencode"])


def test_where_it_is_switched_off_it_goes(spooled: str, project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").write_text("enabled = false\n")
    assert (taken_over(spooled), left(spooled), known(spooled)) == ([], [], [])


@pytest.mark.parametrize("text", [BROKEN, "retention_days = 30\nx = [\n"])
def test_what_is_old_stays_as_long_as_nobody_can_read_for_how_long_to_keep_it(apart: Path, text: str) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text("retention_days = 30\n[memory]\nepisodes = 7\n")
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (30, 7)
    path.write_text(text)
    assert (lenient.get_retention_days(), lenient.get_max_episodes()) == (36_500, 100_000)
