"""The Claude Code plugin in addition to the hooks in the settings: an uninstall reports the plugin."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

LEFT = "the plugin mind-skills@x has its own hooks: run `claude plugin uninstall mind-skills@x` to remove it"


def test_verifying_an_uninstall_fails_while_the_plugin_is_enabled(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", "claude-code")
    file = home / ".claude/settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"enabledPlugins": {"mind-skills@x": True}}))
    done = mind_skills("uninstall", "claude-code", "--verify", "--json")
    assert (done.code, done.json["residue"], done.json["hosts"][0]["next"]) == (1, [LEFT], [LEFT])
    assert json.loads(file.read_text()) == {"enabledPlugins": {"mind-skills@x": True}}
    file.write_text(json.dumps({"enabledPlugins": {"mind-skills@x": False}}))
    assert mind_skills("uninstall", "claude-code", "--verify", "--json").json["residue"] == []


def test_a_purge_is_refused_while_the_plugin_is_enabled(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", "codex")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(json.dumps({"enabledPlugins": {"mind-skills@x": True}}))
    done = mind_skills("uninstall", "codex", "--purge", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "still_installed")
