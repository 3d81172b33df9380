"""The MCP server as a second thing to install: an entry in the file where a host looks for such servers."""

from __future__ import annotations

import os
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import spec
from mind_skills.plugin import command
from mind_skills.setup.install import json_edit, toml_edit
from mind_skills.setup.install.targets import Change, DocumentTarget, find_folder, find_home

NAME = "mind-skills"
MODULE = "mind_skills.plugin.mcp"
PASSED = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Variables that decide where state and settings are; Codex passes on to a server only what its entry names."""
MARK = "#mcp"
"""What the journal puts behind a path, since the same file may hold our hooks as well."""


class ServerTarget(DocumentTarget):
    """The file of a host that lists servers, with ours in it or not."""

    def __init__(self, host: str, path: str = "") -> None:
        """Raises MindSkillsError where no home is known."""
        path = path or _usual_path(host)
        super().__init__(host, path, f"{path}{MARK}")
        self._spec = spec(host)
        self._toml = self._spec.server_files[0].endswith(".toml")
        self.kind = "TOML" if self._toml else "JSON"

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError where somebody has put a server of that name there."""
        if NAME in self._servers(before):
            raise MindSkillsError(
                "foreign_server",
                f"{self.path} has a server {NAME} that is not from an installation, and was left as it is",
                "Take it out, and install again.",
            )
        key, text, wanted = self._spec.server_key, (before or b"").decode(), self.wanted()
        if self._toml:
            done = self.attempt(lambda: toml_edit.add_table(text, key, NAME, wanted))
        else:
            done = self.attempt(lambda: json_edit.merge(text, {key: {NAME: wanted}}))
        return Change(done.text.encode(), done.pieces, done.made)

    def cut_out(self, text: str, pieces: tuple[str, ...], made: tuple[str, ...] | None) -> str:
        key = self._spec.server_key
        if self._toml:
            return toml_edit.remove_table(text, key, NAME, pieces)
        return json_edit.prune(text, lambda path, _: path == (key, NAME), pieces, made)

    def ours(self, now: bytes | None) -> list[str]:
        """See Target. What does not name our module is not even read: it may be no document at all."""
        if now is None or MODULE.encode() not in now:
            return []
        return ["the MCP server"] if _is_ours(self._servers(now).get(NAME)) else []

    def current(self, now: bytes | None) -> bool:
        return bool(self.ours(now)) and self._servers(now).get(NAME) == self.wanted()

    def python(self, now: bytes | None) -> str:
        """The program that our entry starts; empty where there is none."""
        entry = self._servers(now).get(NAME)
        words = _words(entry) if _is_ours(entry) else []
        return str(words[0]) if words else ""

    def wanted(self) -> dict[str, Any]:
        """The entry. Raises MindSkillsError where there is no interpreter to start, or it is to be thrown away."""
        command.entry()  # says whether this installation lasts
        python = command.interpreter()
        arguments = [*command.alone(), "-m", MODULE, *command.places()]
        if self._spec.server_shape == "whole":
            return {"type": "local", "command": [python, *arguments], "enabled": True}
        split: dict[str, Any] = {"command": python, "args": arguments}
        if self._toml:
            return split | {"env_vars": list(PASSED)}
        return {"type": "stdio", **split} if self._spec.server_shape == "typed" else split

    def _servers(self, content: bytes | None) -> dict[str, Any]:
        """Every server in the document. Raises MindSkillsError where it cannot be read."""
        read = toml_edit.read_table if self._toml else json_edit.read_object
        return self.attempt(lambda: read((content or b"").decode(), self._spec.server_key))


def _usual_path(host: str) -> str:
    known = spec(host)
    place = find_home() if known.servers_at_home and not os.environ.get(known.folder_variable) else find_folder(host)
    paths = [os.path.join(place, name) for name in known.server_files]
    return next((path for path in paths if os.path.lexists(path)), paths[-1])


def _is_ours(entry: Any) -> bool:
    """Whether a server is the one that an installation writes: by the module that it runs."""
    return MODULE in _words(entry)


def _words(entry: Any) -> list[Any]:
    """The command line of an entry, in either form."""
    if not isinstance(entry, dict):
        return []
    found: list[Any] = []
    for name in ("command", "args"):
        value: Any = entry.get(name, [])  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        found += value if isinstance(value, list) else [value]
    return found
