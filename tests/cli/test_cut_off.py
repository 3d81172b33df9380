"""Commands that were killed, or met a failing disk, in the middle: the next one finds what is there and leaves nothing behind."""

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


def upgraded(monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., Any]) -> None:
    """An installation of another place is there, and its upgrade was killed before it had replaced the file."""
    with monkeypatch.context() as older:
        older.setattr(command, "find_entry_script", lambda: "/opt/older/plugin/entry.py")
        assert mind_skills("install", "claude-code", "--no-mcp").code == 1  # nothing is there that could answer
    with monkeypatch.context() as killed:
        killed.setattr(files, "write", lambda *_: os._exit(9))
        child = os.fork()
        if not child:
            mind_skills("install", "claude-code", "--no-mcp")
        os.waitpid(child, 0)


@pytest.mark.parametrize("again", [[], [["install", "claude-code", "--no-mcp"]]])
def test_after_an_upgrade_that_was_killed_the_settings_are_restored_to_the_byte(
    settings: Path, monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., Any], again: list[list[str]]
) -> None:
    upgraded(monkeypatch, mind_skills)
    assert "/opt/older" in settings.read_text()
    for words in again:
        assert mind_skills(*words).code == 0
        assert "/opt/older" not in settings.read_text()
    assert mind_skills("uninstall", "claude-code").code == 0
    assert settings.read_text() == BEFORE


def test_a_settings_file_that_was_removed_meanwhile_is_not_brought_back(
    settings: Path, mind_skills: Callable[..., Any]
) -> None:
    settings.unlink()
    assert mind_skills("install", "claude-code", "--no-mcp").code == 0
    settings.unlink()
    assert mind_skills("uninstall", "claude-code").code == 0
    assert not settings.exists()


def test_what_a_killed_change_of_the_settings_left_goes_with_the_next(
    apart: Path, mind_skills: Callable[..., Any]
) -> None:
    left = apart / "home/.config/mind-skills/mind-skills.toml.0123456789ab.tmp"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    assert mind_skills("config", "set", "enabled", "true", "--project").code == 0
    assert [path.name for path in left.parent.iterdir()] == ["mind-skills.toml"]


def test_a_skill_that_was_moved_though_the_disk_would_not_say_so_is_listed_and_comes_back(
    project: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = project / ".claude/skills/calm/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: calm\ndescription: Use when it fails.\n---\nCalm it.\n")
    waiting = accepted(project, mind_skills, skill)
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


def accepted(project: Path, mind_skills: Callable[..., Any], skill: Path) -> str:
    """The id of a learning that became this skill."""
    demo = ROOT / "fixtures/demo/session.jsonl"
    mind_skills("replay", str(demo), "--stage", "--project", str(project))
    id_ = str(json.loads(mind_skills("pending", "--json").out)["candidates"][0]["id"])
    assert mind_skills("accept", id_, "--skill", str(skill)).code == 0
    return id_
