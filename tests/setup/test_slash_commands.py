"""Slash commands in the hosts that have them: installed with the hooks, and uninstalled without touching anything else."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from mind_skills.hooks.start import find_command
from mind_skills.setup.install.slash_commands import COMMAND_NAMES, SOURCE_FOLDER

FOLDERS = {"claude-code": ".claude/commands", "opencode": ".config/opencode/command", "gemini": ".gemini/commands"}
Run = Callable[..., Any]


def read_prompt(path: Path) -> tuple[dict[str, Any], str]:
    """Return the fields of a command's file and its prompt."""
    text = path.read_text()
    if path.suffix == ".toml":
        fields = tomllib.loads(text)
        return fields, fields.pop("prompt")
    _, header, prompt = text.split("---\n", 2)
    return yaml.safe_load(header), prompt


def test_every_slash_command_of_the_plugin_is_installed_except_in_codex(mind_skills: Run, home: Path) -> None:
    assert {path.stem for path in SOURCE_FOLDER.glob("*.md")} == set(COMMAND_NAMES)
    mind_skills("install", *FOLDERS, "codex")
    for folder in FOLDERS.values():
        assert sorted(path.stem for path in (home / folder).iterdir()) == [
            f"mind-skills-{name}" for name in COMMAND_NAMES
        ]
    assert sorted(path.name for path in (home / ".codex").iterdir()) in (["hooks.json"], ["config.toml", "hooks.json"])


@pytest.mark.parametrize(
    ("host", "arguments", "skills"),
    [
        ("claude-code", "$ARGUMENTS", ".claude/skills"),
        ("opencode", "$ARGUMENTS", ".claude/skills"),
        ("gemini", "{{args}}", ".agents/skills"),
    ],
)
def test_a_slash_command_runs_this_installation_and_names_the_hosts_skills_folder(
    mind_skills: Run, home: Path, host: str, arguments: str, skills: str
) -> None:
    mind_skills("install", host)
    (path,) = (home / FOLDERS[host]).glob("mind-skills-review.*")
    fields, prompt = read_prompt(path)
    command = find_command()
    assert f"Run `{command} pending --json`" in prompt
    assert (arguments in prompt, f"`{skills}/<name>/SKILL.md`" in prompt) == (True, True)
    assert fields.pop("description") == "Review what earlier sessions learned, and turn the useful parts into skills"
    assert (fields.get("allowed-tools", "").startswith(f"Bash({command}:*)"), bool(fields)) == (
        (True, True) if host == "claude-code" else (False, False)
    )


@pytest.mark.parametrize("host", FOLDERS)
def test_the_replay_command_names_only_what_replay_prints(mind_skills: Run, home: Path, host: str) -> None:
    """A replay stores nothing, so its learnings have no id that `show` finds."""
    mind_skills("install", host)
    (path,) = (home / FOLDERS[host]).glob("mind-skills-replay.*")
    _, prompt = read_prompt(path)
    assert ("each with the command after `Show:`, which prints its cause" in prompt, "show ID" in prompt) == (
        True,
        False,
    )


@pytest.mark.parametrize("host", FOLDERS)
def test_a_users_own_slash_command_of_our_name_is_never_changed(
    mind_skills: Run, home: Path, tree: Callable[..., Any], host: str
) -> None:
    suffix = "toml" if host == "gemini" else "md"
    mine = home / FOLDERS[host] / f"mind-skills-review.{suffix}"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\ndescription: mine\n---\nmine\n")
    untouched = tree(home)
    done = mind_skills("install", host, "--json").json["hosts"][0]
    assert done["error"] is None
    assert (
        f"A slash command was not installed: {mine} was not created by mind-skills and was not changed." in done["next"]
    )
    assert len(list(mine.parent.iterdir())) == len(COMMAND_NAMES)
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert tree(home) == untouched
