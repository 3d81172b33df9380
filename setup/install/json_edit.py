"""Edit a JSON document: insert members and items and remove them again, leaving every other byte unchanged.

Hosts' settings are JSON (RFC 8259); several hosts also allow ``//`` and ``/* */`` comments and trailing commas. The
parser accepts these for every host, and records offsets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MAX_DEPTH = 200
"""Maximum depth of nesting; settings have five levels. Much deeper input would exhaust the interpreter's stack."""

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class JsoncError(ValueError):
    """The text is not JSON with optional comments, or is nested too deeply. ``line`` and ``column`` start at 1."""

    def __init__(self, text: str, offset: int, problem: str) -> None:
        """``offset`` is the index at which the invalid text starts."""
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"line {self.line}, column {self.column}: {problem}")


@dataclass(slots=True)
class Node:
    """A value and its position: ``text[start:end]``.

    For objects and arrays, ``children`` are the values and ``begins`` their start offsets (for a member of an object, the
    start of its key). ``commas`` are the offsets of the commas between and after the children, in order.
    """

    start: int
    end: int
    value: Any
    keys: list[str] = field(default_factory=list[str])
    begins: list[int] = field(default_factory=list[int])
    children: list[Node] = field(default_factory=list["Node"])
    commas: list[int] = field(default_factory=list[int])

    def get_member(self, key: str) -> Node | None:
        """Return the value under ``key``, or None; if the key is repeated, the last value, as in other JSON parsers."""
        return next((self.children[n] for n in reversed(range(len(self.keys))) if self.keys[n] == key), None)


def parse(text: str) -> Node | None:
    """Parse the value in ``text``; return None if it contains only whitespace and comments. Raises JsoncError."""
    start = skip_whitespace(text, 0)
    if start == len(text):
        return None
    node = _parse_value(text, start, 0)
    end = skip_whitespace(text, node.end)
    if end != len(text):
        raise JsoncError(text, end, "unexpected text after the end of the document")
    return node


def parse_value(content: bytes | None) -> Any:
    """Return the value in a document; None if it is missing or empty. Raises JsoncError, UnicodeDecodeError."""
    root = parse((content or b"").decode())
    return root.value if root is not None else None


def as_object(value: object) -> dict[str, Any]:
    """Return ``value`` if it is an object, else an empty object, as in observations/codec.py, which loads orjson."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def as_list(value: object) -> list[Any]:
    """Return ``value`` if it is a list, else an empty list."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def skip_whitespace(text: str, offset: int) -> int:
    """Return the index of the next character at or after ``offset`` that is neither whitespace nor part of a comment."""
    match = _SPACE.match(text, offset)
    assert match is not None  # the pattern also matches the empty string
    return match.end()


def _parse_value(text: str, offset: int, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise JsoncError(text, offset, f"more than {MAX_DEPTH} levels deep")
    if text.startswith("{", offset):
        return _parse_object(text, offset, depth)
    if text.startswith("[", offset):
        return _parse_array(text, offset, depth)
    match = _STRING.match(text, offset) or _SCALAR.match(text, offset)
    if match is None:
        raise JsoncError(text, offset, "unexpected end of file" if offset >= len(text) else "expected a value")
    return Node(offset, match.end(), _decode_scalar(text, match))


def _decode_scalar(text: str, match: re.Match[str]) -> Any:
    try:
        return json.loads(match[0])
    except ValueError as error:  # a bad escape, or a number with thousands of digits
        raise JsoncError(text, match.start(), "invalid value") from error


def _parse_object(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, {})
    offset = skip_whitespace(text, start + 1)
    while not text.startswith("}", offset):
        key = _STRING.match(text, offset)
        if key is None:
            raise JsoncError(
                text, offset, "unexpected end of file" if offset >= len(text) else "expected a key in quotes"
            )
        colon = skip_whitespace(text, key.end())
        if not text.startswith(":", colon):
            raise JsoncError(text, colon, "expected a colon")
        child = _parse_value(text, skip_whitespace(text, colon + 1), depth + 1)
        name = str(_decode_scalar(text, key))
        node.keys.append(name)
        node.begins.append(offset)
        node.children.append(child)
        node.value[name] = child.value
        offset = _skip_comma(text, node, child.end, "}")
    node.end = offset + 1
    return node


def _parse_array(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, [])
    offset = skip_whitespace(text, start + 1)
    while not text.startswith("]", offset):
        child = _parse_value(text, offset, depth + 1)
        node.begins.append(offset)
        node.children.append(child)
        node.value.append(child.value)
        offset = _skip_comma(text, node, child.end, "]")
    node.end = offset + 1
    return node


def _skip_comma(text: str, node: Node, end: int, closing: str) -> int:
    """Return the offset of the next child or of the closing bracket, after a child that ended at ``end``."""
    offset = skip_whitespace(text, end)
    if text.startswith(closing, offset):
        return offset
    if not text.startswith(",", offset):
        problem = "unexpected end of file" if offset >= len(text) else f"expected a comma or {closing}"
        raise JsoncError(text, offset, problem)
    node.commas.append(offset)
    return skip_whitespace(text, offset + 1)


JsonPath = tuple[str | int, ...]
"""Keys and indexes from the root of a document."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMENT = re.compile(r"[ \t]*(?:(//[^\r\n]*)|/\*[^\r\n]*?\*/)")


class ShapeError(ValueError):
    """The document is valid, but a value has an unexpected type or layout; the message names the value."""


class MergeResult(NamedTuple):
    """A document after our values were merged into it.

    ``pieces`` are the inserted strings, unless a target says otherwise. ``created_paths`` lists the dotted paths that we
    created (only in JSON), or only ``document`` if there was no document before.
    """

    text: str
    pieces: tuple[str, ...]
    created_paths: tuple[str, ...]


class Insertion(NamedTuple):
    """``text`` to insert at index ``offset``."""

    offset: int
    text: str


class Style(NamedTuple):
    """Formatting of a document: line ending, unit of indentation, and whether the document spans several lines."""

    newline: str
    indent_unit: str
    is_multiline: bool


def read_object(text: str, key: str) -> dict[str, Any]:
    """Return the object under ``key``, or an empty one if there is none. Raises JsoncError, ShapeError."""
    root = parse(text)
    data: Any = root.value if root is not None else {}
    if not isinstance(data, dict):
        raise ShapeError("the document is not an object")
    value: Any = data.get(key, {})  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(value, dict):
        raise ShapeError(f"{key} is not an object")
    return value  # pyright: ignore[reportUnknownVariableType]


def merge(text: str, values: dict[str, Any]) -> MergeResult:
    """Merge ``values`` into ``text``: objects are merged recursively, and list items are appended.

    Raises JsoncError, ShapeError.
    """
    root = parse(text)
    style = detect_style(text, root)
    if root is None:
        gap = style.newline if text.strip("\ufeff") and not text.endswith("\n") else ""
        piece = f"{gap}{_render([values], None, '', style)[0]}{style.newline}"
        return MergeResult(text + piece, (piece,), ("document",))
    insertions, created_paths = _find_insertions(text, root, values, style, "")
    for insertion in sorted(insertions, reverse=True):
        text = text[: insertion.offset] + insertion.text + text[insertion.offset :]
    return MergeResult(text, tuple(insertion.text for insertion in insertions), tuple(created_paths))


def _find_insertions(text: str, node: Node, values: Any, style: Style, path: str) -> tuple[list[Insertion], list[str]]:
    if not isinstance(node.value, type(values)):
        raise ShapeError(f"{path or 'the document'} is not {'an object' if isinstance(values, dict) else 'a list'}")
    if isinstance(values, list):
        return [build_insertion(text, node, values, style)], []  # pyright: ignore[reportUnknownArgumentType]
    insertions: list[Insertion] = []
    created_paths: list[str] = []
    missing = [key for key in values if node.get_member(key) is None]
    for key, value in values.items():
        if (child := node.get_member(key)) is not None:
            child_insertions, child_paths = _find_insertions(text, child, value, style, f"{path}.{key}".lstrip("."))
            insertions += child_insertions
            created_paths += child_paths
    if missing:
        insertions.append(build_insertion(text, node, [values[key] for key in missing], style, missing))
    return insertions, [*created_paths, *(f"{path}.{key}".lstrip(".") for key in missing)]


def prune(
    text: str,
    is_ours: Callable[[JsonPath, Any], bool],
    pieces: tuple[str, ...] = (),
    created_paths: tuple[str, ...] | None = None,
) -> str:
    """Remove our values from ``text``, and the document if we created it and it becomes empty. Raises JsoncError.

    ``pieces`` and ``created_paths`` come from ``merge``. If nobody has changed the pieces, they are cut out exactly, which
    restores every other byte; otherwise each value is removed with its comma and its lines. Without ``created_paths``,
    containers that become empty are treated as ours, except the document.
    """
    root = parse(text)
    if root is None:
        return text
    ranges, remaining, entirely_ours = _find_cuts(text, root, (), is_ours, created_paths)
    if pieces and all(text.count(piece) == 1 for piece in pieces):
        shorter = remove_ranges(text, [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces])
        if _parses_to(shorter, remaining):
            return shorter
    return remove_ranges(text, [(root.start, root.end)] if entirely_ours else ranges)


def _find_cuts(
    text: str,
    node: Node,
    path: JsonPath,
    is_ours: Callable[[JsonPath, Any], bool],
    created_paths: tuple[str, ...] | None,
) -> tuple[list[tuple[int, int]], Any, bool]:
    """Return the ranges to cut inside a node, the value that remains, and whether the whole node is ours."""
    if not node.children:
        return [], node.value, False
    removed: set[int] = set()
    ranges: list[tuple[int, int]] = []
    remaining: list[Any] = []
    for n, child in enumerate(node.children):
        child_path = (*path, node.keys[n] if node.keys else n)
        inner, value, entirely_ours = (
            ([], None, True)
            if is_ours(child_path, child.value)
            else _find_cuts(text, child, child_path, is_ours, created_paths)
        )
        if entirely_ours:
            removed.add(n)
        else:
            ranges += inner
            remaining.append((node.keys[n], value) if node.keys else value)
    entirely_ours = len(removed) == len(node.children) and _should_remove_container(path, created_paths)
    return ranges + find_cut_ranges(text, node, removed), dict(remaining) if node.keys else remaining, entirely_ours


def _should_remove_container(path: JsonPath, created_paths: tuple[str, ...] | None) -> bool:
    """Return whether to remove an emptied container: one that we created, or without a record, any but the document."""
    if not path:
        return created_paths is not None and "document" in created_paths
    parents = {".".join(map(str, path[: n + 1])) for n in range(len(path))}
    return created_paths is None or "document" in created_paths or not parents.isdisjoint(created_paths)


def _parses_to(text: str, expected: Any) -> bool:
    try:
        root = parse(text)
    except ValueError:
        return False
    return bool((root.value if root else {}) == expected)


def detect_style(text: str, root: Node | None) -> Style:
    """Detect the formatting of a document; the default indentation is two spaces."""
    newline = "\r\n" if "\r\n" in text else "\n"
    indent_unit = _get_indent(text, root.begins[0]) if root is not None and root.begins else None
    return Style(newline, indent_unit or "  ", root is None or not root.begins or "\n" in text[root.start : root.end])


def build_insertion(text: str, node: Node, values: list[Any], style: Style, keys: list[str] | None = None) -> Insertion:
    """Build one insertion that appends ``values`` to an array, or, under ``keys``, to an object.

    Cutting out the inserted text restores the original text byte for byte.
    """
    if node.begins:
        return _build_trailing_insertion(text, node, values, style, keys)
    if not style.is_multiline:
        return Insertion(node.start + 1, ", ".join(_render(values, keys, None, style)))
    outer = _get_line_indent(text, node.start)
    inner = outer + style.indent_unit
    body = f",{style.newline}{inner}".join(_render(values, keys, inner, style))
    ending = "" if "\n" in text[node.start : node.end] else style.newline + outer
    return Insertion(node.start + 1, f"{style.newline}{inner}{body}{ending}")


def _build_trailing_insertion(
    text: str, node: Node, values: list[Any], style: Style, keys: list[str] | None
) -> Insertion:
    """Build the insertion after the last child and, if there is one, the comment that follows it on its line."""
    inner = _get_indent(text, node.begins[0])
    has_trailing_comma = len(node.commas) == len(node.children)
    offset = node.commas[-1] + 1 if has_trailing_comma else node.children[-1].end
    comment = _TRAILING_COMMENT.match(text, offset)
    is_line_comment = bool(comment and comment[1])  # text inserted on the same line would become part of the comment
    offset = comment.end() if comment else offset
    child_indent = _get_line_indent(text, node.begins[0]) if inner is None else inner
    gap = " " if inner is None and not is_line_comment else style.newline + child_indent
    body = f",{gap}".join(_render(values, keys, inner, style))
    if has_trailing_comma:
        return Insertion(offset, f"{gap}{body},")
    return Insertion(offset, f"{gap}, {body}" if is_line_comment else f",{gap}{body}")


def _render(values: list[Any], keys: list[str] | None, indent: str | None, style: Style) -> list[str]:
    names = [json.dumps(key, ensure_ascii=False) + ": " for key in keys] if keys is not None else [""] * len(values)
    texts = [
        json.dumps(value, ensure_ascii=False, indent=None if indent is None else style.indent_unit) for value in values
    ]
    return [
        name + text.replace("\n", f"{style.newline}{indent or ''}") for name, text in zip(names, texts, strict=True)
    ]


def _get_indent(text: str, begin: int) -> str | None:
    """Return the indentation before ``begin``; None on the first line, or if other text precedes it on its line."""
    indent = text[text.rfind("\n", 0, begin) + 1 : begin] if "\n" in text[:begin] else "-"
    return None if indent.strip(" \t") else indent


def _get_line_indent(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def find_cut_ranges(text: str, node: Node, removed: set[int]) -> list[tuple[int, int]]:
    """Return the ranges to cut in order to remove the children at the indexes in ``removed``, with their commas and their lines."""
    ranges = [(_find_cut_start(text, node, n), node.children[n].end) for n in removed]
    commas = {n for n in removed if n < len(node.commas)}
    remaining = set(range(len(node.children))) - removed
    if remaining and len(node.commas) < len(node.children):
        commas.add(max(remaining))  # the document had no trailing comma, so do not leave one
    return ranges + [(node.commas[n], node.commas[n] + 1) for n in commas if n < len(node.commas)]


def _find_cut_start(text: str, node: Node, n: int) -> int:
    """Return the offset at which the cut of a child starts. The cut includes the line break and indentation before the child."""
    begin = node.begins[n]
    line = text.rfind("\n", node.start + 1, begin)
    if line < 0 or text[line:begin].strip():
        return begin
    gap = node.commas[n - 1] + 1 if n else node.start + 1
    if any(match.end() == line for match in _COMMENT.finditer(text, gap, line) if match[0].startswith("//")):
        return line + 1  # preserve the line break, which ends that comment
    return line - 1 if text[line - 1] == "\r" and line - 1 >= gap else line


def remove_ranges(text: str, ranges: list[tuple[int, int]]) -> str:
    """Remove these ranges from ``text``; they may touch or overlap."""
    for start, end in _merge_ranges(ranges):
        text = text[:start] + text[end:]
    return text


def _merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge ranges that touch or overlap; return them last to first."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged[::-1]
