"""Finds secrets by their names: ``password=...``, ``"token": "..."``, ``--api-key ...``, ``Passwort: ...``.

A substring search finds the stems of names that occur in a text. The expression for each of these stems then matches the name and its
separator. values.py determines, for any syntax, where the value ends and whether it is a secret. In a table, the name is in the header,
and the values are in the rows below it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.values import (
    closes_quote,
    find_bare_end,
    find_long_end,
    find_quoted_span,
    is_base64,
    is_chosen,
    is_code,
    is_digits,
    is_generated,
    is_password,
    is_reference,
    is_token,
    is_wordlike,
)

Span = tuple[int, int, str]
"""Start, end and kind of a secret."""


class SecretName(NamedTuple):
    """A kind of name that indicates a secret: whether the secret is a password, and a pattern that matches the name in lower case."""

    is_password: bool
    pattern: str


_KEY_QUALIFIERS = (
    *("api", "access", "private", "secret", "auth", "account", "encryption", "encrypt", "signing", "master", "service"),
    *(
        "session",
        "client",
        "shared",
        "subscription",
        "webhook",
        "enc",
        "write",
        "recovery",
        "server",
        "stream",
        "ingest",
        "wifi",
        "wlan",
    ),
)
_QUALIFIER_ENDS = "|".join(sorted({word[-3:] for word in _KEY_QUALIFIERS}))
_AFTER_QUALIFIER = f"(?<=(?:{_QUALIFIER_ENDS})key)|(?<=(?:{_QUALIFIER_ENDS})[_. -]key)"
_KEY_PREFIX = compile_lazily(f"(?:{'|'.join(_KEY_QUALIFIERS)})[_. -]?\\Z")
_WORD_START, _WORD_END = r"(?<![a-z])", r"(?![a-z])"
SECRET_NAMES = {
    "pass": SecretName(True, r"pass(?:(?:wor[dt]e?|wd|phrase|code)s?|w?e?s?(?![a-z]))"),
    "pw": SecretName(True, r"pw(?:or)?d?s?(?![a-z])"),
    "psw": SecretName(True, r"pswd?(?![a-z])"),
    "secret": SecretName(False, r"secret(?<!:secret)[aeos]?"),
    "token": SecretName(False, r"token(?<!publickeytoken)"),
    "key": SecretName(False, rf"key(?:{_AFTER_QUALIFIER}|(?<=--key)(?=\"))"),
    "credential": SecretName(False, r"credential"),
    "_auth": SecretName(False, r"_auth"),
    "psk": SecretName(True, r"psk(?![a-z])"),
    "kennw": SecretName(True, r"kennw(?:ort|örter)"),
    "contrase": SecretName(True, r"contrase(?:ñ|n)as?"),
    "senha": SecretName(True, r"senhas?"),
    "mdp": SecretName(True, rf"{_WORD_START}mdp{_WORD_END}"),
    "clave": SecretName(True, rf"{_WORD_START}claves?{_WORD_END}"),
    "chave": SecretName(False, rf"{_WORD_START}chaves?{_WORD_END}"),
    "парол": SecretName(True, r"парол[ьяюие]м?"),
    "секрет": SecretName(False, r"секрет(?:ный ключ)?"),
    "ключ": SecretName(False, r"ключ"),
    "токен": SecretName(False, r"токен"),
    "密": SecretName(True, r"密[码碼钥鑰]"),
    "秘": SecretName(True, r"秘(?:密鍵|钥)"),
    "口令": SecretName(True, r"口令"),
    "令牌": SecretName(False, r"令牌"),
    "暗証": SecretName(True, r"暗証番号"),
    "パス": SecretName(True, r"パス(?:ワード|フレーズ|コード)"),
    "トークン": SecretName(False, r"トークン"),
}
"""Names in English, German, French, Spanish, Portuguese, Russian, Chinese and Japanese, keyed by a lower-case stem that the name contains.
``passwort`` and ``mot de passe`` contain the same stem as ``password``."""
_FOREIGN_STEMS = frozenset({"kennw", "contrase", "senha", "mdp", "clave", "chave"}) | {
    name for name in SECRET_NAMES if not name.isascii()
}
_NAME_SUFFIX = r"(?:(?:[_-]|(?<=secret) (?=id))?(?:key|value|base|id|access|string|[0-9]{1,3})){0,3}"
_FOREIGN_SUFFIX = r"(?:[ _-][^\W\d_]{2,20}+){0,3}"
_PURPOSE = r"(?: (?:for|of|für|von|de|para|pour|для) [\w@.'\"-]{1,40}(?=\s?[:=])|\s?\([^()\n]{1,30}\)(?=\s?[:=]))?"
_TYPE = (
    r"(?:\s{0,8}:\s{0,2}&?(?:'static )?(?:str|string|secretstr|final)(?: \| none|\?)?(?=\s{0,2}=)|\s?\{[^{}\n]{0,40}\}(?=\s?=)"
    r"|\s\[[^\]\n]{0,24}\](?=:)|(?:\s[\w:-]{1,20}=\"[^\"\n]{0,40}\"){1,3}(?=>))?"
)
_ASSIGNMENT = (
    r"\s{0,40}+(?::=|=>|<-(?=\s)|[?+]?={1,3}+|:-(?=\S)|[:：](?!:)(?:\*\*|\s?[|>][+-]?\n[ \t]{1,40})?)\s{0,40}+"
    r"(?:\{\s{0,20}(?:\\{0,3}[\"'](?:type|sensitive|note|group|description)\\{0,3}[\"']\s?:\s?"
    r"(?:\\{0,3}[\"'][^\"'\\\n]{0,60}\\{0,3}[\"']|\w{1,8}),\s{0,20}){0,3}"
    r"\\{0,3}[\"']?(?:value|default|computed|raw|s)\\{0,3}[\"']?\s?[:=]\s{0,4}(?=\\{0,3}[\"'])|\(\n[ \t]{1,40}(?=[\"'])"
    r"|!!?(?:str|string|binary)\s{1,4}|\[\]byte\((?=[\"'])|string\([0-9]{1,4}\)\s(?=[\"'])"
    r"|(?:await\s)?(?:[\w.]{1,30}[.:])?(?:hash|hashsync|encrypt|make)\(\s{0,4}(?=[\"'])|(?:field|secretstr|form"
    r"|query)\(\s{0,4}(?:default\s?=\s?)?(?=[\"']))?"
)
"""The separator of a name and its value; after a colon, the end of bold type in Markdown, or the beginning of a block in YAML."""
_LOOSE_SEPARATOR = (
    r",\s{0,40}(?:default\s?=\s?|<<(?=\"))?(?=\\{0,3}[\"'])|\s?\(\s?(?=[\"'])"
    r"|\s(?:is|was|es|é|ist|est|lautet|->)\s|[ \t]{0,20}\|[ \t]{1,8}| |\n(?=[ \t]{0,20}[\"']?(?:parameter)?value)"
    r"|,(?=parametervalue=)|>(?=[^<>\s]{4,400}</)|</(?:key|name)>\s{0,40}<(?:string|value)>"
)
_NOT_ANOTHER_NAME = (
    r"(?![\\\"'`({\[<$]{0,3}[\w.-]{0,16}(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|senha|clave|kennwort|contrase(?:n|ñ)a)"
    r"[\\\"'`)}\]]{0,3}\s?[:=]|--[a-z]|[\"'`\\]{0,4}\[redacted:)"
)
"""Excludes options, redaction markers, and values that are themselves the name of a secret and are matched separately."""
_TAIL_PATTERNS = {
    foreign: rf"{_FOREIGN_SUFFIX if foreign else _NAME_SUFFIX}"
    rf"(?P<quote>\\{{0,7}}(?:[\"'`]|\*\*)?)\]?{_PURPOSE}{_TYPE}(?P<sep>(?P<assign>{_ASSIGNMENT})|{_LOOSE_SEPARATOR}){_NOT_ANOTHER_NAME}"
    for foreign in (False, True)
}
_ASCII_STEMS = tuple(stem for stem in SECRET_NAMES if stem.isascii())
_OTHER_SCRIPTS = compile_lazily(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]")
_PATTERNS = {
    stem: compile_lazily(f"(?:{name.pattern}){_TAIL_PATTERNS[stem in _FOREIGN_STEMS]}")
    for stem, name in SECRET_NAMES.items()
}
"""The expression for each stem, to be searched for in lower-case text."""
_BARE_PASS = compile_lazily(r"pass(?:e?s)?(?![a-z])")
_ROLE = compile_lazily(r"'|[a-z]+(?::`|=)")
"""A literal in code, a role of reStructuredText, or a bound attribute, after a blank and a colon."""
_TEST_REPORT = compile_lazily(
    r"(?:[^\w$]|\A)PASS:\s"
    r"|(?:\b(?:tests?|checks?|specs?|suites?|cases?|builds?|lints?|all|must|should|will|still|they)\s)[Pp]ass(?:es)?:\s"
)
"""A test runner's line for a passed test, or a sentence about passed tests, up to the colon."""
_COMMAND_PREFIX = compile_lazily(
    r"(?:\b(?:login|account)\s{1,4}\S{1,80}\s{1,4}|\bconfig(?:ure)? set [a-z_./:-]{0,60}|\bsetx [a-z0-9_]{0,30}"
    r"|\bset -[gxul]{1,4} [a-z0-9_]{0,30}"
    r"|\benv [a-z0-9_]{0,30})\Z"
)
"""The text before a name that is separated from its value by a space: in a .netrc file, or in a command that stores a setting."""
_COMMAND_HINTS = ("login", "account", "config", "setx", "set -", "env")
"""Every match of ``_COMMAND_PREFIX`` contains one of these."""
_NAME_FIELD = compile_lazily(
    r"(?:(?:name|(?<![a-z])(?:parameter)?key)\\{0,3}[\"']?\s{0,2}[:=]\s{0,2}\\{0,3}[\"']?|key\s?=\s?[\"']|<key>|variable \")"
    r"[a-z0-9_.-]{0,40}\Z"
)
_VALUE_FIELD = compile_lazily(
    r"[A-Za-z0-9_.-]{0,40}\\{0,3}[\"']?(?:(?:,\s{0,20}\\{0,3}[\"'][\w-]{1,20}\\{0,3}[\"']\s?:\s?(?:\\{0,3}[\"'][^\"'\\\n]{0,60}\\{0,3}[\"']"
    r"|[\w.]{1,12})){0,3}?\s{0,3},?\s{0,20}\\{0,3}[\"']?(?:Parameter)?[Vv]alue\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}"
    r"|\s\{(?:[^{}\n]{0,120}\n){1,8}?\s{0,8}default\s{0,8}=\s?)"
)
"""The text between a name and a value in separate fields, as in container definitions, property lists and Terraform variables."""
_VALUE_FIELD_HINTS = ("alue", "default")
_NEXT_VALUE = compile_lazily(r"\s?->\s?(?=[\"'])|\s(?:\?\?|\|\||or)\s(?=[\"'])")
"""The text between an old and a new value, or between a reference and the value that is used without it."""
_REST_STARTS = frozenset("\n\r\"'`\\")
_REST = compile_lazily(
    r"[\"'`]\s?(?:[+.&][ \t]*|\\)?\s{0,40}(?:(?<=\s)[0-9]{1,6}[ \t]?[→:|\t ][ \t]{0,40})?"
    r"(?:[+.&][ \t]{0,8})?[bfru]?(?P<quote>[\"'`])(?P<literal>[^\"'`\s]{2,200})(?P=quote)"
    r"|\\?\r?\n[ \t]{0,40}(?P<line>(?!=|[A-Za-z_][\w.-]{0,60}[=:](?!=?\s))[^\s\"'`\[]{4,200})[ \t]*(?=\r?\n|\Z)"
)
"""The rest of a value that is joined from two literals, or continues on a line of its own."""
_PUBLIC_KEY_NAME = compile_lazily(r"(?:[ \t]signingk|user\.signing[kK])\Z")
_PUBLIC_KEY_VALUE = compile_lazily(r"ey\s?=\s?(?:key::|ssh-|(?:0x)?[0-9A-Fa-f]{8,40}(?![\w+/=-])|[~/]\S{1,200}\.pub\b)")
"""The beginning of a name in Git's settings, and the rest of it with its value: a public key, its file or its id."""
_COMPARISON = compile_lazily(r"[!=]=\s?[\"'][\w.-]{0,24}\Z")
"""The text before a name that is a string which code compares."""
_ID_NAME = compile_lazily(r"(?<![Ss]ecret)(?<!SECRET)(?<![Ss]ecret[ _-])(?<!SECRET[ _-])[_-]?(?:id|Id|ID)[0-9]{0,2}\Z")
"""The end of a name that refers to a secret by its id. A secret's id (Vault) is a secret itself."""
_MAX_GLUE, _MAX_GLUED_NAMES = 16, 16
_GLUE = compile_lazily(r"[^\s,]*")
"""What separates names without values in one word. More than ``_MAX_GLUED_NAMES`` of them in a row, as no settings have them, are not
judged, because each judgement reads up to 128 characters."""
_MAX_MARKER_LENGTH = 32
"""Maximum number of characters from the start of a marker like ``[redacted:password]`` to a name in the marker."""
_MARKER_START, _MARKER_END = compile_lazily(r"\[redacted:[a-z0-9-]*\Z"), compile_lazily(r"[a-z0-9-]*\]")
"""The parts of a marker before and after a name. A marker must be complete: a literal ``[redacted:`` must not hide a password."""


def _is_marker(lowered: str, name_start: int) -> bool:
    """Return whether the name at ``name_start`` is part of a redaction marker."""
    start = lowered.rfind("[redacted:", max(0, name_start - _MAX_MARKER_LENGTH), name_start)
    return start >= 0 and bool(
        _MARKER_START.search(lowered[start:name_start]) and _MARKER_END.match(lowered, name_start)
    )


def _is_secret_name(text: str, lowered: str, name_start: int) -> bool:
    """Return whether the name at ``name_start`` indicates a secret, unlike "pass" in "bypass" or "key" in "monkey"."""
    if lowered.startswith("pass", name_start) and _TEST_REPORT.search(text, max(0, name_start - 8), name_start + 8):
        return False
    if lowered.startswith("key", name_start):
        is_public = _PUBLIC_KEY_NAME.search(text, max(0, name_start - 12), name_start + 1)
        if is_public and _PUBLIC_KEY_VALUE.match(text, name_start + 1):
            return False
        return _KEY_PREFIX.search(lowered, max(0, name_start - 14), name_start) is not None or lowered.startswith(
            '--key"', max(0, name_start - 2)
        )
    if lowered.endswith(
        ("hashed_", "bypass", "compass"), 0, name_start + (4 if lowered.startswith("pass", name_start) else 0)
    ):
        return False
    is_short = lowered.startswith(("pw", "psk"), name_start) or _BARE_PASS.match(lowered, name_start)
    is_glued = (
        lowered[max(0, name_start - 1) : name_start].isalpha()
        and not text[name_start].isupper()
        and not lowered.endswith(
            ("db", "root", "admin", "user", "ftp", "ssh", "mail"), max(0, name_start - 5), name_start
        )
    )
    return not (is_short and is_glued) or lowered.endswith(("-store", "-key"), max(0, name_start - 6), name_start)


def _is_compared(lowered: str, name_start: int) -> bool:
    """Return whether the name at ``name_start`` is in a string that code compares, as in ``if key == "password":``."""
    text_before = lowered[max(0, name_start - 28) : name_start]
    return "=" in text_before and _COMPARISON.search(text_before) is not None


def _is_command_argument(lowered: str, name_start: int) -> bool:
    """Return whether the name at ``name_start`` follows ``_COMMAND_PREFIX``, so that a space separates it from its value."""
    text_before = lowered[max(0, name_start - 100) : name_start]
    if not any(map(text_before.__contains__, _COMMAND_HINTS)):
        return False
    return _COMMAND_PREFIX.search(lowered, max(0, name_start - 100), name_start) is not None


def _is_flag(lowered: str, name_start: int) -> bool:
    """Return whether the name at ``name_start`` ends a command-line flag: ``--password``, ``--db-password``, ``-storepass``."""
    start = name_start
    while start > 0 and name_start - start < 24 and (lowered[start - 1].isalnum() or lowered[start - 1] in "-_"):
        start -= 1
    return lowered.startswith("--", start) or (
        lowered[start] == "-" and lowered[max(0, start - 1) : start] in (" ", '"', "'")
    )


def _find_spans(text: str, lowered: str, stem: str, match: re.Match[str]) -> Iterator[Span]:
    """Yield the secret that follows a matched name, or two secrets if an old and a new value follow, as in ``old -> new``."""
    name_start, value_start, separator = match.start(), match.end(), match["sep"]
    is_password_name = SECRET_NAMES[stem].is_password
    if (
        not _is_secret_name(text, lowered, name_start)
        or _is_marker(lowered, name_start)
        or (separator == " :" and _ROLE.match(text, value_start) is not None)
        or (match["assign"] and _is_compared(lowered, name_start))
        or (separator == ":" and text[max(0, name_start - 1)] == "$")
    ):
        return
    field_start = None if match["assign"] else _find_value_field(text, lowered, name_start, match.start("quote"))
    if field_start is not None:
        value_start, separator = field_start, ":"
    is_strict = field_start is None and not match["assign"] and separator[0] not in "<>"
    if is_strict and _is_argument(text, lowered, name_start, separator):
        if separator.isspace() and separator != " ":
            return
        is_strict = False
    elif is_strict and not _may_separate(text, lowered, stem, match):
        return
    kind = "password" if is_password_name else "secret"
    if separator[-1] in "=:" and closes_quote(text, value_start, match.end("quote")):
        return
    name = text[name_start : match.start("quote")]
    for _ in range(2):
        quoted = find_quoted_span(text, value_start)
        is_quoted = quoted is not None
        start, end = quoted or (value_start, find_bare_end(text, value_start, name_start))
        if start == end:
            return
        value, rest = text[start:end], _find_rest(text, start, end)
        if rest and _is_secret(value + text[slice(*rest)], name, separator, is_password_name, is_quoted, is_strict):
            end = rest[1]
            yield start, end, kind
        elif _is_secret(value, name, separator, is_password_name, is_quoted, is_strict):
            if not is_quoted:
                end = find_long_end(text, start, end)
            yield start, end, kind
        next_value = _NEXT_VALUE.match(text, end + is_quoted)
        if next_value is None:
            return
        value_start = next_value.end()


def _find_rest(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the rest of a value that is cut over two lines, or joined from two literals in code.

    ``start`` and ``end`` are those of its first part.
    """
    if text[end : end + 1] not in _REST_STARTS or (match := _REST.match(text, end)) is None:
        return None
    rest = match["literal"] or match["line"]
    is_other_word = is_wordlike(rest) or not is_generated(rest + "0") or is_reference(rest) or is_code(rest)
    if match["line"] and is_other_word and not is_base64(text[start:end] + rest):
        return None
    return match.span("literal" if match["literal"] else "line")


def _is_argument(text: str, lowered: str, name_start: int, separator: str) -> bool:
    """Return whether a value is the argument of the name at ``name_start``: of a flag, a command, ``PASSWORD`` in SQL, or a setter."""
    if separator.isspace():
        return (
            text.startswith("PASSWORD '", name_start)
            or _is_flag(lowered, name_start)
            or _is_command_argument(lowered, name_start)
        )
    if separator[0] == ",":
        return _is_flag(lowered, name_start)
    return "(" in separator and lowered.endswith(("set", "set_"), max(0, name_start - 4), name_start)


def _may_separate(text: str, lowered: str, stem: str, match: re.Match[str]) -> bool:
    """Return whether the separator of a match, which may also join words in a sentence or columns, may separate a name and its value."""
    separator, is_password_name = match["sep"], SECRET_NAMES[stem].is_password
    if separator.isspace():
        character = text[match.end() : match.end() + 1]
        if is_password_name and character in "\"'":
            return True
        if character != "`":
            return False
    elif "|" not in separator:
        return True
    return is_password_name and _BARE_PASS.match(lowered, match.start()) is None


def _is_secret(value: str, name: str, separator: str, is_password_name: bool, is_quoted: bool, is_strict: bool) -> bool:
    """Return whether the value is a secret, rather than code: in ``privateKey: ed25519Seed``, for example, it is a variable.

    If ``is_strict``, the value must look randomly generated, because the separator may also join words that are not a name and its value.
    """
    if is_digits(value) or is_base64(value):
        return _ID_NAME.search(name) is None
    if is_strict and (is_password_name or is_quoted) and is_chosen(value):
        return not is_reference(value)
    if is_strict:
        return len(value) >= 6 and not is_reference(value) and not is_wordlike(value) and is_generated(value)
    is_env_assignment = separator == "=" and name.isupper()
    if is_password_name:
        is_unspaced = separator != ":" and not any(map(str.isspace, separator))
        return is_password(value, is_quoted=is_quoted, is_env_assignment=is_env_assignment, is_unspaced=is_unspaced)
    is_literal = is_quoted or is_env_assignment or separator[0] in "<>"
    if is_chosen(value) and (is_literal or not is_code(value)):
        return not is_reference(value)
    return is_token(value, is_literal=is_literal)


def _find_value_field(text: str, lowered: str, name_start: int, name_end: int) -> int | None:
    """Return the start of the value if the name and the value are in separate fields (``_VALUE_FIELD``), else None."""
    following = text[name_end : name_end + 240]
    if (
        not any(map(following.__contains__, _VALUE_FIELD_HINTS))
        or _NAME_FIELD.search(lowered, max(0, name_start - 60), name_start) is None
    ):
        return None
    match = _VALUE_FIELD.match(text, name_end)
    return match.end() if match is not None else None


def lower_preserving_offsets(text: str) -> str:
    """Return the text in lower case, with every character at its original index."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capital letters become two characters in lower case
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered


def find_stems(lowered: str) -> list[str]:
    """Return the keys of ``SECRET_NAMES`` that occur in a lower-case text."""
    if lowered.isascii() or _OTHER_SCRIPTS.search(lowered) is None:
        return list(filter(lowered.__contains__, _ASCII_STEMS))
    return [stem for stem in SECRET_NAMES if stem in lowered]


def find_assigned_secrets(text: str, lowered: str, stems: list[str]) -> Iterator[Span]:
    """Yield the values of names that indicate a secret. Their kind is ``password`` or ``secret``.

    ``lowered`` is ``text`` in lower case, and ``stems`` are the keys of ``SECRET_NAMES`` that occur in it.
    """
    for stem in stems:
        search = _PATTERNS[stem].search
        match = search(lowered)
        end = glued_count = 0
        while match is not None:
            next_start = match.start() + 1
            is_glued = 0 <= match.start() - end <= _MAX_GLUE and _GLUE.fullmatch(text, end, match.start()) is not None
            glued_count = glued_count + 1 if is_glued else 0
            if glued_count <= _MAX_GLUED_NAMES:
                for span in _find_spans(text, lowered, stem, match):
                    yield span
                    next_start = max(next_start, span[1])
                    glued_count = 0
            end = match.end()
            match = search(lowered, next_start)


# -- table columns ---------------------------------------------------------------------------------------------------------

_COLUMN_NAMES = {
    "pass": r"pass(?:wor[dt]|wd|phrase|code|e)?",
    "pw": r"pwd",
    "secret": r"secret",
    "token": r"token",
    "key": r"key(?:(?<=api.key)|(?<=apikey)|(?<=access.key)|(?<=secret.key)|(?<=private.key))",
    "senha": r"senha",
    "contrase": r"contrase(?:ñ|n)a",
    "kennw": r"kennwort",
}
_COLUMN_PATTERNS = {
    stem: compile_lazily(rf"{pattern}[\"'`]?[ \t]*[,;\t|\r\n)]") for stem, pattern in _COLUMN_NAMES.items()
}
"""A name at the end of a cell."""
_CELL = compile_lazily(r"[\"'`>]?[\w .#()/-]{0,40}[\"'`]?")
_COPY = compile_lazily(r"COPY [\w.\"]{1,120} \((?P<columns>[^()\n]{1,900})\) FROM stdin;")
"""The header of rows in a dump of PostgreSQL, which tabs divide."""
_MAX_HEADER_LENGTH = 1_000
"""Maximum length of a line that may be a table header, in characters."""


def find_column_secrets(text: str, lowered: str, stems: list[str]) -> Iterator[Span]:
    """Yield the values that look randomly generated in table columns whose headers indicate secrets.

    ``lowered`` is ``text`` in lower case, and ``stems`` are the keys of ``SECRET_NAMES`` that occur in it.
    """
    if "\n" not in text:
        return
    for stem in [stem for stem in stems if stem in _COLUMN_PATTERNS]:
        search = _COLUMN_PATTERNS[stem].search
        match = search(lowered)
        while match is not None:
            start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end() - 1)
            if end < 0:
                return
            position = end
            if end - start > _MAX_HEADER_LENGTH:
                pass
            elif text.startswith("COPY ", start) and (copied := _COPY.match(text, start, end)) is not None:
                cells = copied["columns"].split(",")
                columns = [index for index, cell in enumerate(cells) if search(cell.lower() + "\n")]
                position = yield from _find_column_values(text, end, "\t", len(cells), columns)
            elif separator := _find_separator(text[start:end]):
                cells = text[start:end].split(separator)
                columns = [index for index, cell in enumerate(cells) if search(cell.lower() + "\n")]
                position = yield from _find_column_values(text, end, separator, len(cells), columns)
            match = search(lowered, position)


def _find_separator(line: str) -> str:
    """Return the separator of a line that may be a table header, or an empty string."""
    separator = max(",;\t|", key=line.count)
    cells = line.split(separator)
    return (
        separator
        if sum(map(bool, map(str.strip, cells))) > 1 and all(_CELL.fullmatch(cell.strip()) for cell in cells)
        else ""
    )


def _find_column_values(
    text: str, line_end: int, separator: str, column_count: int, columns: list[int]
) -> Generator[Span, None, int]:
    """Yield the values that look randomly generated in these columns of the rows after the index ``line_end``.

    Return the index at which the table ends.
    """
    while (row_start := line_end + 1) < len(text):
        row_end = text.find("\n", row_start)
        row_end = len(text) if row_end < 0 else row_end
        row = _split_cells(text[row_start:row_end], separator)
        is_divider = not text[row_start:row_end].strip(" +-|:\r") and row_start < row_end
        if len(row) != column_count and not is_divider:
            break
        for index in () if is_divider else columns:
            value = row[index].strip(" \t\r\"'`")
            start = row_start + sum(map(len, row[:index])) + index + row[index].find(value)
            if (
                len(value) >= 6
                and " " not in value
                and not is_reference(value[:64])
                and (is_chosen(value) or (not is_wordlike(value[:64]) and is_generated(value[:64])))
                and (not value.isalpha() or is_base64(value))
            ):
                yield start, start + len(value), "secret"
        line_end = row_end
    return line_end


def _split_cells(row: str, separator: str) -> list[str]:
    """Split a row into cells. Commas and semicolons within quotation marks do not separate cells."""
    if '"' not in row or separator not in ",;":
        return row.split(separator)
    cells = [""]
    for index, piece in enumerate(row.split('"')):
        first, *rest = piece.split(separator) if index % 2 == 0 else [piece]
        cells[-1] += ('"' if index else "") + first
        cells += rest
    return cells
