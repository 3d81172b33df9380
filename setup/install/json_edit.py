"""Members and items written into a document of JSON, and taken out of it again; all else keeps its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from mind_skills.setup.install.jsonc import Node, parse

Path = tuple[str | int, ...]
"""Keys and indexes from the top of a document."""

_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SAME_LINE = re.compile(r"[ \t]*(?:(//[^\r\n]*)|/\*[^\r\n]*?\*/)")


class ShapeError(ValueError):
    """The document can be read, but something else stands where ours belongs: the message says where."""


class Merged(NamedTuple):
    """A document with ours in it.

    ``pieces`` are the texts that were written into it; ``made`` names, with dots, what of it is ours as a whole, and is
    ``document`` where there was none.
    """

    text: str
    pieces: tuple[str, ...]
    made: tuple[str, ...]


class Piece(NamedTuple):
    """``text`` to be written at index ``offset``."""

    offset: int
    text: str


class Style(NamedTuple):
    """How a document is laid out: its line ending, one step of its indentation, and whether it has lines at all."""

    newline: str
    step: str
    lines: bool


def read_object(text: str, key: str) -> dict[str, Any]:
    """What stands under KEY. Raises JsoncError, ShapeError."""
    root = parse(text)
    data: Any = root.value if root is not None else {}
    if not isinstance(data, dict):
        raise ShapeError("the document is no object")
    found: Any = data.get(key, {})  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(found, dict):
        raise ShapeError(f"{key} is no object")
    return found  # pyright: ignore[reportUnknownVariableType]


def merge(text: str, wanted: dict[str, Any]) -> Merged:
    """``text`` with ``wanted`` in it: objects are merged member by member, the items of a list come at its end.

    Raises JsoncError, ShapeError.
    """
    root = parse(text)
    look = style(text, root)
    if root is None:
        gap = look.newline if text.strip("\ufeff") and not text.endswith("\n") else ""
        piece = f"{gap}{_render([wanted], None, '', look)[0]}{look.newline}"
        return Merged(text + piece, (piece,), ("document",))
    pieces, made = _find_pieces(text, root, wanted, look, "")
    for put in sorted(pieces, reverse=True):
        text = text[: put.offset] + put.text + text[put.offset :]
    return Merged(text, tuple(piece.text for piece in pieces), tuple(made))


def _find_pieces(text: str, node: Node, wanted: Any, look: Style, path: str) -> tuple[list[Piece], list[str]]:
    if not isinstance(node.value, type(wanted)):
        raise ShapeError(f"{path or 'the document'} is no {'object' if isinstance(wanted, dict) else 'list'}")
    if isinstance(wanted, list):
        return [insertion(text, node, wanted, look)], []  # pyright: ignore[reportUnknownArgumentType]
    pieces: list[Piece] = []
    made: list[str] = []
    missing = [key for key in wanted if node.member(key) is None]
    for key, value in wanted.items():
        if (child := node.member(key)) is not None:
            more, names = _find_pieces(text, child, value, look, f"{path}.{key}".lstrip("."))
            pieces += more
            made += names
    if missing:
        pieces.append(insertion(text, node, [wanted[key] for key in missing], look, missing))
    return pieces, [*made, *(f"{path}.{key}".lstrip(".") for key in missing)]


def prune(
    text: str, is_ours: Callable[[Path, Any], bool], pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None
) -> str:
    """``text`` without the values that are ours; blank where nothing but them stood in it. Raises JsoncError.

    ``pieces`` and ``made`` are those of ``merge``. As long as the pieces stand there as they were written, they are cut out,
    and everything else keeps its bytes; else each value goes with its comma and its own lines. Without ``made``, what is
    empty without our values counts as ours.
    """
    root = parse(text)
    if root is None:
        return text
    ranges, left, whole = _find_cuts(text, root, (), is_ours, made)
    if pieces and all(text.count(piece) == 1 for piece in pieces):
        shorter = cut(text, [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces])
        if _holds(shorter, left):
            return shorter
    return cut(text, [(root.start, root.end)] if whole else ranges)


def _find_cuts(
    text: str, node: Node, path: Path, is_ours: Callable[[Path, Any], bool], made: tuple[str, ...] | None
) -> tuple[list[tuple[int, int]], Any, bool]:
    """What to cut below a node, the value that is left of it, and whether all of it was ours."""
    if not node.children:
        return [], node.value, False
    gone: set[int] = set()
    ranges: list[tuple[int, int]] = []
    left: list[Any] = []
    for n, child in enumerate(node.children):
        place = (*path, node.keys[n] if node.keys else n)
        inner, value, whole = (
            ([], None, True) if is_ours(place, child.value) else _find_cuts(text, child, place, is_ours, made)
        )
        if whole:
            gone.add(n)
        else:
            ranges += inner
            left.append((node.keys[n], value) if node.keys else value)
    whole = len(gone) == len(node.children) and _may_go(path, made)
    return ranges + cuts(text, node, gone), dict(left) if node.keys else left, whole


def _may_go(path: Path, made: tuple[str, ...] | None) -> bool:
    """Whether a value goes with the last of ours in it: we made it, or what it stands in, or nobody knows."""
    if not path:
        return made is not None and "document" in made
    parents = {".".join(map(str, path[: n + 1])) for n in range(len(path))}
    return made is None or "document" in made or not parents.isdisjoint(made)


def _holds(text: str, expected: Any) -> bool:
    try:
        root = parse(text)
    except ValueError:
        return False
    return bool((root.value if root else {}) == expected)


def style(text: str, root: Node | None) -> Style:
    """The layout of a document; two blanks a step where it shows none."""
    newline = "\r\n" if "\r\n" in text else "\n"
    step = _indent(text, root.begins[0]) if root is not None and root.begins else None
    return Style(newline, step or "  ", root is None or not root.begins or "\n" in text[root.start : root.end])


def insertion(text: str, node: Node, values: list[Any], look: Style, keys: list[str] | None = None) -> Piece:
    """The one piece that adds ``values`` at the end of an array, or under ``keys`` at the end of an object.

    Cutting it out again gives the text as it was, to the byte.
    """
    if node.begins:
        return _behind(text, node, values, look, keys)
    if not look.lines:
        return Piece(node.start + 1, ", ".join(_render(values, keys, None, look)))
    outer = _line_indent(text, node.start)
    inner = outer + look.step
    body = f",{look.newline}{inner}".join(_render(values, keys, inner, look))
    ending = "" if "\n" in text[node.start : node.end] else look.newline + outer
    return Piece(node.start + 1, f"{look.newline}{inner}{body}{ending}")


def _behind(text: str, node: Node, values: list[Any], look: Style, keys: list[str] | None) -> Piece:
    """After the last child. A comment that stands behind it on its line stays with it."""
    inner = _indent(text, node.begins[0])
    trailing = len(node.commas) == len(node.children)
    at = node.commas[-1] + 1 if trailing else node.children[-1].end
    remark = _SAME_LINE.match(text, at)
    hides = bool(remark and remark[1])  # what stood behind it on its line would be part of the comment
    at = remark.end() if remark else at
    own = _line_indent(text, node.begins[0]) if inner is None else inner
    gap = " " if inner is None and not hides else look.newline + own
    body = f",{gap}".join(_render(values, keys, inner, look))
    if trailing:
        return Piece(at, f"{gap}{body},")
    return Piece(at, f"{gap}, {body}" if hides else f",{gap}{body}")


def _render(values: list[Any], keys: list[str] | None, indent: str | None, look: Style) -> list[str]:
    names = [json.dumps(key, ensure_ascii=False) + ": " for key in keys] if keys is not None else [""] * len(values)
    texts = [json.dumps(value, ensure_ascii=False, indent=None if indent is None else look.step) for value in values]
    return [name + text.replace("\n", f"{look.newline}{indent or ''}") for name, text in zip(names, texts, strict=True)]


def _indent(text: str, begin: int) -> str | None:
    """The blanks before ``begin``; None where something else stands before it on its line."""
    blanks = text[text.rfind("\n", 0, begin) + 1 : begin] if "\n" in text[:begin] else "-"
    return None if blanks.strip(" \t") else blanks


def _line_indent(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def cuts(text: str, node: Node, gone: set[int]) -> list[tuple[int, int]]:
    """The ranges to cut so that the children with these indexes are gone, with their commas and their own lines."""
    found = [(_from(text, node, n), node.children[n].end) for n in gone]
    commas = {n for n in gone if n < len(node.commas)}
    left = set(range(len(node.children))) - gone
    if left and len(node.commas) < len(node.children):
        commas.add(max(left))  # no comma stood behind the last one, so none may stand behind the new last one
    return found + [(node.commas[n], node.commas[n] + 1) for n in commas if n < len(node.commas)]


def _from(text: str, node: Node, n: int) -> int:
    """Where a child is cut off: with the blanks before it and the line that it begins."""
    begin = node.begins[n]
    line = text.rfind("\n", node.start + 1, begin)
    if line < 0 or text[line:begin].strip():
        return begin
    gap = node.commas[n - 1] + 1 if n else node.start + 1
    if any(found.end() == line for found in _REMARK.finditer(text, gap, line) if found[0].startswith("//")):
        return line + 1  # the end of the line is the end of that comment
    return line - 1 if text[line - 1] == "\r" and line - 1 >= gap else line


def cut(text: str, ranges: list[tuple[int, int]]) -> str:
    """``text`` without these ranges; they may touch, and lie inside each other."""
    for start, end in _united(ranges):
        text = text[:start] + text[end:]
    return text


def _united(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """From the last to the first, no two of them overlapping."""
    united: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], end))
        else:
            united.append((start, end))
    return united[::-1]
