"""The calls ``tools.NAME(ARGUMENTS)`` in a script of JavaScript, with the arguments as far as the script itself states them.

Nothing is run. Strings, templates, arrays, objects and constants that hold them are read; what depends on a result is not
known, and is left as it stands in the script where a string goes round it. A call within a loop over a list that the script
states is read once for each element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from mind_skills.redaction.lazy_pattern import compile_later

MAX_CALLS = 200
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
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_ENDS = frozenset(",;)]}")
"""What ends an expression; a word does, too, since it begins the next statement."""
_CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None, "undefined": None}
_LOOPS = frozenset({"map", "forEach", "flatMap"})


class Call(NamedTuple):
    """``argument`` is the first one: an object as a dict, a list, a string, a number; None where it is not known."""

    name: str
    argument: object


def calls(script: str) -> list[Call]:
    """All calls of a script, in the order in which they stand there; at most 200. Never raises: what is no script has none."""
    if "tools" not in script:
        return []
    reader = _Reader(script)
    try:
        return [call for _, call in zip(range(MAX_CALLS), reader.calls(), strict=False)]
    except RecursionError:
        return []


# -- the words of a script ------------------------------------------------------------------------------------


class _Token(NamedTuple):
    kind: str
    """``string``, ``template``, ``word``, ``number``, ``regex`` or ``mark``."""
    text: str
    start: int
    end: int


def _read_tokens(script: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(script) and len(found) < MAX_TOKENS:
        start, kind = at, script[at]
        if kind == "`":
            at = _template_end(script, at + 1, 0)
            found.append(_Token("template", script[start + 1 : at - 1], start, at))
            continue
        if kind in "'\"":
            matched = _STRING.match(script, at)
            if matched is None:  # no script has a string that ends nowhere
                break
            found.append(_Token("string", unescaped(matched[1] or matched[2] or ""), start, at := matched.end()))
            continue
        if kind == "/" and script[at + 1 : at + 2] not in ("/", "*") and _value_may_begin(found):
            matched = _REGEX.match(script, at)
            if matched:
                found.append(_Token("regex", matched[0], start, at := matched.end()))
                continue
        matched = _TOKEN.match(script, at)
        at = matched.end() if matched else at + 1
        if matched and matched.lastgroup:
            found.append(_Token(matched.lastgroup, matched[0], start, at))
    return found


def _value_may_begin(before: list[_Token]) -> bool:
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
            at = _hole_end(script, at + 2, depth)
        else:
            at += 1
    return len(script) + 1


def _hole_end(script: str, at: int, depth: int) -> int:
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


def _find_hole(text: str, at: int) -> int:
    """Where the next ``${`` stands that no backslash takes its meaning from."""
    while (at := text.find("${", at)) >= 0:
        before = len(text[:at]) - len(text[:at].rstrip("\\"))
        if before % 2 == 0:
            return at
        at += 2
    return -1


# -- what an expression stands for ----------------------------------------------------------------------------


class _Unknown:
    """A value that only running the script would tell; ``source`` is how it stands there."""

    def __init__(self, source: str = "") -> None:
        self.source = source


class _Each(NamedTuple):
    """What a loop binds a name to, one after the other."""

    values: list[object]


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _part_of(value: object, key: object) -> object:
    if _is_object(value):
        return value.get(str(key), _Unknown())
    if _is_list(value) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _Unknown()


def _call_method(value: object, name: str, given: list[object]) -> object:
    if name == "join" and _is_list(value):
        between = given[0] if given and isinstance(given[0], str) else ","
        return between.join(map(_text_of, value))
    if name in ("trim", "trimStart", "trimEnd", "toString") and isinstance(value, str):
        return value.strip() if name == "trim" else value
    return _Unknown()


def _text_of(value: object) -> str:
    """A value within a string; one that is not known is put there as JavaScript's templates would have it."""
    if isinstance(value, _Unknown):
        return "${" + value.source + "}"
    return value if isinstance(value, str) else "" if value is None else str(value)


def _plain(value: object) -> object:
    """The same without what is not known, which is left out of lists and objects, and is None by itself."""
    if _is_object(value):
        return {key: _plain(each) for key, each in value.items() if not isinstance(each, _Unknown)}
    if _is_list(value):
        return [_plain(each) for each in value if not isinstance(each, _Unknown)]
    return None if isinstance(value, (_Unknown, _Each)) else value


def _joined(left: object, right: object) -> object:
    """What ``+`` makes of two values."""
    if isinstance(left, (str, _Unknown)) or isinstance(right, (str, _Unknown)):
        if isinstance(left, _Unknown) and isinstance(right, _Unknown):
            return left
        return _text_of(left) + _text_of(right)
    return left + right if isinstance(left, int) and isinstance(right, int) else _Unknown()


def _fill(text: str, names: dict[str, object], *, raw: bool) -> str:
    """A template with what is known put in; what is not stays as it is written there."""
    parts: list[str] = []
    at = 0
    while (hole := _find_hole(text, at)) >= 0:
        end = _hole_end(text, hole + 2, 0)
        inner = text[hole + 2 : end - 1]
        value = names.get(inner.strip(), _Unknown())
        known = isinstance(value, (str, int)) and not isinstance(value, bool)
        written = text[at:hole] if raw else unescaped(text[at:hole])
        parts += [written, str(value) if known else text[hole:end]]
        at = end
    parts.append(text[at:] if raw else unescaped(text[at:]))
    return "".join(parts)


# -- the calls of a script ------------------------------------------------------------------------------------


class _Reader:
    def __init__(self, script: str) -> None:
        self.script, self.tokens = script, _read_tokens(script)
        self.names: dict[str, object] = {}
        self.at = self.depth = 0

    def calls(self) -> Iterator[Call]:
        tokens = self.tokens
        for index, token in enumerate(tokens):
            if token.kind != "word":
                continue
            if token.text in ("const", "let", "var"):
                if not (self._is(index - 1, "(") and tokens[index - 2].text == "for"):
                    self._declare(index + 1)
            elif token.text == "for":
                self._for(index + 1)
            elif token.text in _LOOPS and self._is(index - 1, ".") and self._is(index + 1, "("):
                self._loop_over(index)
            elif token.text == "tools" and self._is(index + 1, ".") and self._is(index + 3, "("):
                yield from self._call(tokens[index + 2].text, index + 4)

    def _is(self, index: int, text: str) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == text and self.tokens[index].kind == "mark"

    def _declare(self, index: int) -> None:
        """``NAME = VALUE``: a later one of the same name replaces it."""
        if index < len(self.tokens) and self.tokens[index].kind == "word" and self._is(index + 1, "="):
            self.names[self.tokens[index].text] = self._value_at(index + 2)

    def _for(self, index: int) -> None:
        """``for (const PATTERN of LIST)``, or ``for (let NAME = 0; NAME < LIST.length; ...)``."""
        if not self._is(index, "("):
            return
        start = index + 2
        head = [each.text for each in self.tokens[start : start + 8]]
        if head[1:4:2] == ["=", ";"]:
            listed = self.names.get(head[6]) if head[4:6] == [head[0], "<"] and len(head) == 8 else None
            known = _is_list(listed) and head[2] == "0" and head[7] == "."
            self.names[head[0]] = _Each(list(range(len(listed)))) if known and _is_list(listed) else _Unknown(head[0])
            return
        for at in range(start, min(start + 20, len(self.tokens))):
            if self.tokens[at].text == "of" and self.tokens[at].kind == "word":
                self._bind(start, at, self._value_at(at + 1))
                return

    def _loop_over(self, index: int) -> None:
        """``LIST.map((PATTERN) => ...``, of a list that stands right before it."""
        listed = self._value_before(index - 1)
        start = index + 2
        for at in range(start, min(start + 20, len(self.tokens))):
            if self._is(at, "=>"):
                self._bind(start, at, listed)
                return

    def _value_before(self, end: int) -> object:
        """The value of a name, or of a list in brackets, that ends before a place."""
        start = end - 1
        if start >= 0 and self.tokens[start].kind == "word":
            return self.names.get(self.tokens[start].text)
        depth = 0
        while start >= 0:
            depth += self._is(start, "]") - self._is(start, "[")
            if depth <= 0:
                break
            start -= 1
        if not self._is(start, "["):
            return None
        before, self.at = self.at, start + 1
        value = self._list()
        self.at = before
        return value

    def _bind(self, start: int, end: int, listed: object) -> None:
        values = listed if _is_list(listed) else None
        words = [
            each
            for each in self.tokens[start:end]
            if each.kind == "word" and each.text not in ("async", "const", "let")
        ]
        parted = any(each.text in "[{" for each in self.tokens[start:end] if each.kind == "mark")
        by_key = any(each.text == "{" for each in self.tokens[start:end] if each.kind == "mark")
        for place, word in enumerate(words):
            if values is None or (place and not parted):
                self.names[word.text] = _Unknown(word.text)
            elif by_key:
                self.names[word.text] = _Each([_part_of(value, word.text) for value in values])
            else:
                self.names[word.text] = _Each([_part_of(value, place) for value in values] if parted else list(values))

    def _call(self, name: str, index: int) -> Iterator[Call]:
        if not self._is(index, ")"):
            end = self._end(index)
            used = {each.text for each in self.tokens[index:end] if each.kind == "word"}
            for template in self.tokens[index:end]:
                if template.kind == "template":
                    used.update(re.findall(r"[A-Za-z_$][\w$]*", template.text))
            looped = {word: bound for word in used if isinstance(bound := self.names.get(word), _Each)}
            rounds = min((len(bound.values) for bound in looped.values()), default=0)
            if looped and rounds:
                for place in range(rounds):
                    self.names.update({word: bound.values[place] for word, bound in looped.items()})
                    yield Call(name, _plain(self._value_at(index)))
                self.names.update(looped)
                return
            yield Call(name, _plain(self._value_at(index)))
            return
        yield Call(name, None)

    def _end(self, index: int) -> int:
        """The place of the comma or bracket that ends the expression which begins here."""
        depth = 0
        for at in range(index, len(self.tokens)):
            token = self.tokens[at]
            if token.kind != "mark":
                continue
            if depth == 0 and token.text in _ENDS:
                return at
            depth += (token.text in _OPENS) - (token.text in _CLOSES)
        return len(self.tokens)

    def _value_at(self, index: int) -> object:
        before, self.at = self.at, index
        value = self._sum()
        self.at = before
        return value

    def _sum(self) -> object:
        """Operands _joined by ``+``; anything else between them makes the value unknown."""
        start = self.at
        self.depth += 1
        value = self._operand() if self.depth < MAX_DEPTH else _Unknown()
        while self._is(self.at, "+"):
            self.at += 1
            value = _joined(value, self._operand())
        self.depth -= 1
        follows = self.tokens[self.at] if self.at < len(self.tokens) else None
        if follows and follows.kind == "mark" and follows.text not in _ENDS and self.at > start:
            self.at = self._end(self.at)  # of which nothing is known
            return _Unknown(self._source(start, self.at))
        return value

    def _operand(self) -> object:
        if self.at >= len(self.tokens):
            return _Unknown()
        start, token = self.at, self.tokens[self.at]
        self.at += 1
        value: object
        if token.kind == "string":
            value = token.text
        elif token.kind == "template":
            value = _fill(token.text, self.names, raw=self._raw(start))
        elif token.kind == "number":
            value = int(token.text) if token.text.isdecimal() and len(token.text) < 20 else token.text
        elif token.kind == "word" and token.text in ("await", "new", "async"):
            return self._operand()
        elif token.kind == "word" and token.text == "String" and self._is(self.at, ".") and self._raw(self.at + 2):
            self.at += 2
            return self._operand()
        elif token.kind == "word":
            value = self._named(token.text)
        elif self._is(start, "["):
            value = self._list()
        elif self._is(start, "{"):
            value = self._object()
        elif self._is(start, "("):
            value = self._sum()
            self.at += self._is(self.at, ")")
        else:
            value = _Unknown(token.text)
        return self._followed(value, start)

    def _named(self, name: str) -> object:
        value = _CONSTANTS[name] if name in _CONSTANTS else self.names.get(name, _Unknown(name))
        return _Unknown(name) if isinstance(value, _Each) else value

    def _raw(self, index: int) -> bool:
        """Whether the template here stands behind ``String.raw``."""
        return index >= 3 and [each.text for each in self.tokens[index - 3 : index]] == ["String", ".", "raw"]

    def _followed(self, value: object, start: int) -> object:
        """What stands behind a value: ``.join("x")`` and ``[0]`` of what is known, anything else makes it unknown."""
        while self.at < len(self.tokens):
            if self._is(self.at, ".") or self._is(self.at, "?."):
                method = self.tokens[self.at + 1].text if self.at + 1 < len(self.tokens) else ""
                called = self._is(self.at + 2, "(")
                self.at += 2
                given = self._arguments() if called else []
                value = _call_method(value, method, given) if called else _part_of(value, method)
            elif self._is(self.at, "[") and not isinstance(value, (str, int)):
                self.at += 1
                value = _part_of(value, self._sum())
                self.at += self._is(self.at, "]")
            elif self._is(self.at, "("):
                self._arguments()
                value = _Unknown()
            else:
                break
        return _Unknown(self._source(start, self.at)) if isinstance(value, _Unknown) else value

    def _arguments(self) -> list[object]:
        """The values between round brackets, which begin here."""
        self.at += 1
        values: list[object] = []
        while self.at < len(self.tokens) and not self._is(self.at, ")"):
            values.append(self._sum())
            before = self.at
            self.at += self._is(self.at, ",")
            if self.at == before and not self._is(self.at, ")"):
                self.at = max(before + 1, self._end(before))
        self.at += 1
        return values

    def _list(self) -> object:
        values: list[object] = []
        while self.at < len(self.tokens) and not self._is(self.at, "]"):
            before = self.at
            values.append(self._sum())
            self.at += self._is(self.at, ",")
            self.at += self.at == before
        self.at += 1
        return values

    def _object(self) -> object:
        found: dict[str, object] = {}
        while self.at < len(self.tokens) and not self._is(self.at, "}"):
            before, key = self.at, self.tokens[self.at]
            self.at += 1
            if key.kind in ("word", "string", "number") and self._is(self.at, ":"):
                self.at += 1
                found[key.text] = self._sum()
            elif key.kind == "word" and (self._is(self.at, ",") or self._is(self.at, "}")):
                found[key.text] = self._named(key.text)
            elif self._is(before, "...") and _is_object(spread := self._operand()):
                found.update(spread)
            else:
                self.at = max(self.at, self._end(self.at))
            self.at += self._is(self.at, ",")
            self.at += self.at == before
        self.at += 1
        return found

    def _source(self, start: int, end: int) -> str:
        if start >= min(end, len(self.tokens)):
            return ""
        return self.script[self.tokens[start].start : self.tokens[min(end, len(self.tokens)) - 1].end]
