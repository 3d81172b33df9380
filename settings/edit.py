"""Writing a settings file so that what a person wrote in it stays: one line changes, comments and order remain."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from mind_skills.errors import MindSkillsError
from mind_skills.settings import strict
from mind_skills.settings.lenient import PROJECTS, user_file
from mind_skills.settings.names import canonical_key, spelled
from mind_skills.settings.table import TABLE, Value
from mind_skills.store.atomic import Folder

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
PATIENCE = 60.0
"""Seconds to wait for other processes that change the settings."""


_ESCAPED = {"\b": "\\b", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def put(data: dict[str, Any], key: str, value: Value) -> None:
    """Set the dotted ``key`` in nested ``data``."""
    *sections, last = key.split(".")
    for section in sections:
        data = data.setdefault(section, {})
    data[last] = value


def change(key: str, text: str, root: str | None) -> strict.InForce:
    """Set ``key`` to ``text`` (a TOML value, or a plain word) in the user's file, for the project at ``root`` or for all.

    Comments and order of the file stay. Raises MindSkillsError where key or value are wrong, or the file was wrong before.
    """
    key = canonical_key(key)
    if key not in TABLE:
        raise strict.unknown_key(key, "")
    path = Path(user_file())
    strict.check(strict.read(str(path)), str(path))
    value = parsed(text)
    wanted: dict[str, Any] = {}
    put(wanted, key, value)
    strict.check(wanted, "the command line")
    if root is not None:
        strict.refuse_everywhere(key, "one project")
        try:
            root.encode()
        except UnicodeEncodeError as failure:
            raise MindSkillsError("config_value", "the project's path is no text", "Rename its folder.") from failure
    with editing(path):
        data = strict.read(str(path))  # once more: another process may have set something meanwhile
        strict.check(data, str(path))
        table = data if root is None else data.setdefault(PROJECTS, {}).setdefault(root, {})
        there = spelled(table, key)
        put(table, there, value)
        save(path, there if root is None else f"{PROJECTS}.{toml_value(root)}.{there}", value, data)
    return strict.InForce(key, value, str(path))


def parsed(text: str) -> Value:
    """``text`` as a TOML value; as a string where it is none, so that nobody needs to quote twice."""
    try:
        data = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    value = data["value"]
    return value if len(data) == 1 and isinstance(value, bool | int | float | str) else text


def save(path: Path, key: str, value: Value, data: dict[str, Any]) -> None:
    """Make the file at ``path`` say ``data``, which is what it says now with ``key`` set to ``value``. Within ``editing``.

    Raises StoreError where it cannot be written, or the project's is not a real file.
    """
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    text = edited(text, key, value)
    if not _says(text, data):
        # Inline tables, quoted headers and the like: right and without comments is better than wrong.
        text = dump(data)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    path = _real(path)
    with Folder(path.parent) as folder:
        folder.sweep(path.name)  # what another one left that was killed
        folder.write(path.name, text.encode(), mode)


def toml_value(value: Value) -> str:
    """``value`` as TOML spells it."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    control = {chr(n): f"\\u{n:04x}" for n in (*range(32), 127) if chr(n) != "\t"} | _ESCAPED
    return f'"{"".join(control.get(sign, sign) for sign in value)}"'


def dump(data: dict[str, Any]) -> str:
    """``data``, which holds nothing but settings and tables of such, as TOML."""
    return "\n".join(_tables(data))


def _tables(data: dict[str, Any], name: str = "") -> list[str]:
    """A settings file in tables, each ended by a line end: settings first, then the tables inside."""
    own = [f"{_name(key)} = {toml_value(value)}\n" for key, value in data.items() if not isinstance(value, dict)]
    inside = {key: cast("dict[str, Any]", value) for key, value in data.items() if isinstance(value, dict)}
    header = [f"[{name}]\n"] if name and (own or not inside) else []
    found = ["".join([*header, *own])] if header or own else []
    below = (_tables(table, f"{name}.{_name(key)}".lstrip(".")) for key, table in inside.items())
    return [*found, *(text for each in below for text in each)]


def _name(key: str) -> str:
    return key if _BARE.fullmatch(key) else toml_value(key)


@contextmanager
def editing(path: Path) -> Generator[None]:
    """No other process reads the file at ``path`` to change it meanwhile: what that one sets is not to be lost.

    Makes the folder for it. Raises StoreError.
    """
    path = _real(path)
    path.parent.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with Folder(path.parent, make=True) as folder:
        folder.hold(PATIENCE)
        yield


def _real(path: Path) -> Path:
    """The user's own file may be a link into a folder of dotfiles; one that came with a repository may not."""
    return path if path.parent.name == ".claude" else path.resolve()


def edited(text: str, key: str, value: Value) -> str:
    """``text`` with the line that sets the dotted ``key`` replaced or, where there is none, added to its section."""
    section, _, last = key.rpartition(".")
    lines = text.splitlines()
    new = f"{last} = {toml_value(value)}"
    setting = re.compile(rf"\s*{re.escape(last)}\s*=")
    here, place = "", None
    for number, line in enumerate(lines):
        if header := _HEADER.match(line):
            here = header[1]
            place = number + 1 if here == section else place
        elif here == section:
            if setting.match(line):
                comment = re.search(r"\s+#[^'\"]*$", line)
                return _joined([*lines[:number], new + (comment[0] if comment else ""), *lines[number + 1 :]])
            place = number + 1 if line.strip() and not line.lstrip().startswith("#") else place
    if place is not None:
        return _joined([*lines[:place], new, *lines[place:]])
    if section:
        return _joined([*lines, *([""] if lines else []), f"[{section}]", new])
    first = next((number for number, line in enumerate(lines) if _HEADER.match(line)), len(lines))
    return _joined([*lines[:first], new, *([""] if first < len(lines) else []), *lines[first:]])


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def _says(text: str, data: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == data
    except tomllib.TOMLDecodeError:
        return False
