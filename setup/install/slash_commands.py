"""Slash commands: one file per command in a host's command folder, made from the plugin's ``commands/*.md``.

The model does not see a command until the user calls it. Codex 0.169 has no user-defined commands.
"""

from __future__ import annotations

import json
import os
import re
from functools import partial
from pathlib import Path

from mind_skills.hooks.start import find_command
from mind_skills.hosts import HostSpec, load_spec
from mind_skills.settings.lenient import get_skills_folder
from mind_skills.setup.install.targets import OwnFileTarget, find_folder

COMMAND_NAMES = ("distil", "learn", "replay", "review", "status")
SOURCE_FOLDER = Path(__file__).parents[2] / "commands"
_COMMENT = "# Installed by `mind-skills install`; `mind-skills uninstall` removes this file.\n"
_FRONTMATTER = "---\n"
_CLAUDE_ONLY = re.compile(r"^(?:argument-hint|allowed-tools|disable-model-invocation):.*\n", re.MULTILINE)


class CommandTarget(OwnFileTarget):
    """The file of one slash command."""

    key_suffix = "#command"

    def __init__(self, host: str, path: str) -> None:
        """``path`` ends with the file name that the host expects for the command."""
        name = os.path.basename(path).partition(".")[0]
        prefix = _COMMENT if path.endswith(".toml") else _FRONTMATTER + _COMMENT
        super().__init__(host, path, prefix, f"the command /{name}", partial(_make_text, load_spec(host), name))


def make_targets(host: str) -> list[CommandTarget]:
    """Return the target of each slash command of a host; an empty list if the host has no such commands.

    Raises MindSkillsError if there is no home folder.
    """
    pattern = load_spec(host).command_file
    if not pattern:
        return []
    paths = [
        os.path.join(find_folder(host), *pattern.format(f"mind-skills-{name}").split("/")) for name in COMMAND_NAMES
    ]
    return [CommandTarget(host, path) for path in paths]


def _make_text(host_spec: HostSpec, name: str) -> str:
    """Return the text of a command's file. Raises OSError if this installation lacks the source of the command."""
    source = (SOURCE_FOLDER / f"{name.removeprefix('mind-skills-')}.md").read_text(encoding="utf-8")
    header, _, prompt = source.removeprefix(_FRONTMATTER).partition(_FRONTMATTER)
    command = find_command()
    prompt = prompt.strip().replace("`/mind-skills:", "`/mind-skills-").replace("`mind-skills ", f"`{command} ")
    prompt = prompt.replace(".claude/skills", get_skills_folder(os.sep, host_spec.name))
    if host_spec.command_file.endswith(".toml"):
        fields = {"description": header.partition("description: ")[2].splitlines()[0]}
        fields["prompt"] = prompt.replace("$ARGUMENTS", "{{args}}")
        return _COMMENT + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
    header = header.replace("Bash(mind-skills:", f"Bash({command}:")
    if not host_spec.enabled_plugins_key:  # the host is not Claude Code
        header = _CLAUDE_ONLY.sub("", header)
    return f"{_FRONTMATTER}{_COMMENT}{header}{_FRONTMATTER}\n{prompt}\n"
