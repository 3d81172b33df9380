"""The MCP server as a second thing to install: an entry in the file where a host looks for such servers."""

from __future__ import annotations

import os
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import spec
from mind_skills.plugin import command
from mind_skills.setup.install import members, tables
from mind_skills.setup.install.journal import Entry
from mind_skills.setup.install.targets import Change, folder, home

NAME = "mind-skills"
MODULE = "mind_skills.plugin.mcp"
PASSED = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Variables that decide where state and settings are; Codex passes on to a server only what its entry names."""
MARK = "#mcp"
"""What the journal puts behind a path, since the same file may hold our hooks as well."""


class ServerTarget:
    """The file of a host that lists servers, with ours in it or not. See targets.Target."""

    trust = ""

    def __init__(self, host: str, path: str = "") -> None:
        """Raises MindSkillsError where no home is known."""
        self.host = host
        self._spec = spec(host)
        self.path = path or _usual_path(host)
        self._toml = self._spec.server_files[0].endswith(".toml")
        self.key = f"{self.path}{MARK}"

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError where somebody has put a server of that name there."""
        try:
            text = _text(before)
            if NAME in self._servers(text):
                raise MindSkillsError(
                    "foreign_server",
                    f"{self.path} has a server {NAME} that is not from an installation, and was left as it is",
                    "Take it out, and install again.",
                )
            if self._toml:
                done = tables.added(text, self._spec.server_key, NAME, self.wanted())
            else:
                done = members.added(text, self._spec.server_key, NAME, self.wanted())
        except ValueError as error:
            raise self._unfit(error) from error
        return Change(done.text.encode(), done.pieces, done.made)

    def remove(self, now: bytes, entry: Entry | None) -> bytes | None:
        """See Target. A file that was made for us, and holds nothing else, goes as a whole."""
        pieces, made = ((), None) if entry is None else (tuple(entry.pieces), tuple(entry.made))
        change = tables.removed if self._toml else members.removed
        try:
            left = change(_text(now), self._spec.server_key, NAME, pieces, made)
        except ValueError as error:
            raise self._unfit(error) from error
        created = entry is not None and not entry.before
        return None if created and not left.strip() else left.encode()

    def ours(self, now: bytes | None) -> list[str]:
        """See Target. What does not name our module is not even read: it may be no document at all."""
        if now is None or MODULE.encode() not in now:
            return []
        try:
            entry = self._servers(_text(now)).get(NAME)
        except ValueError as error:
            raise self._unfit(error) from error
        return ["the MCP server"] if _is_ours(entry) else []

    def current(self, now: bytes | None) -> bool:
        """See Target."""
        return bool(self.ours(now)) and self._servers(_text(now)).get(NAME) == self.wanted()

    def python(self, now: bytes | None) -> str:
        """The program that our entry starts; empty where there is none."""
        entry = self._servers(_text(now)).get(NAME)
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

    def _servers(self, text: str) -> dict[str, Any]:
        return (
            tables.servers(text, self._spec.server_key) if self._toml else members.servers(text, self._spec.server_key)
        )

    def _unfit(self, error: ValueError) -> MindSkillsError:
        if isinstance(error, members.ShapeError):
            return MindSkillsError("settings_shape", f"{self.path}: {error}, and was left as it is", "Correct it.")
        said = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        kind = "TOML" if self._toml else "JSON"
        message = f"{self.path} is no {kind}, and was left as it is: {said}"
        return MindSkillsError("settings_syntax", message, "Correct that place, and run it again.")


def _usual_path(host: str) -> str:
    known = spec(host)
    place = home() if known.servers_at_home and not os.environ.get(known.folder_variable) else folder(host)
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


def _text(content: bytes | None) -> str:
    return (content or b"").decode()
