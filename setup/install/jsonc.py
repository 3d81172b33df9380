"""JSON with comments, read so that it can be changed in one place and keep its bytes in all others.

What a host's settings hold is JSON (RFC 8259); several hosts allow ``//`` and ``/* */`` comments and a comma before a
closing bracket as well. All of that is understood here, whichever host the file belongs to.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

DEPTH = 200
"""Levels of nesting; settings have five. Deeper ones would end the interpreter instead of the reading."""

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\r\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class JsoncError(ValueError):
    """The text is not JSON, not even with comments. ``line`` and ``column`` are 1-based."""

    def __init__(self, text: str, offset: int, what: str) -> None:
        """``offset`` is the index of the first character that cannot be right."""
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"line {self.line}, column {self.column}: {what}")


@dataclass(slots=True)
class Node:
    """A value and where it stands: ``text[start:end]``.

    For an object and an array ``children`` are its values and ``begins`` where each one begins, which for a member of
    an object is its key; ``commas`` are the indexes of the commas between and after them, in order.
    """

    start: int
    end: int
    value: Any
    keys: list[str] = field(default_factory=list[str])
    begins: list[int] = field(default_factory=list[int])
    children: list[Node] = field(default_factory=list["Node"])
    commas: list[int] = field(default_factory=list[int])

    def member(self, key: str) -> Node | None:
        """The value under ``key``; the last one if there are several, as every reader of JSON takes it."""
        return next((self.children[n] for n in reversed(range(len(self.keys))) if self.keys[n] == key), None)


def parse(text: str) -> Node | None:
    """The one value in ``text``; None where there is none, but blanks or comments. Raises JsoncError."""
    start = skip(text, 0)
    if start == len(text):
        return None
    node = _value(text, start, 0)
    end = skip(text, node.end)
    if end != len(text):
        raise JsoncError(text, end, "there is something behind the end of the document")
    return node


def skip(text: str, offset: int) -> int:
    """The index of the next character at or after ``offset`` that is neither blank nor comment."""
    found = _SPACE.match(text, offset)
    assert found is not None  # it matches nothing, too
    return found.end()


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEPTH:
        raise JsoncError(text, at, f"more than {DEPTH} levels deep")
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _array(text, at, depth)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise JsoncError(text, at, "the file ends too early" if at >= len(text) else "a value is expected here")
    return Node(at, found.end(), _decoded(text, found))


def _decoded(text: str, found: re.Match[str]) -> Any:
    try:
        return json.loads(found[0])
    except ValueError as error:  # a bad escape, a number of thousands of digits
        raise JsoncError(text, found.start(), "this cannot be read") from error


def _object(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, {})
    at = skip(text, start + 1)
    while not text.startswith("}", at):
        key = _STRING.match(text, at)
        if key is None:
            raise JsoncError(text, at, "the file ends too early" if at >= len(text) else "a key in quotes is expected")
        colon = skip(text, key.end())
        if not text.startswith(":", colon):
            raise JsoncError(text, colon, "a colon is expected here")
        child = _value(text, skip(text, colon + 1), depth + 1)
        name = str(_decoded(text, key))
        node.keys.append(name)
        node.begins.append(at)
        node.children.append(child)
        node.value[name] = child.value
        at = _comma(text, node, child.end, "}")
    node.end = at + 1
    return node


def _array(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, [])
    at = skip(text, start + 1)
    while not text.startswith("]", at):
        child = _value(text, at, depth + 1)
        node.begins.append(at)
        node.children.append(child)
        node.value.append(child.value)
        at = _comma(text, node, child.end, "]")
    node.end = at + 1
    return node


def _comma(text: str, node: Node, end: int, closing: str) -> int:
    """Where the next child or the closing bracket begins, after a child that ended at ``end``."""
    at = skip(text, end)
    if text.startswith(closing, at):
        return at
    if not text.startswith(",", at):
        wanted = "the file ends too early" if at >= len(text) else f"a comma or {closing} is expected here"
        raise JsoncError(text, at, wanted)
    node.commas.append(at)
    return skip(text, at + 1)
