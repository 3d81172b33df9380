"""Commands that were killed or met a failing disk: the next command recovers, and no temporary file remains."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import UnwritablePathError
from mind_skills.plugin import command
from mind_skills.setup.install import files
from mind_skills.store import atomic
from tests.testkit.paths import ROOT

BEFORE = '{"model": "opus", "hooks": {"Stop": []}}\n'


@pytest.fixture
def settings(apart: Path) -> Path:
    """Settings of Claude Code that a person wrote."""
    path = apart / "home/.claude/settings.json"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


def kill_upgrade(monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., Any]) -> None:
    """Install from an older place, then upgrade in a process that is killed before it replaces the file."""
    with monkeypatch.context() as older:
        older.setattr(command, "find_entry_script", lambda: "/opt/older/plugin/entry.py")
        assert mind_skills("install", "claude-code", "--no-mcp").code == 1  # that entry script does not exist
    with monkeypatch.context() as killed:
        killed.setattr(files, "write", lambda *_: os._exit(9))
        child = os.fork()
        if not child:
            mind_skills("install", "claude-code", "--no-mcp")
        os.waitpid(child, 0)


@pytest.mark.parametrize("again", [[], [["install", "claude-code", "--no-mcp"]]])
def test_uninstalling_after_a_killed_upgrade_restores_the_settings_byte_for_byte(
    settings: Path, monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., Any], again: list[list[str]]
) -> None:
    kill_upgrade(monkeypatch, mind_skills)
    assert "/opt/older" in settings.read_text()
    for words in again:
        assert mind_skills(*words).code == 0
        assert "/opt/older" not in settings.read_text()
    assert mind_skills("uninstall", "claude-code").code == 0
    assert settings.read_text() == BEFORE


def test_uninstalling_does_not_restore_a_settings_file_that_the_user_removed(
    settings: Path, mind_skills: Callable[..., Any]
) -> None:
    settings.unlink()
    assert mind_skills("install", "claude-code", "--no-mcp").code == 0
    settings.unlink()
    assert mind_skills("uninstall", "claude-code").code == 0
    assert not settings.exists()


def test_the_next_change_of_the_settings_removes_the_temporary_file_of_a_killed_one(
    apart: Path, mind_skills: Callable[..., Any]
) -> None:
    left = apart / "home/.config/mind-skills/mind-skills.toml.0123456789ab.tmp"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    assert mind_skills("config", "set", "enabled", "true", "--project").code == 0
    assert [path.name for path in left.parent.iterdir()] == ["mind-skills.toml"]


def test_a_skill_that_was_moved_before_the_disk_failed_is_listed_and_can_be_restored(
    project: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = project / ".claude/skills/calm/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: calm\ndescription: Use when it fails.\n---\nCalm it.\n")
    waiting = accept_candidate(project, mind_skills, skill)
    move = atomic.Folder.move

    def unsynced(self: atomic.Folder, name: str, other: atomic.Folder, new: str) -> None:
        move(self, name, other, new)
        raise UnwritablePathError("the disk fails")

    with monkeypatch.context() as failing:
        failing.setattr(atomic.Folder, "move", unsynced)
        assert mind_skills("skills", "archive", "calm").code == 1
    assert [each["name"] for each in mind_skills("skills", "archive", "--json").json["skills"]] == ["calm"], waiting
    assert mind_skills("skills", "restore", "calm").code == 0
    assert skill.exists()


def accept_candidate(project: Path, mind_skills: Callable[..., Any], skill: Path) -> str:
    """Stage the bundled session's candidate, accept it as this skill, and return its id."""
    demo = ROOT / "fixtures/demo/session.jsonl"
    mind_skills("replay", str(demo), "--stage", "--project", str(project))
    id_ = str(json.loads(mind_skills("pending", "--json").out)["candidates"][0]["id"])
    assert mind_skills("accept", id_, "--skill", str(skill)).code == 0
    return id_
