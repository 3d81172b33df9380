"""A server in a document of TOML: a table at its end, and out again. All other lines keep their bytes."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import tomli_w

from mind_skills.setup.install.members import Added, ShapeError


def servers(text: str, key: str) -> dict[str, Any]:
    """What stands under KEY. Raises ShapeError, tomllib.TOMLDecodeError."""
    found: Any = tomllib.loads(text).get(key, {})
    if not isinstance(found, dict):
        raise ShapeError(f"{key} is no table")
    return found  # pyright: ignore[reportUnknownVariableType]


def added(text: str, key: str, name: str, entry: dict[str, Any]) -> Added:
    """``text`` with a table for the entry at its end. Raises ShapeError where KEY is written so that none can be added."""
    known = servers(text, key)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = tomli_w.dumps({key: {name: entry}}).removeprefix(f"[{key}]\n\n").replace("\n", newline)
    gap = "" if not text or text.endswith("\n") else newline
    piece = f"{gap}{newline if text.strip() else ''}{table}"
    expected = tomllib.loads(text) | {key: known | {name: entry}}
    try:
        fits = tomllib.loads(text + piece) == expected
    except tomllib.TOMLDecodeError:
        fits = False
    if not fits:
        raise ShapeError(f"{key} is written in one line, to which no table can be added")
    return Added(text + piece, (piece,), () if text else ("document",))


def removed(text: str, key: str, name: str, pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """``text`` without the table. Raises ShapeError where that cannot be done by leaving out whole lines."""
    left = {other: entry for other, entry in servers(text, key).items() if other != name}
    data = tomllib.loads(text)
    if name not in data.get(key, {}):
        return text
    others = {other: value for other, value in data.items() if other != key}
    for shorter in (
        *(text.replace(piece, "") for piece in pieces if text.count(piece) == 1),
        _without(text, key, name),
    ):
        if _says(shorter, others | {key: left}) or (not left and _says(shorter, others)):
            return shorter
    raise ShapeError(f"{key}.{name} is not written as a table of its own")


def _without(text: str, key: str, name: str) -> str:
    """The text without the lines of the table and of the tables in it, and without the blank line before each."""
    own = re.compile(rf"""[ \t]*\[[ \t]*{re.escape(key)}[ \t]*\.[ \t]*["']?{re.escape(name)}["']?[ \t]*[].]""")
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            inside = own.match(line) is not None
            if inside and kept and not kept[-1].strip():
                kept.pop()
        if not inside:
            kept.append(line)
    return "".join(kept)


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return found == expected
