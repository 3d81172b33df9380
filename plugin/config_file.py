"""Writing a settings file so that what a person wrote in it stays: one line changes, comments and order remain."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomli_w

from mind_skills.store.atomic import Folder

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
PATIENCE = 60.0
"""Seconds to wait for other processes that change the settings."""


def toml_value(value: bool | float | str) -> str:
    """``value`` as TOML spells it."""
    return tomli_w.dumps({"v": value}).strip().removeprefix("v = ")


def save(path: Path, key: str, value: bool | float | str, data: dict[str, Any]) -> None:
    """Make the file at ``path`` say ``data``, which is what it says now with ``key`` set to ``value``. Within ``editing``.

    Raises StoreError where it cannot be written, or the project's is not a real file.
    """
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    text = edited(text, key, value)
    if not _says(text, data):
        # Inline tables, quoted headers and the like: right and without comments is better than wrong.
        text = tomli_w.dumps(data)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    path = _real(path)
    with Folder(path.parent) as folder:
        folder.sweep(path.name)  # what another one left that was killed
        folder.write(path.name, text.encode(), mode)


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


def edited(text: str, key: str, value: bool | float | str) -> str:
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
