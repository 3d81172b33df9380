"""Where a member or an item is written into a text of JSON, and what is cut to take one out."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from mind_skills.setup.install.jsonc import Node

_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SAME_LINE = re.compile(r"[ \t]*(?:(//[^\r\n]*)|/\*[^\r\n]*?\*/)")


class Piece(NamedTuple):
    """``text`` to be written at index ``offset``."""

    offset: int
    text: str


class Style(NamedTuple):
    """How a document is laid out: its line ending, one step of its indentation, and whether it has lines at all."""

    newline: str
    step: str
    lines: bool


def style(text: str, root: Node | None) -> Style:
    """The layout of a document; two blanks a step where it shows none."""
    newline = "\r\n" if "\r\n" in text else "\n"
    step = _indent(text, root.begins[0]) if root is not None and root.begins else None
    return Style(newline, step or "  ", root is None or not root.begins or "\n" in text[root.start : root.end])


def applied(text: str, pieces: list[Piece]) -> str:
    """``text`` with every piece written in."""
    for piece in sorted(pieces, reverse=True):
        text = text[: piece.offset] + piece.text + text[piece.offset :]
    return text


def insertion(text: str, node: Node, values: list[Any], look: Style, keys: list[str] | None = None) -> Piece:
    """The one piece that adds ``values`` at the end of an array, or under ``keys`` at the end of an object.

    Cutting it out again gives the text as it was, to the byte.
    """
    if node.begins:
        return _behind(text, node, values, look, keys)
    if not look.lines:
        return Piece(node.start + 1, ", ".join(_bodies(values, keys, None, look)))
    outer = _line_indent(text, node.start)
    inner = outer + look.step
    body = f",{look.newline}{inner}".join(_bodies(values, keys, inner, look))
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
    body = f",{gap}".join(_bodies(values, keys, inner, look))
    if trailing:
        return Piece(at, f"{gap}{body},")
    return Piece(at, f"{gap}, {body}" if hides else f",{gap}{body}")


def _bodies(values: list[Any], keys: list[str] | None, indent: str | None, look: Style) -> list[str]:
    names = [json.dumps(key, ensure_ascii=False) + ": " for key in keys] if keys is not None else [""] * len(values)
    texts = [json.dumps(value, ensure_ascii=False, indent=None if indent is None else look.step) for value in values]
    return [name + text.replace("\n", f"{look.newline}{indent or ''}") for name, text in zip(names, texts, strict=True)]


def rendered(value: Any, look: Style) -> str:
    """A whole document in this layout."""
    return _bodies([value], None, "", look)[0]


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
