"""Server entries that no host writes, but a person may have written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_a_null_entry_with_our_servers_name_is_foreign_and_unchanged(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    file = home / ".claude.json"
    file.write_text('{"mcpServers": {"mind-skills": null}}')
    assert mind_skills("install", "claude-code", "--mcp", "--json").json["error"]["code"] == "foreign_server"
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert file.read_text() == '{"mcpServers": {"mind-skills": null}}'
