"""The calls ``tools.NAME(ARGUMENTS)`` in a script of JavaScript, with the arguments as far as the script itself states them.

Nothing is run. Strings, templates, arrays, objects and constants that hold them are read; what depends on a result is not
known, and is left as it stands in the script where a string goes round it. A call within a loop over a list that the script
states is read once for each element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.observations.readers.javascript_tokens import MAX_DEPTH, tokens
from mind_skills.observations.readers.javascript_values import (
    Each,
    Unknown,
    call_method,
    filled,
    is_list,
    is_object,
    joined,
    part_of,
    plain,
)

MAX_CALLS = 200
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


class _Reader:
    def __init__(self, script: str) -> None:
        self.script, self.tokens = script, tokens(script)
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
            known = is_list(listed) and head[2] == "0" and head[7] == "."
            self.names[head[0]] = Each(list(range(len(listed)))) if known and is_list(listed) else Unknown(head[0])
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
        values = listed if is_list(listed) else None
        words = [
            each
            for each in self.tokens[start:end]
            if each.kind == "word" and each.text not in ("async", "const", "let")
        ]
        parted = any(each.text in "[{" for each in self.tokens[start:end] if each.kind == "mark")
        by_key = any(each.text == "{" for each in self.tokens[start:end] if each.kind == "mark")
        for place, word in enumerate(words):
            if values is None or (place and not parted):
                self.names[word.text] = Unknown(word.text)
            elif by_key:
                self.names[word.text] = Each([part_of(value, word.text) for value in values])
            else:
                self.names[word.text] = Each([part_of(value, place) for value in values] if parted else list(values))

    def _call(self, name: str, index: int) -> Iterator[Call]:
        if not self._is(index, ")"):
            end = self._end(index)
            used = {each.text for each in self.tokens[index:end] if each.kind == "word"}
            for template in self.tokens[index:end]:
                if template.kind == "template":
                    used.update(re.findall(r"[A-Za-z_$][\w$]*", template.text))
            looped = {word: bound for word in used if isinstance(bound := self.names.get(word), Each)}
            rounds = min((len(bound.values) for bound in looped.values()), default=0)
            if looped and rounds:
                for place in range(rounds):
                    self.names.update({word: bound.values[place] for word, bound in looped.items()})
                    yield Call(name, plain(self._value_at(index)))
                self.names.update(looped)
                return
            yield Call(name, plain(self._value_at(index)))
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
        """Operands joined by ``+``; anything else between them makes the value unknown."""
        start = self.at
        self.depth += 1
        value = self._operand() if self.depth < MAX_DEPTH else Unknown()
        while self._is(self.at, "+"):
            self.at += 1
            value = joined(value, self._operand())
        self.depth -= 1
        follows = self.tokens[self.at] if self.at < len(self.tokens) else None
        if follows and follows.kind == "mark" and follows.text not in _ENDS and self.at > start:
            self.at = self._end(self.at)  # of which nothing is known
            return Unknown(self._source(start, self.at))
        return value

    def _operand(self) -> object:
        if self.at >= len(self.tokens):
            return Unknown()
        start, token = self.at, self.tokens[self.at]
        self.at += 1
        value: object
        if token.kind == "string":
            value = token.text
        elif token.kind == "template":
            value = filled(token.text, self.names, raw=self._raw(start))
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
            value = Unknown(token.text)
        return self._followed(value, start)

    def _named(self, name: str) -> object:
        value = _CONSTANTS[name] if name in _CONSTANTS else self.names.get(name, Unknown(name))
        return Unknown(name) if isinstance(value, Each) else value

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
                value = call_method(value, method, given) if called else part_of(value, method)
            elif self._is(self.at, "[") and not isinstance(value, (str, int)):
                self.at += 1
                value = part_of(value, self._sum())
                self.at += self._is(self.at, "]")
            elif self._is(self.at, "("):
                self._arguments()
                value = Unknown()
            else:
                break
        return Unknown(self._source(start, self.at)) if isinstance(value, Unknown) else value

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
            elif self._is(before, "...") and is_object(spread := self._operand()):
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
