"""Editor for the user's settings file. It preserves the formatting and the comments."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Generator, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.settings import strict
from mind_skills.settings.lenient import PROJECTS_KEY
from mind_skills.settings.table import TABLE, Value, find_spelling, normalise_key
from mind_skills.store import home
from mind_skills.store.atomic import Folder
from mind_skills.store.home import get_settings_path

LOCK_TIMEOUT_SECONDS = 60.0


def change_setting(key: str, text: str, root: str | None) -> strict.EffectiveSetting:
    """Set ``key`` to the value in ``text`` in the user's file, for the project at ``root`` (None: for all projects).

    Return the new setting, with the path of that file. Raises MindSkillsError if the key, the value or the existing file
    is invalid, or if the key cannot be set for a single project; StoreError or OSError if the file cannot be written.
    """
    key, path = _normalise(key), get_settings_path()
    strict.check(strict.read(path), path)
    value = parse_value(text)
    update: dict[str, Any] = {}
    set_value(update, key.split("."), value)
    strict.check(update, "")
    if root is not None:
        hint = f"Run `mind-skills config set {key} VALUE`, without --project."
        strict.refuse_global_setting(key, "one project", hint)
        try:
            root.encode()
        except UnicodeEncodeError as failure:
            message = "the project's path is not valid UTF-8"
            raise MindSkillsError("config_value", message, "Rename its folder.") from failure
    _edit_file(Path(path), key, value, root)
    return strict.EffectiveSetting(key, value, path)


def unset_setting(key: str, root: str | None) -> str | None:
    """Remove ``key`` from the user's file, for the project at ``root`` (None: for all projects). Return the file's path.

    Returns None if the file does not set it there. Raises MindSkillsError if the key or the file is invalid, StoreError or
    OSError if the file cannot be written.
    """
    key, path = _normalise(key), Path(get_settings_path())
    return str(path) if path.exists() and _edit_file(path, key, None, root) else None


def _normalise(key: str) -> str:
    key = normalise_key(key)
    if key not in TABLE:
        raise strict.make_unknown_key_error(key, "")
    return key


def parse_value(text: str) -> Value:
    """Parse ``text`` as a TOML boolean, number or string; other text is a string, so users need not quote twice."""
    try:
        data = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    value = data["value"]
    return value if len(data) == 1 and isinstance(value, bool | int | float | str) else text


def format_toml_value(value: Value) -> str:
    """Format a value, which JSON writes as TOML does, except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _edit_file(path: Path, key: str, value: Value | None, root: str | None) -> bool:
    """Set ``key`` in the file at ``path``, or remove it if ``value`` is None. Return whether the file changed."""
    path = path.resolve()  # it may be a link into a dotfiles repository
    with _lock_file(path):
        data = strict.read(get_settings_path())  # another process may have changed the file before it was locked
        strict.check(data, get_settings_path())
        place = () if root is None else (PROJECTS_KEY, root)
        table: Any = data
        for name in place:
            table = table.get(name, {})
        keys = (*place, *find_spelling(table, key).split("."))
        if not set_value(data, keys, value):
            return False
        text = edit_text(path.read_bytes().decode("utf-8-sig") if path.exists() else "", keys, value, data)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with Folder(path.parent) as folder:
            folder.remove_temporary_files(path.name)  # temporary files of killed processes
            folder.write(path.name, text.encode(), mode)
    return True


def edit_text(text: str, keys: Sequence[str], value: Value | None, data: dict[str, Any]) -> str:
    """Return a TOML document after ``set_value``. ``data`` is its content then; a document that cannot be edited is written anew."""
    import tomlkit
    from tomlkit.items import InlineTable

    def make_table(container: object, is_super: bool) -> Any:
        return tomlkit.inline_table() if isinstance(container, InlineTable) else tomlkit.table(is_super)

    try:
        document = tomlkit.parse(text)
        set_value(document, keys, value, make_table)
        if value is None:
            _remove_empty_tables(document, data, keys[:-1])
        edited = tomlkit.dumps(document)
        if "\r\n" in text and text.count("\r\n") == text.count("\n"):
            edited = edited.replace("\r\n", "\n").replace("\n", "\r\n")
        if tomllib.loads(edited) == data:
            return edited
    except Exception:  # noqa: BLE001, S110 -- tomlkit raises any error for tables in an unusual order
        pass
    return tomlkit.dumps(data)


def set_value(
    data: MutableMapping[str, Any],
    keys: Sequence[str],
    value: Value | None,
    make_table: Callable[[object, bool], MutableMapping[str, Any]] | None = None,
) -> bool:
    """Set the value at ``keys`` in nested ``data``, or remove it if it is None. Return whether there was a change."""
    for depth, name in enumerate(keys[:-1], 1):
        if name not in data:
            if value is None:
                return False
            data[name] = make_table(data, depth < len(keys) - 1) if make_table else {}
        data = data[name]
    if value is None:
        return data.pop(keys[-1], None) is not None
    data[keys[-1]] = value
    return True


def _remove_empty_tables(document: Any, data: Any, keys: Sequence[str]) -> None:
    """Remove the table at ``keys`` if it has neither settings nor comments, and then the tables around it likewise."""
    for depth in range(len(keys) - 1, -1, -1):
        around, plain = document, data
        for name in keys[:depth]:
            around, plain = around[name], plain[name]
        if plain[keys[depth]] or "#" in around[keys[depth]].as_string():
            return
        del around[keys[depth]], plain[keys[depth]]


@contextmanager
def _lock_file(path: Path) -> Generator[None]:
    """Lock the file at ``path`` against changes by other processes. Creates its folder. Raises StoreError, OSError."""
    missing = [] if home.SETTINGS_VARIABLE in os.environ else home.list_missing_folders(str(path.parent.parent))
    path.parent.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if missing:
        home.record_created_folders(home.ensure_folder(), missing)
    with Folder(path.parent, make=True) as folder:
        folder.lock(LOCK_TIMEOUT_SECONDS)
        yield
