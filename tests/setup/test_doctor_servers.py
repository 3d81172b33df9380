"""What `mind-skills doctor` reports about installed MCP servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.plugin import command


def list_server_checks(mind_skills: Callable[..., Any]) -> dict[str, tuple[str, str]]:
    checks = mind_skills("doctor", "--json").json["checks"]
    return {each["host"]: (each["state"], each["text"].split(": ")[-1]) for each in checks if each["name"] == "mcp"}


@pytest.mark.process
def test_doctor_reports_a_newly_installed_server_of_every_host_as_ok(mind_skills: Callable[..., Any]) -> None:
    assert list_server_checks(mind_skills) == {}
    mind_skills("install", *HOSTS)
    assert list_server_checks(mind_skills) == dict.fromkeys(HOSTS, ("ok", "the MCP server"))


@pytest.mark.process
def test_a_server_that_cannot_start_is_reported_as_failed(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mind_skills("install", "claude-code")
    with monkeypatch.context() as patch:
        patch.setattr("mind_skills.tasks.mcp.find_spec", lambda _: None)
        ((state, text),) = list_server_checks(mind_skills).values()
    assert (state, text[:14]) == ("failed", "the MCP server")
    file = home / ".claude.json"
    data = json.loads(file.read_text())
    data["mcpServers"]["mind-skills"]["command"] = "/nowhere/python"
    file.write_text(json.dumps(data))
    assert list_server_checks(mind_skills) == {"claude-code": ("failed", "/nowhere/python does not exist")}


def test_a_server_of_another_installation_is_a_note(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "python"
    other.symlink_to(command.find_interpreter())
    with monkeypatch.context() as patch:
        patch.setattr(command, "find_interpreter", lambda: str(other))
        mind_skills("install", "codex")
    assert list_server_checks(mind_skills)["codex"][0] == "note"
