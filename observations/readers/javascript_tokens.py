"""The words of a script of JavaScript: strings, templates, names, numbers and marks, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later

MAX_TOKENS = 8_000
"""A string of any length is one. What stands behind them is not read: nested functions are walked once for each level."""
MAX_DEPTH = 40
_TOKEN = compile_later(
    r"\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<mark>=>|\?\?|\?\.|\.\.\.|.)",
    re.DOTALL,
)
_STRING = compile_later(r"'([^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'|\"([^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+)\"", re.DOTALL)
_REGEX = compile_later(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,300}+/[a-z]*")
_ESCAPE = compile_later(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


class Token(NamedTuple):
    kind: str
    """``string``, ``template``, ``word``, ``number``, ``regex`` or ``mark``."""
    text: str
    start: int
    end: int


def tokens(script: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(script) and len(found) < MAX_TOKENS:
        start, kind = at, script[at]
        if kind == "`":
            at = _template_end(script, at + 1, 0)
            found.append(Token("template", script[start + 1 : at - 1], start, at))
            continue
        if kind in "'\"":
            matched = _STRING.match(script, at)
            if matched is None:  # no script has a string that ends nowhere
                break
            found.append(Token("string", unescaped(matched[1] or matched[2] or ""), start, at := matched.end()))
            continue
        if kind == "/" and script[at + 1 : at + 2] not in ("/", "*") and _value_may_begin(found):
            matched = _REGEX.match(script, at)
            if matched:
                found.append(Token("regex", matched[0], start, at := matched.end()))
                continue
        matched = _TOKEN.match(script, at)
        at = matched.end() if matched else at + 1
        if matched and matched.lastgroup:
            found.append(Token(matched.lastgroup, matched[0], start, at))
    return found


def _value_may_begin(before: list[Token]) -> bool:
    """Whether a slash here begins a regular expression: after a value it divides."""
    if not before:
        return True
    last = before[-1]
    return last.text in ("return", "typeof", "case", "in", "of") or (
        last.kind == "mark" and last.text not in (")", "]", "}")
    )


def _template_end(script: str, at: int, depth: int) -> int:
    """The place behind the closing backtick; templates within it have their own."""
    while at < len(script):
        mark = script[at]
        if mark == "\\":
            at += 2
        elif mark == "`":
            return at + 1
        elif mark == "$" and script[at + 1 : at + 2] == "{":
            at = hole_end(script, at + 2, depth)
        else:
            at += 1
    return len(script) + 1


def hole_end(script: str, at: int, depth: int) -> int:
    """The place behind the brace that closes ``${``."""
    open_braces = 1
    while at < len(script) and open_braces:
        mark = script[at]
        if mark in "'\"" and (quoted := _STRING.match(script, at)):
            at = quoted.end()
            continue
        if mark == "`" and depth < MAX_DEPTH:
            at = _template_end(script, at + 1, depth + 1)
            continue
        open_braces += (mark == "{") - (mark == "}")
        at += 1
    return at


def unescaped(text: str) -> str:
    """What stands between the quotes of a string of JavaScript, or of JSON."""
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(found: re.Match[str]) -> str:
    text = found[1]
    if text[0] in "ux" and len(text) > 1:
        number = int(text[1:].strip("{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _LETTERS.get(text, text)


def find_hole(text: str, at: int) -> int:
    """Where the next ``${`` stands that no backslash takes its meaning from."""
    while (at := text.find("${", at)) >= 0:
        before = len(text[:at]) - len(text[:at].rstrip("\\"))
        if before % 2 == 0:
            return at
        at += 2
    return -1
