"""Parser for JSON with comments that records offsets, so that a value can be edited without changing any other byte.

Hosts' settings are JSON (RFC 8259); several hosts also allow ``//`` and ``/* */`` comments and trailing commas. The
parser accepts these for every host.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

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
