"""Installation of the MCP server: an entry in the file that lists a host's MCP servers."""

from __future__ import annotations

import os
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import load_spec
from mind_skills.plugin import command
from mind_skills.setup.install import json_edit, toml_edit
from mind_skills.setup.install.json_edit import MergeResult
from mind_skills.setup.install.targets import DocumentTarget, find_folder, find_home

SERVER_NAME = "mind-skills"
SERVER_MODULE = "mind_skills.plugin.mcp"
PASSED_VARIABLES = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Environment variables that locate state and settings; Codex passes a server only the variables that its entry lists."""


class ServerTarget(DocumentTarget):
    """The file in which a host lists MCP servers; it may also contain our hooks."""

    key_suffix = "#mcp"

    def __init__(self, host: str, path: str = "") -> None:
        """Raises MindSkillsError if there is no home folder."""
        super().__init__(host, path or _find_default_path(host))
        self._spec = load_spec(host)
        self._is_toml = self._spec.server_files[0].endswith(".toml")
        self.kind = "TOML" if self._is_toml else "JSON"

    def insert(self, text: str) -> MergeResult:
        """See DocumentTarget. Raises MindSkillsError if the file has another server with our name."""
        if SERVER_NAME in self._read_servers(text.encode()):
            raise MindSkillsError(
                "foreign_server",
                f"{self.path} has a server named {SERVER_NAME} that mind-skills did not install; it was not changed",
                f"Rename or remove that server, then run `mind-skills install {self.host}` again.",
            )
        key, entry = self._spec.server_key, self.build_entries()
        if self._is_toml:
            return toml_edit.add_table(text, key, SERVER_NAME, entry)
        return json_edit.merge(text, {key: {SERVER_NAME: entry}})

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        key = self._spec.server_key
        if self._is_toml:
            return toml_edit.remove_table(text, key, SERVER_NAME, pieces)
        return json_edit.prune(text, lambda path, _: path == (key, SERVER_NAME), pieces, created_paths)

    def describe_entries(self, content: bytes | None) -> list[str]:
        """See Target. Content without the name of our module is not parsed, because it may be invalid."""
        if content is None or SERVER_MODULE.encode() not in content:
            return []
        return ["the MCP server"] if _is_ours(self._read_servers(content).get(SERVER_NAME)) else []

    def is_current(self, content: bytes | None) -> bool:
        is_present = bool(self.describe_entries(content))
        return is_present and self._read_servers(content).get(SERVER_NAME) == self.build_entries()

    def find_program(self, content: bytes | None) -> str:
        """Return the path of the program that our entry starts; empty if there is no such entry."""
        entry = self._read_servers(content).get(SERVER_NAME)
        words = _read_command_line(entry) if _is_ours(entry) else []
        return str(words[0]) if words else ""

    def build_entries(self) -> dict[str, Any]:
        """Return our entry. Raises MindSkillsError if no interpreter is usable or this environment is temporary."""
        command.find_entry_script()  # raises if this environment is temporary
        python = command.find_interpreter()
        arguments = [*command.list_isolation_options(), "-m", SERVER_MODULE, *command.list_location_arguments()]
        if self._spec.server_entry_format == "command_list":
            return {"type": "local", "command": [python, *arguments], "enabled": True}
        split: dict[str, Any] = {"command": python, "args": arguments}
        if self._is_toml:
            return split | {"env_vars": list(PASSED_VARIABLES)}
        return {"type": "stdio", **split} if self._spec.server_entry_format == "typed_command_and_args" else split

    def _read_servers(self, content: bytes | None) -> dict[str, Any]:
        """Return the entry of every server in the file, keyed by name. Raises MindSkillsError if the file cannot be read."""
        read = toml_edit.read_table if self._is_toml else json_edit.read_object
        return self.convert_errors(lambda: read((content or b"").decode(), self._spec.server_key))


def _find_default_path(host: str) -> str:
    host_spec = load_spec(host)
    is_at_home = host_spec.has_server_file_in_home and not os.environ.get(host_spec.settings_folder_env_var)
    folder = find_home() if is_at_home else find_folder(host)
    paths = [os.path.join(folder, name) for name in host_spec.server_files]
    return next((path for path in paths if os.path.lexists(path)), paths[-1])


def _is_ours(entry: Any) -> bool:
    """Return whether an entry runs our module."""
    return SERVER_MODULE in _read_command_line(entry)


def _read_command_line(entry: Any) -> list[Any]:
    """Return the command line of an entry: ``command``, alone or followed by ``args``."""
    if not isinstance(entry, dict):
        return []
    words: list[Any] = []
    for name in ("command", "args"):
        value: Any = entry.get(name, [])  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        words += value if isinstance(value, list) else [value]
    return words
