"""Hooks and servers use the state and settings paths that `install` recorded, not those of a project's .env."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.hotpath import apply_location_arguments
from mind_skills.plugin import command


def run(line: str, project: Path, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    payload = {"session_id": "s", "transcript_path": "", "cwd": str(project), "hook_event_name": "SessionStart"}
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "MIND_SKILLS_PROBE": "1", **more}
    return subprocess.run(
        ["/bin/sh", "-c", line],
        input=json.dumps({**payload, "source": "startup"}),
        capture_output=True,
        text=True,
        env=environment,
        cwd=project,
        check=True,
        timeout=60,
    )


def test_a_hook_uses_the_state_folder_recorded_at_installation(
    home: Path,
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project, theirs = tmp_path / "shop", tmp_path / "theirs"
    for name in ("info", "objects", "refs"):
        (project / ".git" / name).mkdir(parents=True)
    (project / ".git/HEAD").write_text("ref: refs/heads/main\n")
    mind_skills("install", "claude-code")
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    line = hooks["SessionStart"][0]["hooks"][0]["command"]
    assert shlex.split(line)[6:8] == command.list_location_arguments()
    monkeypatch.setenv("MIND_SKILLS_HOME", str(theirs))
    learn(theirs, project)
    environment = {"MIND_SKILLS_HOME": str(theirs), "MIND_SKILLS_CONFIG": "/nowhere", "XDG_STATE_HOME": str(theirs)}
    assert run(line, project, home, **environment).stdout == ""
    learn(state, project)
    assert "openception" in run(line, project, home, **environment).stdout


def test_a_hook_obeys_the_recorded_settings_file_whatever_the_environment_names(
    home: Path, state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    mind_skills("install", "claude-code")
    mind_skills("config", "set", "enabled", "false")
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    learn(state, project)
    line = json.loads((home / ".claude/settings.json").read_text())["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert run(line, project, home, MIND_SKILLS_CONFIG="/nowhere", XDG_CONFIG_HOME="/nowhere").stdout == ""


def test_location_arguments_set_the_environment_once_and_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("MIND_SKILLS_HOME", "/environment")
    monkeypatch.setenv("MIND_SKILLS_CONFIG", "/environment.toml")
    words = ["codex", "MIND_SKILLS_HOME=/a=b", "start", "MIND_SKILLS_HOME=/second", "OTHER=1"]
    assert apply_location_arguments(words) == ["codex", "start", "OTHER=1"]
    assert (os.environ["MIND_SKILLS_HOME"], os.environ["MIND_SKILLS_CONFIG"]) == ("/a=b", "/environment.toml")


@pytest.mark.process
def test_the_installed_server_does_not_import_code_named_by_the_environment(
    tmp_path: Path, mind_skills: Callable[..., Any], home: Path
) -> None:
    mind_skills("install", "claude-code")
    entry = json.loads((home / ".claude.json").read_text())["mcpServers"]["mind-skills"]
    assert (entry["args"][: entry["args"].index("-m")], entry["args"][-2:]) == (
        command.list_isolation_options(),
        command.list_location_arguments(),
    )
    ran = tmp_path / "ran"
    for name in ("sitecustomize.py", "mind_skills/__init__.py"):
        (tmp_path / "evil" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "evil" / name).write_text(f"open({str(ran)!r}, 'w')\n")
    environment = {"PYTHONPATH": str(tmp_path / "evil"), "PYTHONHOME": "", "HOME": str(home), "PATH": "/usr/bin:/bin"}
    line = [entry["command"], *entry["args"]]
    subprocess.run(
        line, input="", env=environment, cwd=tmp_path / "evil", check=True, timeout=60, capture_output=True, text=True
    )
    assert not ran.exists()
