"""Finds ``tools.NAME(ARGUMENTS)`` calls in JavaScript without executing it, with the arguments that can be determined statically.

Strings, templates, arrays, objects and constants are evaluated. An expression that depends on the result of a call is unknown; within
a string, it remains as source code. A call in a loop over a literal list is returned once per element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple, TypeGuard

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
_OPENING_MARKS, _CLOSING_MARKS = frozenset("([{"), frozenset(")]}")
_END_MARKS = frozenset(",;)]}")
"""Marks that end an expression."""
_CONSTANTS: dict[str, object] = {"true": True, "false": False, "null": None, "undefined": None}
_HIDING_WORDS = frozenset({"ALL_TOOLS", "eval", "Function", "globalThis"})
_TOOLS_IN_TEMPLATE = compile_lazily(r"\$\{[^}]{0,500}\b(?:tools(?:\.\w+\(|\[)|ALL_TOOLS\b)")
_LOOP_METHODS = frozenset({"map", "forEach", "flatMap"})
_STRING_METHODS: dict[str, Callable[[str], str]] = {
    "trim": str.strip,
    "trimStart": str.lstrip,
    "trimEnd": str.rstrip,
    "toString": str,
}


class Call(NamedTuple):
    """A tool call. ``argument`` is the first argument, converted to a Python value; None if it is missing or unknown."""

    name: str
    argument: object


def find_calls(script: str) -> list[Call]:
    """Return the calls of a script in source order, at most ``MAX_CALLS``. Never raises; if the script is invalid, calls may be missing."""
    if "tools" not in script:
        return []
    parser = _Parser(script)
    try:
        return list(islice(parser.find_calls(), MAX_CALLS))
    except RecursionError:
        return []


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


def _find_placeholder(text: str, offset: int) -> int:
    """Return the offset of the next unescaped ``${``, or -1."""
    while (offset := text.find("${", offset)) >= 0:
        backslashes = len(text[:offset]) - len(text[:offset].rstrip("\\"))
        if backslashes % 2 == 0:
            return offset
        offset += 2
    return -1


class _Unknown(NamedTuple):
    """A value that only execution would determine. ``source`` is its source code."""

    source: str = ""


class _LoopValues(NamedTuple):
    """The successive values of a loop variable."""

    values: list[object]


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _get_member(value: object, key: object) -> object:
    if _is_object(value):
        return value.get(str(key), _Unknown())
    if _is_list(value) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _Unknown()


def _call_method(value: object, name: str, arguments: list[object]) -> object:
    if name == "join" and _is_list(value):
        separator = arguments[0] if arguments and isinstance(arguments[0], str) else ","
        return separator.join(map(_format_value, value))
    if isinstance(value, str) and name in _STRING_METHODS:
        return _STRING_METHODS[name](value)
    return _Unknown()


def _format_value(value: object) -> str:
    """Convert a value to text; an unknown value becomes a template placeholder."""
    if isinstance(value, _Unknown):
        return "${" + value.source + "}"
    return value if isinstance(value, str) else "" if value is None else str(value)


def _drop_unknown_values(value: object) -> object:
    """Remove unknown values from lists and objects. A value that is itself unknown becomes None."""
    if _is_object(value):
        return {key: _drop_unknown_values(item) for key, item in value.items() if not isinstance(item, _Unknown)}
    if _is_list(value):
        return [_drop_unknown_values(item) for item in value if not isinstance(item, _Unknown)]
    return None if isinstance(value, (_Unknown, _LoopValues)) else value


def _add_values(left: object, right: object) -> object:
    """Apply ``+`` to two values."""
    if isinstance(left, (str, _Unknown)) or isinstance(right, (str, _Unknown)):
        if isinstance(left, _Unknown) and isinstance(right, _Unknown):
            return left
        return _format_value(left) + _format_value(right)
    return left + right if isinstance(left, int) and isinstance(right, int) else _Unknown()


def _fill_template(text: str, names: dict[str, object], *, is_raw: bool) -> str:
    """Replace the placeholders of a template that are names of strings or integers, and leave the others as written."""
    parts: list[str] = []
    offset = 0
    while (placeholder := _find_placeholder(text, offset)) >= 0:
        end = _find_placeholder_end(text, placeholder + 2, 0)
        inner = text[placeholder + 2 : end - 1]
        value = names.get(inner.strip(), _Unknown())
        is_replaced = isinstance(value, (str, int)) and not isinstance(value, bool)
        literal = text[offset:placeholder] if is_raw else unescape(text[offset:placeholder])
        parts += [literal, str(value) if is_replaced else text[placeholder:end]]
        offset = end
    parts.append(text[offset:] if is_raw else unescape(text[offset:]))
    return "".join(parts)


class _Parser:
    def __init__(self, script: str) -> None:
        self.script, self.tokens = script, _read_tokens(script)
        self.names: dict[str, object] = {}
        self.position = self.depth = 0

    def find_calls(self) -> Iterator[Call]:
        tokens = self.tokens
        for index, token in enumerate(tokens):
            if token.kind != "word":
                continue
            if token.text in ("const", "let", "var"):
                if not (self._is_mark(index - 1, "(") and tokens[index - 2].text == "for"):
                    self._read_declaration(index + 1)
            elif token.text == "for":
                self._read_for(index + 1)
            elif token.text in _LOOP_METHODS and self._is_mark(index - 1, ".") and self._is_mark(index + 1, "("):
                self._read_loop_method(index)
            elif token.text == "tools" and self._is_mark(index + 1, ".") and self._is_mark(index + 3, "("):
                yield from self._read_call(tokens[index + 2].text, index + 4)

    def _is_mark(self, index: int, text: str) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == text and self.tokens[index].kind == "mark"

    def _read_declaration(self, index: int) -> None:
        """Process ``NAME = VALUE``, which replaces any earlier value of the name."""
        if index < len(self.tokens) and self.tokens[index].kind == "word" and self._is_mark(index + 1, "="):
            self.names[self.tokens[index].text] = self._evaluate_at(index + 2)

    def _read_for(self, index: int) -> None:
        """Process ``for (const PATTERN of LIST)`` or ``for (let NAME = 0; NAME < LIST.length; ...)``."""
        if not self._is_mark(index, "("):
            return
        start = index + 2
        texts = [token.text for token in self.tokens[start : start + 8]]
        if texts[1:4:2] == ["=", ";"]:
            items = self.names.get(texts[6]) if texts[4:6] == [texts[0], "<"] and len(texts) == 8 else None
            self.names[texts[0]] = _Unknown(texts[0])
            if _is_list(items) and texts[2] == "0" and texts[7] == ".":
                self.names[texts[0]] = _LoopValues(list(range(len(items))))
            return
        for end in range(start, min(start + 20, len(self.tokens))):
            if self.tokens[end].text == "of" and self.tokens[end].kind == "word":
                self._bind_names(start, end, self._evaluate_at(end + 1))
                return

    def _read_loop_method(self, index: int) -> None:
        """Process ``LIST.map((PATTERN) => ...``, where LIST is a name or a literal."""
        items = self._get_value_before(index - 1)
        start = index + 2
        for end in range(start, min(start + 20, len(self.tokens))):
            if self._is_mark(end, "=>"):
                self._bind_names(start, end, items)
                return

    def _get_value_before(self, end: int) -> object:
        """Return the value of the name or list literal that ends before the token at index ``end``; None if it is unknown."""
        start = end - 1
        if start >= 0 and self.tokens[start].kind == "word":
            return self.names.get(self.tokens[start].text)
        depth = 0
        while start >= 0:
            depth += self._is_mark(start, "]") - self._is_mark(start, "[")
            if depth <= 0:
                break
            start -= 1
        if not self._is_mark(start, "["):
            return None
        saved_position, self.position = self.position, start + 1
        value = self._evaluate_list()
        self.position = saved_position
        return value

    def _bind_names(self, start: int, end: int, items: object) -> None:
        """Bind the names of the pattern in tokens ``start`` to ``end`` to their values in a loop over ``items``."""
        tokens = self.tokens[start:end]
        marks = {token.text for token in tokens if token.kind == "mark"}
        words = [token.text for token in tokens if token.kind == "word" and token.text not in ("async", "const", "let")]
        is_destructured = not marks.isdisjoint("[{")
        for position, word in enumerate(words):
            if not _is_list(items) or (position and not is_destructured):
                self.names[word] = _Unknown(word)
            elif is_destructured:
                key = word if "{" in marks else position
                self.names[word] = _LoopValues([_get_member(value, key) for value in items])
            else:
                self.names[word] = _LoopValues(items)

    def _read_call(self, name: str, index: int) -> Iterator[Call]:
        if self._is_mark(index, ")"):
            yield Call(name, None)
            return
        tokens = self.tokens[index : self._find_end(index)]
        words = {token.text for token in tokens if token.kind == "word"}
        for token in tokens:
            if token.kind == "template":
                words.update(re.findall(r"[A-Za-z_$][\w$]*", token.text))
        loop_variables = {word: variable for word in words if isinstance(variable := self.names.get(word), _LoopValues)}
        count = min((len(variable.values) for variable in loop_variables.values()), default=0)
        for iteration in range(count):
            self.names.update({word: variable.values[iteration] for word, variable in loop_variables.items()})
            yield Call(name, _drop_unknown_values(self._evaluate_at(index)))
        self.names.update(loop_variables)
        if not count:
            yield Call(name, _drop_unknown_values(self._evaluate_at(index)))

    def _find_end(self, index: int) -> int:
        """Return the index of the comma, semicolon or closing bracket that ends the expression at ``index``."""
        depth = 0
        for end in range(index, len(self.tokens)):
            token = self.tokens[end]
            if token.kind != "mark":
                continue
            if depth == 0 and token.text in _END_MARKS:
                return end
            depth += (token.text in _OPENING_MARKS) - (token.text in _CLOSING_MARKS)
        return len(self.tokens)

    def _evaluate_at(self, index: int) -> object:
        saved_position, self.position = self.position, index
        value = self._evaluate()
        self.position = saved_position
        return value

    def _evaluate(self) -> object:
        """Evaluate operands joined by ``+``; any other operator makes the value unknown."""
        start = self.position
        self.depth += 1
        value = self._evaluate_operand() if self.depth < MAX_DEPTH else _Unknown()
        while self._is_mark(self.position, "+"):
            self.position += 1
            value = _add_values(value, self._evaluate_operand())
        self.depth -= 1
        next_token = self.tokens[self.position] if self.position < len(self.tokens) else None
        if next_token and next_token.kind == "mark" and next_token.text not in _END_MARKS and self.position > start:
            self.position = self._find_end(self.position)  # skip the rest of the expression
            return _Unknown(self._get_source(start, self.position))
        return value

    def _evaluate_operand(self) -> object:
        if self.position >= len(self.tokens):
            return _Unknown()
        start, token = self.position, self.tokens[self.position]
        self.position += 1
        value: object
        if token.kind == "string":
            value = token.text
        elif token.kind == "template":
            value = _fill_template(token.text, self.names, is_raw=self._is_raw(start))
        elif token.kind == "number":
            value = int(token.text) if token.text.isdecimal() and len(token.text) < 20 else token.text
        elif token.kind == "word" and token.text in ("await", "new", "async"):
            return self._evaluate_operand()
        elif token.text == "String" and token.kind == "word" and self._is_raw(self.position + 2):
            self.position += 2
            return self._evaluate_operand()
        elif token.kind == "word":
            value = self._get_value(token.text)
        elif self._is_mark(start, "["):
            value = self._evaluate_list()
        elif self._is_mark(start, "{"):
            value = self._evaluate_object()
        elif self._is_mark(start, "("):
            value = self._evaluate()
            self.position += self._is_mark(self.position, ")")
        else:
            value = _Unknown(token.text)
        return self._evaluate_suffix(value, start)

    def _get_value(self, name: str) -> object:
        value = _CONSTANTS[name] if name in _CONSTANTS else self.names.get(name, _Unknown(name))
        return _Unknown(name) if isinstance(value, _LoopValues) else value

    def _is_raw(self, index: int) -> bool:
        """Return whether the token at ``index`` follows ``String.raw``."""
        return index >= 3 and [token.text for token in self.tokens[index - 3 : index]] == ["String", ".", "raw"]

    def _evaluate_suffix(self, value: object, start: int) -> object:
        """Apply the members, indexes and methods that follow a value, such as ``.join("x")``; any other call makes it unknown."""
        while self.position < len(self.tokens):
            if self._is_mark(self.position, ".") or self._is_mark(self.position, "?."):
                method = self.tokens[self.position + 1].text if self.position + 1 < len(self.tokens) else ""
                is_call = self._is_mark(self.position + 2, "(")
                self.position += 2
                arguments = self._evaluate_arguments() if is_call else []
                value = _call_method(value, method, arguments) if is_call else _get_member(value, method)
            elif self._is_mark(self.position, "[") and not isinstance(value, (str, int)):
                self.position += 1
                value = _get_member(value, self._evaluate())
                self.position += self._is_mark(self.position, "]")
            elif self._is_mark(self.position, "("):
                self._evaluate_arguments()
                value = _Unknown()
            else:
                break
        return _Unknown(self._get_source(start, self.position)) if isinstance(value, _Unknown) else value

    def _evaluate_arguments(self) -> list[object]:
        """Evaluate the arguments in the parentheses that the current token opens."""
        self.position += 1
        values: list[object] = []
        while self.position < len(self.tokens) and not self._is_mark(self.position, ")"):
            values.append(self._evaluate())
            previous_position = self.position
            self.position += self._is_mark(self.position, ",")
            if self.position == previous_position and not self._is_mark(self.position, ")"):
                self.position = max(previous_position + 1, self._find_end(previous_position))
        self.position += 1
        return values

    def _evaluate_list(self) -> object:
        values: list[object] = []
        while self.position < len(self.tokens) and not self._is_mark(self.position, "]"):
            start = self.position
            values.append(self._evaluate())
            self.position += self._is_mark(self.position, ",")
            self.position += self.position == start
        self.position += 1
        return values

    def _evaluate_object(self) -> object:
        values: dict[str, object] = {}
        while self.position < len(self.tokens) and not self._is_mark(self.position, "}"):
            start, key = self.position, self.tokens[self.position]
            self.position += 1
            if key.kind in ("word", "string", "number") and self._is_mark(self.position, ":"):
                self.position += 1
                values[key.text] = self._evaluate()
            elif key.kind == "word" and (self._is_mark(self.position, ",") or self._is_mark(self.position, "}")):
                values[key.text] = self._get_value(key.text)
            elif self._is_mark(start, "...") and _is_object(spread := self._evaluate_operand()):
                values.update(spread)
            else:
                self.position = max(self.position, self._find_end(self.position))
            self.position += self._is_mark(self.position, ",")
            self.position += self.position == start
        self.position += 1
        return values

    def _get_source(self, start: int, end: int) -> str:
        end = min(end, len(self.tokens))
        return self.script[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""
