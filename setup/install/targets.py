"""The one file of each host that an installation changes, and how our hooks get into it and out.

Every host that takes hooks in a file takes them in one shape: ``{"hooks": {EVENT: [{"hooks": [HANDLER, ...]}]}}``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import NAMES, HostSpec, spec
from mind_skills.plugin import command
from mind_skills.setup.install import json_edit
from mind_skills.setup.install.journal import Entry
from mind_skills.setup.install.json_edit import ShapeError
from mind_skills.setup.install.jsonc import parse

HOOKS = "hooks"
_OURS = re.compile(
    r"""(?:[\\/]plugin[\\/](?:entry\.py|hook\.sh)|\bmind-skills(?:\.exe)?["']?\s+hook)["']?\s+"""
    rf"""(?:{"|".join(NAMES)})\b"""
)


def is_our_handler(handler: Any) -> bool:
    """Whether a handler starts mind-skills: by the script that it runs, wherever that stands."""
    form = _dict(handler)
    words = [form.get("command"), *_list(form.get("args"))]
    return _OURS.search(" ".join(word for word in words if isinstance(word, str))) is not None


def find_handlers(text: str) -> dict[str, list[Any]]:
    """Our handlers by event, as they stand in the document. Raises JsoncError."""
    root = parse(text)
    found: dict[str, list[Any]] = {}
    for event, groups in read_events(root.value if root else None).items():
        for group in _list(groups):
            if ours := [handler for handler in _handlers(group) if is_our_handler(handler)]:
                found.setdefault(event, []).extend(ours)
    return found


def add_hooks(text: str, wanted: dict[str, Any]) -> json_edit.Merged:
    """``text`` with the group ``wanted[EVENT]`` at the end of each event's list. Raises JsoncError, ShapeError."""
    return json_edit.merge(text, {HOOKS: {event: [group] for event, group in wanted.items()}})


def remove_hooks(text: str, pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """``text`` without our hooks: see json_edit.prune. Raises JsoncError."""
    return json_edit.prune(text, _is_ours_at, pieces, made)


def _is_ours_at(path: json_edit.Path, value: Any) -> bool:
    """Whether one of our handlers stands there, or a group of nothing but them."""
    match path:
        case ("hooks", str(), int()):
            return bool(inside := _handlers(value)) and all(map(is_our_handler, inside))
        case ("hooks", str(), int(), "hooks", int()):
            return is_our_handler(value)
        case _:
            return False


def split_groups(of_event: Any) -> list[list[Any]]:
    """The handlers of each group that stands under an event."""
    return [_handlers(group) for group in _list(of_event)]


def read_events(data: Any) -> dict[str, Any]:
    """What stands under each event of a document."""
    return _dict(_dict(data).get(HOOKS))


def _handlers(group: Any) -> list[Any]:
    return _list(_dict(group).get(HOOKS))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


T = TypeVar("T")


class Change(NamedTuple):
    """A file as it should be, with what json_edit.merge says about how that came about."""

    content: bytes
    pieces: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


class Target(Protocol):
    """What every host's file can do. ``None`` stands for no file. Raises MindSkillsError where it cannot be read."""

    host: str
    path: str
    key: str
    """By which the journal knows it: the path, or more where one file holds two things of ours."""
    trust: str

    def add(self, before: bytes | None) -> Change:
        """The file with us in it, from the file without us."""
        ...

    def remove(self, now: bytes, entry: Entry | None) -> bytes | None:
        """The file without us, from the file as it is; what the journal says of it helps."""
        ...

    def ours(self, now: bytes | None) -> list[str]:
        """What of it is ours, in a few words each; empty where nothing is."""
        ...

    def current(self, now: bytes | None) -> bool:
        """Whether it is as an installation would leave it."""
        ...


def make_target(host: str, path: str = "") -> Target:
    """The target of a host: at ``path``, else where the home and the environment say that it is.

    Raises MindSkillsError where there is no such host, or no home.
    """
    if host not in NAMES:
        names = ", ".join(NAMES)
        raise MindSkillsError("no_such_host", f"{host} is no host that mind-skills knows", f"It knows {names}.")
    if spec(host).protocol != "plugin":
        return SettingsTarget(spec(host), path)
    path = path or os.path.join(find_folder(host), *spec(host).hook_file.split("/"))
    return OwnFileTarget(host, path, "// mind-skills for OpenCode", "the plugin", _make_plugin)


def find_present_hosts() -> list[str]:
    """The hosts that this machine has: by their folder of settings, or by their command on the PATH."""
    import shutil

    return [host for host in NAMES if os.path.isdir(find_folder(host)) or shutil.which(spec(host).binary)]


def find_folder(host: str) -> str:
    """Where a host keeps the user's settings. Raises MindSkillsError where no home is known."""
    place = spec(host)
    if named := os.environ.get(place.folder_variable):
        return os.path.join(os.path.abspath(os.path.expanduser(named)), place.folder_below).rstrip(os.sep)
    return os.path.join(find_home(), *place.folder.split("/"))


def find_home() -> str:
    """The user's home folder. Raises MindSkillsError where none is known."""
    place = os.path.expanduser("~")
    if not os.path.isabs(place):
        raise MindSkillsError("no_home", "there is no home folder to find the settings in", "Set HOME.")
    return place


def enabled_plugins(host: str, content: bytes | None) -> list[str]:
    """Our plugins that a host's file of settings has enabled. Raises ValueError where it cannot be read."""
    key = spec(host).enabled_plugins
    if not key:
        return []
    root = parse((content or b"").decode())
    data: Any = root.value if root is not None else {}
    enabled: Any = data.get(key) if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    names: list[Any] = [name for name, value in enabled.items() if value] if isinstance(enabled, dict) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return [name for name in names if name.split("@")[0] == "mind-skills"]


class DocumentTarget:
    """A file of settings, of the user and of the host, that holds something of ours as well."""

    kind = "JSON"
    trust = ""

    def __init__(self, host: str, path: str, key: str) -> None:
        """``key`` is that of the journal."""
        self.host, self.path, self.key = host, path, key

    def remove(self, now: bytes, entry: Entry | None) -> bytes | None:
        """See Target. A file that was made for us, and holds nothing else, goes as a whole."""
        pieces, made = ((), None) if entry is None else (tuple(entry.pieces), tuple(entry.made))
        left = self.attempt(lambda: self.cut_out(now.decode(), pieces, made))
        created = entry is not None and not entry.before
        return None if created and not left.strip() else left.encode()

    def cut_out(self, text: str, pieces: tuple[str, ...], made: tuple[str, ...] | None) -> str:
        """The document without us. Raises ValueError where it cannot be read."""
        raise NotImplementedError

    def attempt(self, work: Callable[[], T]) -> T:
        """Do something with the document; what is wrong with it becomes a MindSkillsError that names the file."""
        try:
            return work()
        except ShapeError as error:
            message = f"{self.path}: {error}, and was left as it is"
            raise MindSkillsError("settings_shape", message, "Correct it.") from error
        except ValueError as error:
            what = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            message = f"{self.path} is no {self.kind}, and was left as it is: {what}"
            raise MindSkillsError("settings_syntax", message, "Correct that place, and run it again.") from error


class SettingsTarget(DocumentTarget):
    """A file of JSON that holds hooks."""

    def __init__(self, spec: HostSpec, path: str = "") -> None:
        """The command is computed when it is needed: taking hooks out needs none."""
        path = path or os.path.join(find_folder(spec.name), spec.hook_file)
        super().__init__(spec.name, path, path)
        self.spec, self.trust = spec, spec.trust

    def wanted(self) -> dict[str, Any]:
        """The group of each event. Raises MindSkillsError where there is no interpreter."""
        python, script = command.interpreter(), command.entry()
        groups: dict[str, Any] = {}
        for event, moment in self.spec.events.items():
            line = command.line(python, script, self.host, moment)
            groups[event] = {
                "hooks": [{**self.spec.hook_handler, "command": line, "timeout": self.spec.timeouts[event]}]
            }
        return groups

    def add(self, before: bytes | None) -> Change:
        done = self.attempt(lambda: add_hooks((before or b"").decode(), self.wanted()))
        return Change(done.text.encode(), done.pieces, done.made)

    def cut_out(self, text: str, pieces: tuple[str, ...], made: tuple[str, ...] | None) -> str:
        return remove_hooks(text, pieces, made)

    def ours(self, now: bytes | None) -> list[str]:
        """See Target: one for each of our handlers."""
        return [f"the hook at {event}" for event, found in self.handlers(now).items() for _ in found]

    def handlers(self, now: bytes | None) -> dict[str, list[Any]]:
        """Our handlers by event. Raises MindSkillsError where the file cannot be read."""
        return self.attempt(lambda: find_handlers((now or b"").decode()))

    def current(self, now: bytes | None) -> bool:
        return self.handlers(now) == {event: group["hooks"] for event, group in self.wanted().items()}


class OwnFileTarget:
    """A file that is ours as a whole, known by how it begins."""

    trust = ""

    def __init__(self, host: str, path: str, begins: str, what: str, make_content: Callable[[], bytes]) -> None:
        """``what`` it is in a few words. ``make_content`` raises MindSkillsError where there is no interpreter."""
        self.host = host
        self.path = self.key = path
        self._begins, self._what, self._make_content = begins.encode(), what, make_content

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError where somebody else's file has this name."""
        if before is not None:
            hint = "Move it away, and run it again."
            raise MindSkillsError("foreign_file", f"{self.path} is not from mind-skills, and was left as it is", hint)
        return Change(self._make_content(), made=("document",))

    def remove(self, now: bytes, entry: Entry | None) -> bytes | None:
        return None if self.ours(now) else now

    def ours(self, now: bytes | None) -> list[str]:
        return [self._what] if now is not None and now.startswith(self._begins) else []

    def current(self, now: bytes | None) -> bool:
        return now == self._make_content()


def _make_plugin() -> bytes:
    """The file that OpenCode loads."""
    from mind_skills.plugin.opencode import plugin_file

    places = [word.partition("=")[2] for word in command.places()]
    return plugin_file(command.interpreter(), command.entry(), *places).encode()
