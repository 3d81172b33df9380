"""Editor for settings files. It preserves the user's formatting and comments wherever possible."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from mind_skills.errors import MindSkillsError
from mind_skills.settings import strict
from mind_skills.settings.lenient import PROJECTS_KEY
from mind_skills.settings.table import TABLE, Value, find_spelling, normalise_key
from mind_skills.store import home
from mind_skills.store.atomic import Folder
from mind_skills.store.home import get_settings_path

LOCK_TIMEOUT_SECONDS = 60.0
"""Seconds to wait for other processes that change the settings."""
_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_ESCAPED = {"\b": "\\b", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def set_value(data: dict[str, Any], key: str, value: Value) -> None:
    """Set the dotted ``key`` in nested ``data``."""
    *sections, last = key.split(".")
    for section in sections:
        data = data.setdefault(section, {})
    data[last] = value


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
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    text = edit_text(text, key, value)
    if not _parses_to(text, data):
        # The edit fails for inline tables, quoted headers and the like: the file is written anew, without comments.
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
    """Replace the line of ``text`` that sets the dotted ``key``, or add it, with its section if that is missing."""
    section, _, last = key.rpartition(".")
    lines = text.splitlines()
    new_line = f"{last} = {format_toml_value(value)}"
    setting = re.compile(rf"\s*{re.escape(last)}\s*=")
    current_section, insert_at = "", None
    for index, line in enumerate(lines):
        if header := _HEADER.match(line):
            current_section = header[1]
            insert_at = index + 1 if current_section == section else insert_at
        elif current_section == section:
            if setting.match(line):
                comment = re.search(r"\s+#[^'\"]*$", line)
                return _join_lines([*lines[:index], new_line + (comment[0] if comment else ""), *lines[index + 1 :]])
            insert_at = index + 1 if line.strip() and not line.lstrip().startswith("#") else insert_at
    if insert_at is not None:
        return _join_lines([*lines[:insert_at], new_line, *lines[insert_at:]])
    if section:
        return _join_lines([*lines, *([""] if lines else []), f"[{section}]", new_line])
    first = next((index for index, line in enumerate(lines) if _HEADER.match(line)), len(lines))
    return _join_lines([*lines[:first], new_line, *([""] if first < len(lines) else []), *lines[first:]])


def _join_lines(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def _parses_to(text: str, data: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == data
    except tomllib.TOMLDecodeError:
        return False
