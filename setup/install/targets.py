"""The files that an installation changes, and how our entries are added to them and removed.

Most hosts that read hooks from a file use the same structure: ``{"hooks": {EVENT: [{"hooks": [HANDLER, ...]}]}}``. A ``HookForm``
describes the others.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import HOST_NAMES, HostSpec, load_spec
from mind_skills.output.document import Report
from mind_skills.plugin import command
from mind_skills.setup.install import files, json_edit
from mind_skills.setup.install.journal import Entry, Journal, compute_digest
from mind_skills.setup.install.json_edit import MergeResult, ShapeError, as_list, as_object
from mind_skills.store.home import list_missing_folders

HOOKS_KEY = "hooks"
_CORRECT_FILE = "The file was not changed. Correct it, then run the command again."
_OURS = re.compile(
    r"""(?:[\\/]plugin[\\/](?:entry\.py|hook\.sh)|\bmind-skills(?:\.exe)?["']?\s+hook)["']?\s+"""
    rf"""(?:{"|".join(HOST_NAMES)})\b"""
)


def is_our_handler(handler: object) -> bool:
    """Return whether a handler runs one of our hooks, from any installation."""
    fields = as_object(handler)
    words = [fields.get("command"), *as_list(fields.get("args"))]
    return _OURS.search(" ".join(word for word in words if isinstance(word, str))) is not None


def find_handlers(content: bytes | None, key: str = HOOKS_KEY) -> dict[str, list[Any]]:
    """Return our handlers under ``key`` in a document, keyed by event. Raises ValueError."""
    handlers: dict[str, list[Any]] = {}
    for event, groups in read_groups(content, key).items():
        if ours := [handler for group in groups for handler in group if is_our_handler(handler)]:
            handlers[event] = ours
    return handlers


def add_hooks(text: str, entries: dict[str, Any], key: str = HOOKS_KEY) -> MergeResult:
    """Append ``entries[EVENT]`` to the list of each event under ``key``. Raises JsoncError, ShapeError."""
    return json_edit.merge(text, {key: {event: [entry] for event, entry in entries.items()}})


def remove_hooks(
    text: str, pieces: tuple[str, ...] = (), created_paths: tuple[str, ...] | None = None, key: str = HOOKS_KEY
) -> str:
    """Remove our hooks under ``key`` from ``text``; see json_edit.prune. Raises JsoncError."""

    def is_ours_at(path: json_edit.JsonPath, value: Any) -> bool:
        """Return whether the value at ``path`` is one of our handlers, or a group that contains only our handlers."""
        match path[1:]:
            case (str(), int()):
                return path[0] == key and bool(found := _read_handlers(value, key)) and all(map(is_our_handler, found))
            case (str(), int(), "hooks", int()):
                return path[0] == key and is_our_handler(value)
            case _:
                return False

    return json_edit.prune(text, is_ours_at, pieces, created_paths)


def read_groups(content: bytes | None, key: str = HOOKS_KEY) -> dict[str, list[list[Any]]]:
    """Return the handlers in each group of each event under ``key`` in a document. Raises ValueError."""
    events = as_object(as_object(json_edit.parse_value(content)).get(key))
    return {event: [_read_handlers(entry, key) for entry in as_list(entries)] for event, entries in events.items()}


def _read_handlers(entry: object, key: str) -> list[Any]:
    """Return the handlers in a group; under another key than most hosts', the entry may be a handler itself."""
    fields = as_object(entry)
    return [entry] if key != HOOKS_KEY and HOOKS_KEY not in fields else as_list(fields.get(HOOKS_KEY))


T = TypeVar("T")


class Target(ABC):
    """A file that an installation changes. Methods take its content, None if it is missing, and do not access the file.

    They raise MindSkillsError if the content is invalid.
    """

    trust_instructions = ""
    """How the user approves the hooks, if the host asks for approval; otherwise empty."""
    key_suffix = ""
    """Distinguishes the key in the journal if the same file may be the target of several installations."""

    def __init__(self, host: str, path: str) -> None:
        self.host, self.path, self.key = host, path, f"{path}{self.key_suffix}"

    @abstractmethod
    def add(self, before: bytes | None) -> MergeResult:
        """Add our entries to ``before``."""

    @abstractmethod
    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        """Return the content without our entries; None deletes the file. ``entry`` is the journal's record, or None."""

    @abstractmethod
    def describe_entries(self, content: bytes | None) -> list[str]:
        """Describe our entries in the file, each in a few words."""

    @abstractmethod
    def is_current(self, content: bytes | None) -> bool:
        """Return whether the file has exactly the entries that an installation would add now."""

    def list_state_folders(self, content: bytes | None) -> list[str]:
        """List the state folders that our entries in the file name."""
        return []


def make_target(host: str, path: str = "") -> Target:
    """Return the target for a host's hooks, at ``path`` or at the default path.

    Raises MindSkillsError if the host is not supported or there is no home folder.
    """
    if host not in HOST_NAMES:
        from difflib import get_close_matches

        near = get_close_matches(host.lower(), HOST_NAMES, n=1)
        suggestion = f"Did you mean {near[0]}? " if near else ""
        hint = f"{suggestion}Supported hosts: {', '.join(HOST_NAMES)}."
        raise MindSkillsError("no_such_host", f"{host} is not a supported host", hint)
    if load_spec(host).protocol != "plugin":
        return SettingsTarget(load_spec(host), path)
    path = path or os.path.join(find_folder(host), *load_spec(host).hook_file.split("/"))
    return OwnFileTarget(host, path, "// mind-skills for OpenCode", "the plugin", _make_plugin)


def find_present_hosts() -> list[str]:
    return [host for host in HOST_NAMES if is_present(host)]


def is_present(host: str) -> bool:
    """Return whether a host has its folders in the settings folder, or a command on the PATH."""
    import shutil

    spec, folder = load_spec(host), find_folder(host)
    has_sign = any(os.path.isdir(os.path.join(folder, sign)) for sign in spec.signs)
    return has_sign or shutil.which(spec.binary) is not None


def find_folder(host: str) -> str:
    """Return the folder of a host's user settings. Raises MindSkillsError if there is no home folder."""
    host_spec = load_spec(host)
    if custom_folder := os.environ.get(host_spec.settings_folder_env_var):
        return os.path.join(
            os.path.abspath(os.path.expanduser(custom_folder)), host_spec.settings_folder_suffix
        ).rstrip(os.sep)
    return os.path.join(find_home(), *host_spec.settings_folder.split("/"))


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
    key = load_spec(host).enabled_plugins_key
    if not key:
        return []
    plugins = as_object(as_object(json_edit.parse_value(content)).get(key))
    return [name for name, is_enabled in plugins.items() if is_enabled and name.split("@")[0] == "mind-skills"]


class DocumentTarget(Target):
    """A settings file of the host that the user also edits; it is not ours, but contains our entries."""

    kind = "JSON"

    def add(self, before: bytes | None) -> MergeResult:
        return self.convert_errors(lambda: self.insert((before or b"").decode()))

    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        """See Target. A file that we created is deleted if it has no other content."""
        pieces, created_paths = ((), None) if entry is None else (tuple(entry.pieces), tuple(entry.made))
        remaining = self.convert_errors(lambda: self.cut_out(content.decode(), pieces, created_paths))
        is_created = entry is not None and not entry.before
        return None if is_created and not remaining.strip() else remaining.encode()

    @abstractmethod
    def insert(self, text: str) -> MergeResult:
        """Add our entries to the document. Raises ValueError if the document is invalid."""

    @abstractmethod
    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        """Return the document without our entries. Raises ValueError if the document is invalid."""

    def convert_errors(self, work: Callable[[], T]) -> T:
        """Run ``work`` and convert its ValueErrors to a MindSkillsError that names the file."""
        try:
            return work()
        except ShapeError as error:
            raise MindSkillsError("settings_shape", f"{self.path}: {error}", _CORRECT_FILE) from error
        except ValueError as error:
            problem = "it is not valid UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            message = f"{self.path} is not valid {self.kind}: {problem}"
            raise MindSkillsError("settings_syntax", message, _CORRECT_FILE) from error


class SettingsTarget(DocumentTarget):
    """A JSON settings file with hooks."""

    def __init__(self, spec: HostSpec, path: str = "") -> None:
        """The hook commands are not built here, because removing hooks does not need them."""
        super().__init__(spec.name, path or os.path.join(find_folder(spec.name), spec.hook_file))
        self.spec, self.form, self.trust_instructions = spec, spec.hook_form, spec.trust_instructions

    def build_entries(self) -> dict[str, Any]:
        """Return the entry to add to each event: a group, or for a host without groups, a handler.

        Raises MindSkillsError without a usable interpreter or environment.
        """
        python, script = command.find_interpreter(), command.find_entry_script()
        entries: dict[str, Any] = {}
        for event, moment in self.spec.events.items():
            line = command.make_shell_command(python, script, self.host, moment)
            handler = {**self.spec.hook_handler, "command": line, "timeout": self.spec.timeouts[event]}
            matcher = {"matcher": self.spec.matchers[event]} if event in self.spec.matchers else {}
            entries[event] = {**matcher, "hooks": [handler]} if self.form.are_hooks_grouped else handler
        return entries

    def insert(self, text: str) -> MergeResult:
        if problem := self.form.find_problem(text):
            raise ShapeError(f"{problem}, so {self.spec.title} ignores the whole file")
        return add_hooks(text, self.build_entries(), self.form.key)

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        return remove_hooks(text, pieces, created_paths, self.form.key)

    def describe_entries(self, content: bytes | None) -> list[str]:
        """See Target. There is one description per handler."""
        return [f"the hook at {event}" for event, ours in self.read_handlers(content).items() for _ in ours]

    def read_handlers(self, content: bytes | None) -> dict[str, list[Any]]:
        """Return our handlers, keyed by event. Raises MindSkillsError if the content is invalid."""
        return self.convert_errors(lambda: find_handlers(content, self.form.key))

    def list_state_folders(self, content: bytes | None) -> list[str]:
        handlers = [as_object(handler) for ours in self.read_handlers(content).values() for handler in ours]
        return [command.parse_state_folder(line) for each in handlers if isinstance(line := each.get("command"), str)]

    def is_current(self, content: bytes | None) -> bool:
        entries = self.build_entries()
        return self.read_handlers(content) == {
            event: _read_handlers(entry, self.form.key) for event, entry in entries.items()
        }


class OwnFileTarget(Target):
    """A file that is entirely ours, recognised by its first bytes."""

    def __init__(self, host: str, path: str, prefix: str, description: str, make_text: Callable[[], str]) -> None:
        """``description`` is a few words about the file, for the user.

        ``make_text`` may raise MindSkillsError or OSError.
        """
        super().__init__(host, path)
        self._prefix, self._description, self._make_text = prefix.encode(), description, make_text

    def add(self, before: bytes | None) -> MergeResult:
        """See Target. Raises MindSkillsError if the file exists."""
        if before is not None:
            message = f"{self.path} was not created by mind-skills and was not changed"
            raise MindSkillsError("foreign_file", message, "Move that file away and run the command again.")
        return MergeResult(self._make_text(), (), ("document",))

    def remove(self, content: bytes, entry: Entry | None) -> bytes | None:
        return None if self.describe_entries(content) else content

    def describe_entries(self, content: bytes | None) -> list[str]:
        return [self._description] if content is not None and content.startswith(self._prefix) else []

    def list_state_folders(self, content: bytes | None) -> list[str]:
        from mind_skills.plugin.opencode import read_constant

        text = (content or b"").decode("utf-8", "replace")
        return [read_constant(text, "STATE")] if self.describe_entries(content) else []

    def is_current(self, content: bytes | None) -> bool:
        return content == self._make_text().encode()


def _make_plugin() -> str:
    from mind_skills.plugin.opencode import render_plugin_file

    locations = [argument.partition("=")[2] for argument in command.list_location_arguments()]
    return render_plugin_file(command.find_interpreter(), command.find_entry_script(), *locations)


class FileReport(Report):
    """The change to one file of a host; with ``--dry-run``, the change that would be made."""

    path: str
    action: Literal["create", "edit", "remove", "none"]
    diff: str
    """The change as a unified diff; empty for ``none``."""
    backup: str
    """Path of the backup that an installation wrote; empty if none was written."""


def install_target(journal: Journal, target: Target, at: int, *, dry_run: bool = False) -> FileReport:
    """Add our entries to the host's file; do nothing if they are up to date. ``at`` is UTC milliseconds.

    The journal is written before the file, so an interrupted installation can be undone. Raises MindSkillsError,
    StoreError, OSError. After an error the file is unchanged; if only the sync of its folder failed, the file is changed
    and the change is in the journal.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    file = files.read_file(target.path)
    if target.is_current(file.content):
        return report_change(target.path, file.content, file.content)
    before = _remove_ours(journal, target, file.content)
    change = target.add(before)
    after = change.text.encode()
    report = report_change(target.path, file.content, after)
    files.require_writable(file)
    if dry_run:
        return report
    entry = Entry(
        target.host,
        compute_digest(before),
        compute_digest(after),
        file.mode,
        at,
        list(change.pieces),
        list(change.created_paths),
        compute_digest(file.content),
    )
    previous = journal.entries.get(target.key)
    missing = list_missing_folders(os.path.dirname(file.real))[::-1]  # outermost first
    journal.folders += [path for path in missing if path not in journal.folders]
    try:
        journal.write_backup(target.key, before)
        journal.entries[target.key] = entry
        journal.save()
        for path in missing:
            os.mkdir(path)
        files.write(file, after)
    except BaseException:
        if files.read_file(target.path).content != after:
            journal.roll_back(target.key, previous)
        raise
    report.backup = journal.find_backup(target.key) if before is not None else ""
    return report


def uninstall_target(journal: Journal, target: Target, *, dry_run: bool = False) -> FileReport:
    """Remove our entries from the host's file, restoring the original bytes if nobody has changed the file since.

    Raises MindSkillsError, StoreError, OSError. After an error the file is unchanged, unless only the sync of its
    folder or the update of the journal failed.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    file = files.read_file(target.path)
    remaining = _remove_ours(journal, target, file.content)
    report = report_change(target.path, file.content, remaining)
    if remaining != file.content:
        files.require_writable(file)
    if dry_run:
        return report
    if remaining != file.content:
        files.write(file, remaining)
    if target.key in journal.entries:
        journal.forget(target.key)
    return report


def find_residue(target: Target) -> list[str]:
    """List our entries that are left in the host's file, each with the file's path. Raises MindSkillsError, StoreError."""
    return [f"{target.path}: {entry}" for entry in target.describe_entries(files.read_file(target.path).content)]


def _remove_ours(journal: Journal, target: Target, content: bytes | None) -> bytes | None:
    """Return the file's content without our entries."""
    entry = journal.entries.get(target.key)
    # If an installation was killed before it wrote the file, the digest of the content is ``replaced``.
    if entry is not None and compute_digest(content) in {entry.after, entry.replaced or entry.after}:
        before = journal.read_backup(target.key)
        if before is not None or not entry.before:
            return before
    if content is None or not target.describe_entries(content):
        return content
    return target.remove(content, entry)


def report_change(path: str, before: bytes | None, after: bytes | None) -> FileReport:
    """Build the report of a change from ``before`` to ``after``; None stands for a missing file."""
    if before == after:
        return FileReport(path=path, action="none", diff="", backup="")
    import difflib  # not needed to list installations, as `mind-skills status` does

    action: Literal["create", "edit", "remove"] = "create" if before is None else "remove" if after is None else "edit"
    old, new = (
        [] if content is None else content.decode("utf-8", "replace").splitlines(keepends=True)
        for content in (before, after)
    )
    names = [os.devnull if content is None else path for content in (before, after)]
    lines = difflib.unified_diff(old, new, names[0], names[1])
    diff = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    return FileReport(path=path, action=action, diff=diff, backup="")
