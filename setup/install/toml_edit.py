"""Append tables to a TOML document and remove them again, leaving all other lines unchanged."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import tomlkit

from mind_skills.setup.install.json_edit import MergeResult, ShapeError


def parse(text: str) -> dict[str, Any]:
    """Parse a document, which may begin with a byte order mark. Raises ShapeError if it is nested too deeply, TOMLDecodeError."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise ShapeError("the document is nested too deeply") from error


def read_table(text: str, key: str) -> dict[str, Any]:
    """Return the table under ``key``, or an empty one if there is none. Raises ShapeError, tomllib.TOMLDecodeError."""
    table: Any = parse(text).get(key, {})
    if not isinstance(table, dict):
        raise ShapeError(f"{key} is not a table")
    return table  # pyright: ignore[reportUnknownVariableType]


def add_table(text: str, key: str, name: str, entry: dict[str, Any]) -> MergeResult:
    """Append the table ``[key.name]``. Raises ShapeError if ``key`` cannot be extended, TOMLDecodeError."""
    previous = read_table(text, key)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = tomlkit.dumps({key: {name: entry}}).removeprefix(f"[{key}]\n\n").replace("\n", newline)
    gap = "" if not text or text.endswith("\n") else newline
    piece = f"{gap}{newline if text.strip() else ''}{table}"
    expected = parse(text) | {key: previous | {name: entry}}
    if not parses_to(text + piece, expected):
        raise ShapeError(f"{key} is an inline table, which cannot be extended")
    return MergeResult(text + piece, (piece,), () if text else ("document",))


def remove_table(text: str, key: str, name: str, pieces: tuple[str, ...] = ()) -> str:
    """Remove the table ``[key.name]``. Raises ShapeError if it is not a separate table, TOMLDecodeError."""
    remaining = {other: entry for other, entry in read_table(text, key).items() if other != name}
    data = parse(text)
    if name not in data.get(key, {}):
        return text
    others = {other: value for other, value in data.items() if other != key}
    for shorter in (
        *(text.replace(piece, "") for piece in pieces if text.count(piece) == 1),
        drop_tables(text, lambda path: path[:2] == (key, name)),
    ):
        if parses_to(shorter, others | {key: remaining}) or (not remaining and parses_to(shorter, others)):
            return shorter
    raise ShapeError(f"{key}.{name} is not a separate table")


def drop_tables(text: str, is_removed: Callable[[tuple[str, ...]], bool]) -> str:
    """Remove the tables whose header keys satisfy ``is_removed``, each with the blank line before it.

    The comments in a table remain, and so do the blank lines after its last line. A multi-line string may contain what
    looks like a header, so the caller must check the result with ``parses_to``.
    """
    lines: list[str] = []
    trailing: list[str] = []
    is_inside = False
    for line in text.splitlines(keepends=True):
        if (path := _read_header(line)) is not None:
            lines += trailing
            trailing, is_inside = [], is_removed(path)
            if is_inside and lines and not lines[-1].strip():
                lines.pop()
        if not is_inside:
            lines.append(line)
        elif not line.strip() or line.lstrip().startswith("#"):
            trailing.append(line)
        else:
            trailing = [comment for comment in trailing if comment.strip()]
    return "".join(lines + trailing)


def _read_header(line: str) -> tuple[str, ...] | None:
    """Return the keys in a table header; None for any other line."""
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


def parses_to(text: str, expected: dict[str, Any]) -> bool:
    """Return whether ``text`` is valid TOML with exactly these values."""
    try:
        return parse(text) == expected
    except (ShapeError, tomllib.TOMLDecodeError, RecursionError):  # the comparison recurses, too
        return False
