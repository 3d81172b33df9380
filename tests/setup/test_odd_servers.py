"""Entries that no host writes, and that somebody may have put where a server stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_a_name_with_nothing_behind_it_is_somebodys_too(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = home / ".claude.json"
    file.write_text('{"mcpServers": {"mind-skills": null}}')
    assert mind_skills("install", "claude-code", "--mcp", "--json").json["error"]["code"] == "foreign_server"
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert file.read_text() == '{"mcpServers": {"mind-skills": null}}'
