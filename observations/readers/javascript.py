"""Finds ``tools.NAME(ARGUMENTS)`` calls in JavaScript without executing it, with the arguments that it states literally.

Literal are strings, templates, numbers, lists and objects of these, and names to which such a value was assigned before. Placeholders of
templates remain as source code; any other expression is unknown. A call in a loop over a named list is returned once per item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from mind_skills.observations.codec import as_list
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_CALLS = 200
"""Maximum number of calls returned for a script."""
MAX_TOKENS = 8_000
"""Maximum number of tokens of a script; the rest is ignored. A token is read once for each function or call that contains it, so deep
nesting would otherwise take too long."""
MAX_DEPTH = 40
"""Maximum nesting of templates and of expressions."""
_TOKEN = compile_lazily(
    r"\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<mark>=>|\?\?|\?\.|\.\.\.|.)",
    re.DOTALL,
)
_STRING = compile_lazily(r"'([^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'|\"([^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+)\"", re.DOTALL)
_REGEX = compile_lazily(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,300}+/[a-z]*")
_ESCAPE = compile_lazily(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPED_CHARACTERS = dict(zip("ntrbfv0", "\n\t\r\b\f\v\0", strict=True)) | {"\n": "", "\r\n": ""}
_END_MARKS = frozenset(",;)]}")
"""Marks that end an expression; after any other, a literal is only a part of one."""
_HIDING_WORDS = frozenset({"ALL_TOOLS", "eval", "Function", "globalThis"})
_PLACEHOLDER = compile_lazily(r"\$\{([A-Za-z_$][\w$]{0,100})\}")
_PATTERN = r"(?P<{0}>[\w$]{{1,60}}|\[[\w$\s,]{{1,200}}\])"
_LOOP = compile_lazily(
    rf"for\s{{0,9}}\(\s{{0,9}}(?:const|let)\s{{1,9}}{_PATTERN.format('each')}\s{{1,9}}of\s{{1,9}}(?P<list>[\w$]{{1,60}})\s{{0,9}}\)"
    rf"|(?:map|forEach|flatMap)\(\s{{0,9}}(?:async\s{{0,9}})?\(?{_PATTERN.format('item')}\s{{0,9}}[,)=]"
)
_NAME = compile_lazily(r"[A-Za-z_$][\w$]{0,100}")
_TOOLS_IN_TEMPLATE = compile_lazily(r"\$\{[^}]{0,500}\b(?:tools(?:\.\w+\(|\[)|ALL_TOOLS\b)")


class Call(NamedTuple):
    """A tool call. ``argument`` is the first argument, as a Python value; None if it is missing or unknown."""

    name: str
    argument: object


def find_calls(script: str) -> list[Call]:
    """Return the calls of a script in source order, at most ``MAX_CALLS``. Never raises; if the script is invalid, calls may be missing."""
    if "tools" not in script:
        return []
    return list(islice(_Parser(script).find_calls(), MAX_CALLS))


def hides_calls(script: str) -> bool:
    """Return whether a script may make calls that ``find_calls`` does not find, or print the descriptions of tools.

    It does if it uses its tools other than as ``tools.NAME(``, also in a template, runs code from a text, or is longer than
    ``MAX_TOKENS``.
    """
    tokens = _read_tokens(script) if "tools" in script or "TOOLS" in script else []
    for index, token in enumerate(tokens):
        following = tokens[index + 1 : index + 4]
        is_call = [each.text for each in following[::2]] == [".", "("] and following[1].kind == "word"
        if token.kind == "template" and _TOOLS_IN_TEMPLATE.search(token.text):
            return True
        if token.kind == "word" and (token.text in _HIDING_WORDS or (token.text == "tools" and not is_call)):
            return True
    return bool(tokens) and script[tokens[-1].end :].strip() != ""


class _Token(NamedTuple):
    kind: str
    """``string``, ``template``, ``word``, ``number``, ``regex`` or ``mark``."""
    text: str
    start: int
    end: int


def _read_tokens(script: str) -> list[_Token]:
    tokens: list[_Token] = []
    offset = 0
    while offset < len(script) and len(tokens) < MAX_TOKENS:
        start, kind = offset, script[offset]
        if kind == "`":
            offset = _find_template_end(script, offset + 1, 0)
            tokens.append(_Token("template", script[start + 1 : offset - 1], start, offset))
            continue
        if kind in "'\"":
            matched = _STRING.match(script, offset)
            if matched is None:  # an unterminated string is invalid
                break
            tokens.append(_Token("string", unescape(matched[1] or matched[2] or ""), start, offset := matched.end()))
            continue
        if kind == "/" and script[offset + 1 : offset + 2] not in ("/", "*") and _may_begin_regex(tokens):
            matched = _REGEX.match(script, offset)
            if matched:
                tokens.append(_Token("regex", matched[0], start, offset := matched.end()))
                continue
        matched = _TOKEN.match(script, offset)
        offset = matched.end() if matched else offset + 1
        if matched and matched.lastgroup:
            tokens.append(_Token(matched.lastgroup, matched[0], start, offset))
    return tokens


def _may_begin_regex(tokens: list[_Token]) -> bool:
    """Return whether a slash after these tokens begins a regular expression. After a value, it is a division."""
    if not tokens:
        return True
    last = tokens[-1]
    return last.text in ("return", "typeof", "case", "in", "of") or (
        last.kind == "mark" and last.text not in (")", "]", "}")
    )


def _find_template_end(script: str, offset: int, depth: int) -> int:
    """Return the offset after the backtick that closes a template, skipping nested templates."""
    while offset < len(script):
        mark = script[offset]
        if mark == "\\":
            offset += 2
        elif mark == "`":
            return offset + 1
        elif mark == "$" and script[offset + 1 : offset + 2] == "{":
            offset = _find_placeholder_end(script, offset + 2, depth)
        else:
            offset += 1
    return len(script) + 1


def _find_placeholder_end(script: str, offset: int, depth: int) -> int:
    """Return the offset after the brace that closes the placeholder whose content begins at ``offset``."""
    open_braces = 1
    while offset < len(script) and open_braces:
        mark = script[offset]
        if mark in "'\"" and (quoted := _STRING.match(script, offset)):
            offset = quoted.end()
            continue
        if mark == "`" and depth < MAX_DEPTH:
            offset = _find_template_end(script, offset + 1, depth + 1)
            continue
        open_braces += (mark == "{") - (mark == "}")
        offset += 1
    return offset


def unescape(text: str) -> str:
    """Resolve the escapes in the content of a JavaScript or JSON string literal."""
    return _ESCAPE.sub(_resolve_escape, text) if "\\" in text else text


def _resolve_escape(match: re.Match[str]) -> str:
    text = match[1]
    if text[0] in "ux" and len(text) > 1:
        number = int(text[1:].strip("{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _ESCAPED_CHARACTERS.get(text, text)


class _Parser:
    def __init__(self, script: str) -> None:
        self.script, tokens = script, _read_tokens(script)
        self.tokens = [*tokens, *[_Token("mark", ";", len(script), len(script))] * 5]
        self.names: dict[str, object] = {"true": True, "false": False}
        self.loops: dict[str, list[object]] = {}
        """The values that a name has in the rounds of a loop."""
        self.position = 0
        self.closing_positions: dict[int, int] = {}
        """For each opening bracket, the position of the closing one, or of the end."""
        opened: list[int] = []
        for position, token in enumerate(tokens):
            if token.kind == "mark" and token.text in ("(", "[", "{"):
                opened.append(position)
                self.closing_positions[position] = len(tokens)
            elif token.kind == "mark" and token.text in (")", "]", "}") and opened:
                self.closing_positions[opened.pop()] = position

    def find_calls(self) -> Iterator[Call]:
        for position, token in enumerate(self.tokens[:-5]):
            if token.kind != "word":
                continue
            if token.text in ("const", "let", "var") and self._is_mark(position + 2, "="):
                self.names[self.tokens[position + 1].text] = self._read_value(position + 3)
                self.loops.pop(self.tokens[position + 1].text, None)
            elif token.text == "tools" and self._is_mark(position + 1, ".") and self._is_mark(position + 3, "("):
                yield from self._read_call(position)
            elif loop := _LOOP.match(self.script, token.start):
                self._begin_loop(
                    loop["each"] or loop["item"], self.names.get(loop["list"] or self.tokens[position - 2].text)
                )

    def _begin_loop(self, pattern: str, items: object) -> None:
        for index, name in enumerate(_NAME.findall(pattern)):
            self.names.pop(name, None)
            self.loops.pop(name, None)
            rows = as_list(items)
            if rows or items == []:
                is_part = pattern.startswith("[")
                self.loops[name] = [dict(enumerate(as_list(row))).get(index) if is_part else row for row in rows]

    def _read_call(self, position: int) -> Iterator[Call]:
        end = self.tokens[self.closing_positions[position + 3]].start
        names = set(_NAME.findall(self.script[self.tokens[position + 3].end : end])) if self.loops else set[str]()
        looped = {name: values for name, values in self.loops.items() if name in names}
        for values in zip(*looped.values(), strict=False) if looped else [()]:
            self.names.update(zip(looped, values, strict=True))
            yield Call(self.tokens[position + 2].text, self._read_value(position + 4))
        for name in looped:
            del self.names[name]

    def _is_mark(self, position: int, *texts: str) -> bool:
        return self.tokens[position].kind == "mark" and self.tokens[position].text in texts

    def _read_value(self, position: int, depth: int = 0) -> object:
        """Return the value of the expression at ``position``, or None, and move to the mark that ends it."""
        is_raw = [token.text for token in self.tokens[position : position + 3]] == ["String", ".", "raw"]
        self.position = position + 3 if is_raw else position
        value: object = None
        token = self.tokens[self.position]
        if token.kind == "string":
            value = token.text
        elif token.kind == "template":
            value = self._fill_template(token.text if is_raw else unescape(token.text))
        elif token.kind == "number":
            value = int(token.text) if token.text.isdecimal() and len(token.text) < 20 else token.text
        elif token.kind == "word":
            value = self.names.get(token.text)
        elif token.text in ("[", "{") and depth < MAX_DEPTH:
            value = self._read_items(depth + 1)
        elif self._is_mark(self.position, *_END_MARKS):
            return None
        self.position = self.closing_positions.get(self.position, self.position) + 1
        if self.tokens[self.position].kind == "mark" and not self._is_mark(self.position, *_END_MARKS):
            value = None  # only a part of an expression
        while not self._is_mark(self.position, *_END_MARKS):
            self.position = self.closing_positions.get(self.position, self.position) + 1
        return value

    def _fill_template(self, text: str) -> str:
        """Replace the placeholders that are names of strings and numbers."""
        known = {name: str(value) for name, value in self.names.items() if isinstance(value, (str, int))}
        return _PLACEHOLDER.sub(lambda found: known.get(found[1], found[0]), text)

    def _read_items(self, depth: int) -> object:
        """Return the known items of the list or object that begins at the current position, and stay there."""
        begin, end = self.position, self.closing_positions[self.position]
        is_object = self._is_mark(begin, "{")
        items: dict[str, object] = {}
        position = begin + 1
        while position < end:
            key = self.tokens[position].text if is_object else str(position)
            has_value = is_object and self._is_mark(position + 1, ":")
            items[key] = self._read_value(position + 2 if has_value else position, depth)
            position = self.position + 1
        self.position = begin
        known = {key: value for key, value in items.items() if value is not None}
        return known if is_object else list(known.values())
