"""Editor for settings files. It preserves the user's formatting and comments wherever possible."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

from mind_skills.errors import MindSkillsError
from mind_skills.settings import strict
from mind_skills.settings.lenient import PROJECTS_KEY
from mind_skills.settings.table import TABLE, Value, find_spelling, normalise_key
from mind_skills.store import home
from mind_skills.store.atomic import Folder
from mind_skills.store.home import get_settings_path

LOCK_TIMEOUT_SECONDS = 60.0
"""Seconds to wait for other processes that change the settings."""
_KEY = re.compile(r"""(?:[^=#"'\[\]\n]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')++=[ \t]*+""")
"""The key of a setting, the equals sign and the blanks after it."""
_ESCAPED = {"\b": "\\b", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def set_value(data: dict[str, Any], key: str, value: Value) -> None:
    """Set the dotted ``key`` in nested ``data``."""
    _set_nested(data, tuple(key.split(".")), value)


def _set_nested(data: dict[str, Any], keys: tuple[str, ...], value: Value) -> None:
    for key in keys[:-1]:
        data = data.setdefault(key, {})
    data[keys[-1]] = value


def change_setting(key: str, text: str, root: str | None) -> strict.EffectiveSetting:
    """Set ``key`` to the value in ``text`` in the user's file, for the project at ``root`` (None: for all projects).

    Return the new setting, with the path of that file. Raises MindSkillsError if the key, the value or the existing file
    is invalid, or if the key cannot be set for a single project; StoreError or OSError if the file cannot be written.
    """
    key = normalise_key(key)
    if key not in TABLE:
        raise strict.make_unknown_key_error(key, "")
    path = Path(get_settings_path())
    strict.check(strict.read(str(path)), str(path))
    value = parse_value(text)
    update: dict[str, Any] = {}
    set_value(update, key, value)
    strict.check(update, "")
    if root is not None:
        strict.refuse_global_setting(
            key, "one project", f"Run `mind-skills config set {key} VALUE`, without --project."
        )
        try:
            root.encode()
        except UnicodeEncodeError as failure:
            raise MindSkillsError(
                "config_value", "the project's path is not valid UTF-8", "Rename its folder."
            ) from failure
    with lock_file(path):
        data = strict.read(str(path))  # read again: another process may have changed the file before it was locked
        strict.check(data, str(path))
        table = data if root is None else data.setdefault(PROJECTS_KEY, {}).setdefault(root, {})
        spelled_key = find_spelling(table, key)
        set_value(table, spelled_key, value)
        prefix = "" if root is None else f"{PROJECTS_KEY}.{format_toml_value(root)}."
        write_setting(path, prefix + spelled_key, value, data)
    return strict.EffectiveSetting(key, value, str(path))


def unset_setting(key: str, root: str | None) -> str | None:
    """Remove ``key`` from the user's file, for the project at ``root`` (None: for all projects). Return the file's path.

    Returns None if the file does not set it there. Raises MindSkillsError if the key or the file is invalid, StoreError or
    OSError if the file cannot be written.
    """
    key = normalise_key(key)
    if key not in TABLE:
        raise strict.make_unknown_key_error(key, "")
    path = Path(get_settings_path())
    if not path.exists():
        return None
    with lock_file(path):
        data = strict.read(str(path))
        strict.check(data, str(path))
        table = data if root is None else data.get(PROJECTS_KEY, {}).get(root, {})
        spelled_key = find_spelling(table, key)
        *parents, name = spelled_key.split(".")
        for parent in parents:
            table = table.get(parent, {})
        if name not in table:
            return None
        del table[name]
        prefix = "" if root is None else f"{PROJECTS_KEY}.{format_toml_value(root)}."
        _write_text(path, lambda text: _remove_line(text, prefix + spelled_key), data)
    return str(path)


def _remove_line(text: str, key: str) -> str:
    """Remove the line that sets the dotted ``key``; the header of its table remains."""
    wanted, section = _split_key(key), tuple[str, ...]()
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if line.lstrip().startswith("["):
            section = _read_header(line)
        elif (setting := _read_setting(line)) is not None and section + setting.key == wanted:
            return "".join([*lines[:index], *lines[index + 1 :]])
    return text


def parse_value(text: str) -> Value:
    """Parse ``text`` as a TOML boolean, number or string; other text is a string, so users need not quote twice."""
    try:
        data = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    value = data["value"]
    return value if len(data) == 1 and isinstance(value, bool | int | float | str) else text


def write_setting(path: Path, key: str, value: Value, data: dict[str, Any]) -> None:
    """Set ``key`` to ``value`` in the file at ``path``. Call this within ``lock_file``.

    ``data`` is the content that the file should have afterwards. Raises StoreError if the file cannot be written or is
    not a regular file.
    """
    _write_text(path, lambda text: edit_text(text, key, value), data)


def _write_text(path: Path, edit: Callable[[str], str], data: dict[str, Any]) -> None:
    """Edit the text of the file at ``path``, which should then have the content ``data``."""
    text = edit(path.read_bytes().decode("utf-8-sig") if path.exists() else "")
    if not _parses_to(text, data):
        # The edit fails for odd layouts, such as a value of several lines: the file is written anew, without comments.
        text = format_toml(data)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    path = _resolve_user_link(path)
    with Folder(path.parent) as folder:
        folder.remove_temporary_files(path.name)  # temporary files of killed processes
        folder.write(path.name, text.encode(), mode)


def format_toml_value(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    control = {chr(n): f"\\u{n:04x}" for n in (*range(32), 127) if chr(n) != "\t"} | _ESCAPED
    return f'"{"".join(control.get(character, character) for character in value)}"'


def format_toml(data: dict[str, Any]) -> str:
    """Format ``data``, which contains only settings and tables of settings, as TOML."""
    return "\n".join(_format_tables(data))


def _format_tables(data: dict[str, Any], name: str = "") -> list[str]:
    """Format the tables of a settings file, each with a trailing line break: settings first, then nested tables."""
    settings = [
        f"{_format_key(key)} = {format_toml_value(value)}\n"
        for key, value in data.items()
        if not isinstance(value, dict)
    ]
    nested = {key: cast("dict[str, Any]", value) for key, value in data.items() if isinstance(value, dict)}
    header = [f"[{name}]\n"] if name and (settings or not nested) else []
    parts = ["".join([*header, *settings])] if header or settings else []
    nested_parts = (_format_tables(table, f"{name}.{_format_key(key)}".lstrip(".")) for key, table in nested.items())
    return [*parts, *(text for texts in nested_parts for text in texts)]


def _format_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else format_toml_value(key)


@contextmanager
def lock_file(path: Path) -> Generator[None]:
    """Lock the file at ``path`` against changes by other processes. Creates its folder. Raises StoreError, OSError."""
    path = _resolve_user_link(path)
    missing = [] if home.SETTINGS_VARIABLE in os.environ else home.list_missing_folders(str(path.parent.parent))
    path.parent.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if missing:
        home.record_created_folders(home.ensure_folder(), missing)
    with Folder(path.parent, make=True) as folder:
        folder.lock(LOCK_TIMEOUT_SECONDS)
        yield


def _resolve_user_link(path: Path) -> Path:
    """Resolve symbolic links to the user's own file, which may be in a dotfiles repository, but not to a project's file."""
    return path if path.parent.name == ".claude" else path.resolve()


def edit_text(text: str, key: str, value: Value) -> str:
    """Replace the value of the dotted ``key`` in ``text``, or add a line for it, with its section if that is missing.

    Every other byte remains, except that the last line is ended.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = (text if not text or text.endswith("\n") else text + newline).splitlines(keepends=True)
    wanted = _split_key(key)
    section: tuple[str, ...] = ()
    place: tuple[int, tuple[str, ...]] | None = None  # where to add a line, and the key of that line
    headers: list[int] = []
    for index, line in enumerate(lines):
        if line.lstrip().startswith("["):
            section = _read_header(line)
            headers.append(index)
            if section == wanted[:-1]:
                place = index + 1, wanted[-1:]
        elif (setting := _read_setting(line)) is not None:
            path = section + setting.key
            if path == wanted:
                return "".join([*lines[:index], setting.format_line(value), *lines[index + 1 :]])
            if path == wanted[: len(path)] and isinstance(setting.value, dict):  # an inline table
                table = cast("dict[str, Any]", setting.value)
                _set_nested(table, wanted[len(path) :], value)
                return "".join([*lines[:index], setting.format_line(table), *lines[index + 1 :]])
            if path[:-1] == wanted[:-1]:
                place = index + 1, wanted[len(section) :]
    if place is not None:
        index, names = place
        return "".join([*lines[:index], f"{_join_key(names)} = {format_toml_value(value)}{newline}", *lines[index:]])
    new_line = f"{_join_key(wanted[-1:])} = {format_toml_value(value)}{newline}"
    if wanted[1:]:
        return "".join([*lines, newline if lines else "", f"[{_join_key(wanted[:-1])}]{newline}", new_line])
    first = headers[0] if headers else len(lines)
    return "".join([*lines[:first], new_line, newline if headers else "", *lines[first:]])


class _SettingLine(NamedTuple):
    """A line that sets ``key`` to ``value``: the text before the value, and the text after it with the line ending."""

    key: tuple[str, ...]
    value: Any
    before: str
    after: str

    def format_line(self, value: Value | dict[str, Any]) -> str:
        """Return the line with another value; its comment remains."""
        return f"{self.before}{_format_inline(value)}{self.after}"


def _read_setting(line: str) -> _SettingLine | None:
    """Parse a line that sets one key; None for any other line, such as one of a value of several lines."""
    match = _KEY.match(line)
    if match is None:
        return None
    text = line[match.end() :]
    # The comment starts at the first # that is not in a string: what is before it is a whole value.
    for end in (*(found.start() for found in re.finditer("#", text)), len(text)):
        value_text = text[:end].rstrip()
        try:
            value: Any = tomllib.loads(f"value = {value_text}")["value"]
            return _SettingLine(_split_key(match[0].rpartition("=")[0]), value, match[0], text[len(value_text) :])
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
    return None


def _read_header(line: str) -> tuple[str, ...]:
    """Return the keys in the header of a table; an array of tables, which no setting is, has a key that no table has."""
    try:
        data: Any = tomllib.loads(line)
    except (tomllib.TOMLDecodeError, RecursionError):
        return ("",)
    return _list_keys(data) if not line.lstrip().startswith("[[") else ("",)


def _split_key(key: str) -> tuple[str, ...]:
    """Split a dotted key, whose parts may be quoted. Raises TOMLDecodeError."""
    return _list_keys(tomllib.loads(f"{key} = 0"))


def _list_keys(data: Any) -> tuple[str, ...]:
    """List the keys from the root of a document that has one key at each level."""
    keys: list[str] = []
    while isinstance(data, dict) and data:
        ((key, data),) = cast("dict[str, Any]", data).items()
        keys.append(key)
    return tuple(keys)


def _join_key(parts: tuple[str, ...]) -> str:
    return ".".join(map(_format_key, parts))


def _format_inline(value: Value | dict[str, Any]) -> str:
    """Format a value, or a table of values on one line."""
    if not isinstance(value, dict):
        return format_toml_value(value)
    items = ", ".join(f"{_format_key(key)} = {_format_inline(each)}" for key, each in value.items())
    return f"{{ {items} }}" if items else "{}"


def _parses_to(text: str, data: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == data
    except tomllib.TOMLDecodeError:
        return False
