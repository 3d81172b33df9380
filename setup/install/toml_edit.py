"""Tables written at the end of a document of TOML, and taken out of it again; all other lines keep their bytes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import tomli_w

from mind_skills.setup.install.json_edit import Merged, ShapeError


def read_table(text: str, key: str) -> dict[str, Any]:
    """What stands under KEY. Raises ShapeError, tomllib.TOMLDecodeError."""
    found: Any = tomllib.loads(text).get(key, {})
    if not isinstance(found, dict):
        raise ShapeError(f"{key} is no table")
    return found  # pyright: ignore[reportUnknownVariableType]


def add_table(text: str, key: str, name: str, entry: dict[str, Any]) -> Merged:
    """``text`` with a table for the entry at its end. Raises ShapeError where KEY is written so that none can be added."""
    known = read_table(text, key)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = tomli_w.dumps({key: {name: entry}}).removeprefix(f"[{key}]\n\n").replace("\n", newline)
    gap = "" if not text or text.endswith("\n") else newline
    piece = f"{gap}{newline if text.strip() else ''}{table}"
    expected = tomllib.loads(text) | {key: known | {name: entry}}
    if not holds(text + piece, expected):
        raise ShapeError(f"{key} is written in one line, to which no table can be added")
    return Merged(text + piece, (piece,), () if text else ("document",))


def remove_table(text: str, key: str, name: str, pieces: tuple[str, ...] = ()) -> str:
    """``text`` without the table. Raises ShapeError where that cannot be done by leaving out whole lines."""
    left = {other: entry for other, entry in read_table(text, key).items() if other != name}
    data = tomllib.loads(text)
    if name not in data.get(key, {}):
        return text
    others = {other: value for other, value in data.items() if other != key}
    for shorter in (
        *(text.replace(piece, "") for piece in pieces if text.count(piece) == 1),
        drop_tables(text, lambda path: path[:2] == (key, name)),
    ):
        if holds(shorter, others | {key: left}) or (not left and holds(shorter, others)):
            return shorter
    raise ShapeError(f"{key}.{name} is not written as a table of its own")


def drop_tables(text: str, is_gone: Callable[[tuple[str, ...]], bool]) -> str:
    """``text`` without the lines of some tables, by the keys of their headers, and the blank line before each.

    Comments stay, and so do blank lines behind the last line of such a table. What comes out may not be what was meant, as where a
    text of several lines has what looks like a header: the caller compares (``holds``).
    """
    kept: list[str] = []
    behind: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if (path := _read_header(line)) is not None:
            kept += behind
            behind, inside = [], is_gone(path)
            if inside and kept and not kept[-1].strip():
                kept.pop()
        if not inside:
            kept.append(line)
        elif not line.strip() or line.lstrip().startswith("#"):
            behind.append(line)
        else:
            behind = [each for each in behind if each.strip()]
    return "".join(kept + behind)


def _read_header(line: str) -> tuple[str, ...] | None:
    """The keys that the header of a table names; None for any other line."""
    if not line.lstrip().startswith("["):
        return None
    try:
        table: dict[str, Any] = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while table:
        ((key, inner),) = table.items()
        path.append(key)
        rows: list[Any] = inner if isinstance(inner, list) else [inner]  # pyright: ignore[reportUnknownVariableType]
        table = rows[0]
    return tuple(path)


def holds(text: str, expected: dict[str, Any]) -> bool:
    """Whether ``text`` is TOML, and says that."""
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False
