from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_a_projects_settings_file_that_is_a_symbolic_link_is_refused_and_unchanged(
    mind_skills: Callable[..., Any], apart: Path, project: Path
) -> None:
    target = apart / "precious"
    target.write_text("enabled = true\n", encoding="utf-8")
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").symlink_to(target)
    done = mind_skills("config", "list", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "refused_path")
    assert mind_skills("config", "set", "enabled", "false", "--project", "--json").code == 0
    assert target.read_text(encoding="utf-8") == "enabled = true\n"


def test_a_users_settings_file_that_is_a_symbolic_link_stays_a_link(
    mind_skills: Callable[..., Any], apart: Path
) -> None:
    target, link = apart / "dotfiles.toml", apart / "home/.config/mind-skills/mind-skills.toml"
    target.write_text("# mine\n", encoding="utf-8")
    link.parent.mkdir(parents=True)
    link.symlink_to(target)
    assert mind_skills("config", "set", "enabled", "false").code == 0
    assert (link.is_symlink(), target.read_text(encoding="utf-8")) == (True, "# mine\nenabled = false\n")


def test_the_hint_for_a_misplaced_settings_file_says_where_it_may_be(
    mind_skills: Callable[..., Any], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    for path in ("own.toml", str(project / "own.toml")):
        monkeypatch.setenv("MIND_SKILLS_CONFIG", path)
        hint = mind_skills("config", "list", "--json").json["error"]["hint"]
        assert hint == "Set MIND_SKILLS_CONFIG to the absolute path of a file outside every repository."


def test_a_json_error_is_valid_unicode_even_if_the_argument_is_not(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("config", "get", "k\udcff", "--json")
    assert "k\ufffd is not a setting" in json.loads(done.out.encode())["error"]["message"]
