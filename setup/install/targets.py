"""The files that an installation changes, and how to add our hooks to a host's settings and remove them.

Every host that reads hooks from a file uses the same structure: ``{"hooks": {EVENT: [{"hooks": [HANDLER, ...]}]}}``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import HOST_NAMES, HostSpec, load_spec
from mind_skills.plugin import command
from mind_skills.setup.install import json_edit
from mind_skills.setup.install.journal import Entry
from mind_skills.setup.install.json_edit import ShapeError
from mind_skills.setup.install.jsonc import parse

HOOKS_KEY = "hooks"
_OURS = re.compile(
    r"""(?:[\\/]plugin[\\/](?:entry\.py|hook\.sh)|\bmind-skills(?:\.exe)?["']?\s+hook)["']?\s+"""
    rf"""(?:{"|".join(HOST_NAMES)})\b"""
)


def is_our_handler(handler: Any) -> bool:
    """Return whether a handler runs one of our hooks, from any installation."""
    fields = _as_dict(handler)
    words = [fields.get("command"), *_as_list(fields.get("args"))]
    return _OURS.search(" ".join(word for word in words if isinstance(word, str))) is not None


def find_handlers(text: str) -> dict[str, list[Any]]:
    """Return our handlers in the document, by event. Raises JsoncError."""
    root = parse(text)
    handlers: dict[str, list[Any]] = {}
    for event, groups in read_events(root.value if root else None).items():
        for group in _as_list(groups):
            if ours := [handler for handler in _read_handlers(group) if is_our_handler(handler)]:
                handlers.setdefault(event, []).extend(ours)
    return handlers


def add_hooks(text: str, groups: dict[str, Any]) -> json_edit.MergeResult:
    """Append ``groups[EVENT]`` to the list of each event. Raises JsoncError, ShapeError."""
    return json_edit.merge(text, {HOOKS_KEY: {event: [group] for event, group in groups.items()}})


def remove_hooks(text: str, pieces: tuple[str, ...] = (), created_paths: tuple[str, ...] | None = None) -> str:
    """Remove our hooks from ``text``; see json_edit.prune. Raises JsoncError."""
    return json_edit.prune(text, _is_ours_at, pieces, created_paths)


def _is_ours_at(path: json_edit.JsonPath, value: Any) -> bool:
    """Return whether the value at ``path`` is one of our handlers, or a group that contains only our handlers."""
    match path:
        case ("hooks", str(), int()):
            return bool(handlers := _read_handlers(value)) and all(map(is_our_handler, handlers))
        case ("hooks", str(), int(), "hooks", int()):
            return is_our_handler(value)
        case _:
            return False


def split_groups(groups: Any) -> list[list[Any]]:
    """Return the handlers in each group of an event."""
    return [_read_handlers(group) for group in _as_list(groups)]


def read_events(data: Any) -> dict[str, Any]:
    """Return the groups of each event in a document."""
    return _as_dict(_as_dict(data).get(HOOKS_KEY))


def _read_handlers(group: Any) -> list[Any]:
    return _as_list(_as_dict(group).get(HOOKS_KEY))


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


T = TypeVar("T")


class Change(NamedTuple):
    """The new content of a file. Unless the target says otherwise, the rest is as in json_edit.MergeResult."""

    content: bytes
    pieces: tuple[str, ...] = ()
    created_paths: tuple[str, ...] = ()


class Target(Protocol):
    """A file that an installation changes. Methods take its content, None if it is missing, and do not access the file.

    They raise MindSkillsError if the content is invalid.
    """

    host: str
    path: str
    key: str
    """Key in the journal: the path, with a suffix if the same file may be the target of several installations."""
    trust: str
    """How the user approves the hooks, if the host asks for approval; otherwise empty."""

    def add(self, before: bytes | None) -> Change:
        """Return the change that adds our entries to ``before``."""
        ...

    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        """Return the content without our entries; None deletes the file. ``entry`` is the journal's record, or None."""
        ...

    def describe_entries(self, content: bytes | None) -> list[str]:
        """Describe our entries in the file, each in a few words."""
        ...

    def is_current(self, content: bytes | None) -> bool:
        """Return whether the file has exactly the entries that an installation would add now."""
        ...


def make_target(host: str, path: str = "") -> Target:
    """Return the target for a host's hooks, at ``path`` or at the default path.

    Raises MindSkillsError if the host is not supported or there is no home folder.
    """
    if host not in HOST_NAMES:
        names = ", ".join(HOST_NAMES)
        raise MindSkillsError("no_such_host", f"{host} is not a supported host", f"Supported hosts: {names}.")
    if load_spec(host).protocol != "plugin":
        return SettingsTarget(load_spec(host), path)
    path = path or os.path.join(find_folder(host), *load_spec(host).hook_file.split("/"))
    return OwnFileTarget(host, path, "// mind-skills for OpenCode", "the plugin", _make_plugin)


def find_present_hosts() -> list[str]:
    """List the hosts on this machine: those with a settings folder or a command on the PATH."""
    import shutil

    return [host for host in HOST_NAMES if os.path.isdir(find_folder(host)) or shutil.which(load_spec(host).binary)]


def find_folder(host: str) -> str:
    """Return the folder of a host's user settings. Raises MindSkillsError if there is no home folder."""
    host_spec = load_spec(host)
    if custom_folder := os.environ.get(host_spec.folder_variable):
        return os.path.join(os.path.abspath(os.path.expanduser(custom_folder)), host_spec.folder_suffix).rstrip(os.sep)
    return os.path.join(find_home(), *host_spec.folder.split("/"))


def find_home() -> str:
    """Return the user's home folder. Raises MindSkillsError if it is unknown."""
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        raise MindSkillsError(
            "no_home", "cannot find the settings without a home folder", "Set HOME to your home folder."
        )
    return home


def list_enabled_plugins(host: str, content: bytes | None) -> list[str]:
    """List our plugins that a host's settings enable. Raises ValueError if the settings are invalid."""
    key = load_spec(host).enabled_plugins
    if not key:
        return []
    root = parse((content or b"").decode())
    data: Any = root.value if root is not None else {}
    enabled: Any = data.get(key) if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    names: list[Any] = [name for name, value in enabled.items() if value] if isinstance(enabled, dict) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return [name for name in names if name.split("@")[0] == "mind-skills"]


class DocumentTarget:
    """A settings file of the host that the user also edits; it is not ours, but contains our entries."""

    kind = "JSON"
    trust = ""

    def __init__(self, host: str, path: str, key: str) -> None:
        """``key`` is the file's key in the journal."""
        self.host, self.path, self.key = host, path, key

    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        """See Target. A file that we created is deleted if it has no other content."""
        pieces, created_paths = ((), None) if entry is None else (tuple(entry.pieces), tuple(entry.made))
        remaining = self.convert_errors(lambda: self.cut_out(content.decode(), pieces, created_paths))
        is_created = entry is not None and not entry.before
        return None if is_created and not remaining.strip() else remaining.encode()

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        """Return the document without our entries. Raises ValueError if the document is invalid."""
        raise NotImplementedError

    def convert_errors(self, work: Callable[[], T]) -> T:
        """Run ``work`` and convert its ValueErrors to a MindSkillsError that names the file."""
        try:
            return work()
        except ShapeError as error:
            message = f"{self.path}: {error}; the file was not changed"
            raise MindSkillsError("settings_shape", message, "Correct the file and run the command again.") from error
        except ValueError as error:
            problem = "it is not valid UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            message = f"{self.path} is not valid {self.kind} and was not changed: {problem}"
            raise MindSkillsError("settings_syntax", message, "Correct the file and run the command again.") from error


class SettingsTarget(DocumentTarget):
    """A JSON settings file with hooks."""

    def __init__(self, spec: HostSpec, path: str = "") -> None:
        """The hook commands are not built here, because removing hooks does not need them."""
        path = path or os.path.join(find_folder(spec.name), spec.hook_file)
        super().__init__(spec.name, path, path)
        self.spec, self.trust = spec, spec.trust

    def build_entries(self) -> dict[str, Any]:
        """Return the group to add to each event. Raises MindSkillsError without a usable interpreter or environment."""
        python, script = command.find_interpreter(), command.find_entry_script()
        groups: dict[str, Any] = {}
        for event, moment in self.spec.events.items():
            line = command.make_shell_command(python, script, self.host, moment)
            groups[event] = {
                "hooks": [{**self.spec.hook_handler, "command": line, "timeout": self.spec.timeouts[event]}]
            }
        return groups

    def add(self, before: bytes | None) -> Change:
        merged = self.convert_errors(lambda: add_hooks((before or b"").decode(), self.build_entries()))
        return Change(merged.text.encode(), merged.pieces, merged.created_paths)

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        return remove_hooks(text, pieces, created_paths)

    def describe_entries(self, content: bytes | None) -> list[str]:
        """See Target. There is one description per handler."""
        return [f"the hook at {event}" for event, ours in self.read_handlers(content).items() for _ in ours]

    def read_handlers(self, content: bytes | None) -> dict[str, list[Any]]:
        """Return our handlers by event. Raises MindSkillsError if the content is invalid."""
        return self.convert_errors(lambda: find_handlers((content or b"").decode()))

    def is_current(self, content: bytes | None) -> bool:
        return self.read_handlers(content) == {event: group["hooks"] for event, group in self.build_entries().items()}


class OwnFileTarget:
    """A file that is entirely ours, recognised by its first bytes."""

    trust = ""

    def __init__(self, host: str, path: str, prefix: str, description: str, make_content: Callable[[], bytes]) -> None:
        """``description`` is a few words about the file, for the user.

        ``make_content`` may raise MindSkillsError or OSError.
        """
        self.host = host
        self.path = self.key = path
        self._prefix, self._description, self._make_content = prefix.encode(), description, make_content

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError if the file exists."""
        if before is not None:
            hint = "Move that file away and run the command again."
            raise MindSkillsError(
                "foreign_file", f"{self.path} was not created by mind-skills and was not changed", hint
            )
        return Change(self._make_content(), created_paths=("document",))

    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        return None if self.describe_entries(content) else content

    def describe_entries(self, content: bytes | None) -> list[str]:
        return [self._description] if content is not None and content.startswith(self._prefix) else []

    def is_current(self, content: bytes | None) -> bool:
        return content == self._make_content()


def _make_plugin() -> bytes:
    """Return the content of the plugin file for OpenCode."""
    from mind_skills.plugin.opencode import render_plugin_file

    locations = [argument.partition("=")[2] for argument in command.list_location_arguments()]
    return render_plugin_file(command.find_interpreter(), command.find_entry_script(), *locations).encode()
