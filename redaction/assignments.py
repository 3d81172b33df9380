"""Secrets that only their name gives away: ``password=...``, ``"token": "..."``, ``--api-key ...``, ``Passwort: ...``.

A name is found by plain substring search, and the name with the sign that parts it from its value by one expression at
that place. What the value is and whether it is a secret says values.py, in whatever syntax it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.values import (
    UUID,
    closes,
    end_of_bare,
    end_of_long,
    end_of_quoted,
    generated,
    in_words,
    is_password,
    is_reference,
    is_token,
)

Span = tuple[int, int, str]
"""Where a secret begins and ends, and its kind."""


class Name(NamedTuple):
    """What a name that tells of a secret looks like in small letters: a part of it that is sought, and all of it."""

    password: bool
    pattern: str


_KEYS = (
    *("api", "access", "private", "secret", "auth", "account", "encryption", "encrypt", "signing", "master", "service"),
    *("session", "client", "shared", "subscription"),
)
_ENDS_OF_KEYS = "|".join(sorted({word[-3:] for word in _KEYS}))
_OF_A_KEY = f"(?<=(?:{_ENDS_OF_KEYS})key)|(?<=(?:{_ENDS_OF_KEYS})[_. -]key)"
_KEY_BEFORE = compile_later(f"(?:{'|'.join(_KEYS)})[_. -]?\\Z")
_EDGE, _OWN = r"(?<![a-z])", r"(?![a-z])"
NAMES = {
    "pass": Name(True, r"pass(?:(?:wor[dt]e?|wd|phrase|code)s?|w?e?s?(?![a-z]))"),
    "pw": Name(True, r"pwd?s?(?![a-z])"),
    "secret": Name(False, r"secret(?<!:secret)[aeos]?"),
    "token": Name(False, r"token(?<!publickeytoken)"),
    "key": Name(False, rf"key(?:{_OF_A_KEY})"),
    "credential": Name(False, r"credential"),
    "_auth": Name(False, r"_auth"),
    "kennw": Name(True, r"kennw(?:ort|örter)"),
    "contrase": Name(True, r"contrase(?:ñ|n)as?"),
    "senha": Name(True, r"senhas?"),
    "mdp": Name(True, rf"{_EDGE}mdp{_OWN}"),
    "clave": Name(True, rf"{_EDGE}claves?{_OWN}"),
    "chave": Name(False, rf"{_EDGE}chaves?{_OWN}"),
    "парол": Name(True, r"парол[ьяюие]м?"),
    "секрет": Name(False, r"секрет(?:ный ключ)?"),
    "ключ": Name(False, r"ключ"),
    "токен": Name(False, r"токен"),
    "密": Name(True, r"密[码碼钥鑰]"),
    "秘": Name(True, r"秘(?:密鍵|钥)"),
    "口令": Name(True, r"口令"),
    "令牌": Name(False, r"令牌"),
    "暗証": Name(True, r"暗証番号"),
    "パス": Name(True, r"パス(?:ワード|フレーズ|コード)"),
    "トークン": Name(False, r"トークン"),
}
"""By a part of each name that is sought in small letters. English, German, French, Spanish, Portuguese, Russian, Chinese
and Japanese; ``passwort`` and ``mot de passe`` begin as ``password`` does."""
_FOREIGN = frozenset({"kennw", "contrase", "senha", "mdp", "clave", "chave"}) | {
    name for name in NAMES if not name.isascii()
}
_MORE = r"(?:[_-]?(?:key|value|base|id|access|[0-9]{1,3})){0,3}"
_MORE_FOREIGN = r"(?:[ _-][^\W\d_]{2,20}+){0,3}"
_FOR = r"(?: (?:for|of|für|von|de|para|pour|для) [\w@.'\"-]{1,40}(?=\s?[:=]))?"
_TYPE = (
    r"(?:\s{0,8}:\s{0,2}&?(?:'static )?(?:str|string|secretstr|final)(?: \| none|\?)?(?=\s{0,2}=)|\s?\{[^{}\n]{0,40}\}(?=\s?=)"
    r"|\s\[[^\]\n]{0,24}\](?=:))?"
)
_ASSIGN = r"\s{0,8}+(?::=|=>|[?+]?={1,3}+|[:：])\s{0,8}+"
_LOOSE = (
    r",\s{0,8}(?=[\"'])|\s?\(\s?(?=[\"'])"
    r"|\s(?:is|was|es|é|ist|est|lautet)\s| |\n(?=[ \t]{0,20}[\"']?value)|>(?=[^<>\s]{4,400}</)|</key>\s{0,20}<string>"
)
_ANOTHER = (
    r"(?![\\\"'`({\[<$]{0,3}[\w.-]{0,16}(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|senha|clave|kennwort|contrase(?:n|ñ)a)"
    r"[\\\"'`)}\]]{0,3}\s?[:=]|--[a-z]|[\"'`\\]{0,4}\[redacted:)"
)
"""A value that is a name with a value of its own is looked at by itself."""
_TAILS = {
    foreign: rf"{_MORE_FOREIGN if foreign else _MORE}"
    rf"(?P<quote>\\{{0,7}}[\"'`]?)\]?{_FOR}{_TYPE}(?P<sep>(?P<assign>{_ASSIGN})|{_LOOSE}){_ANOTHER}"
    for foreign in (False, True)
}
_IN_ASCII = tuple(stem for stem in NAMES if stem.isascii())
_OTHER_SCRIPTS = compile_later(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]")
_PATTERNS = {stem: compile_later(f"(?:{name.pattern}){_TAILS[stem in _FOREIGN]}") for stem, name in NAMES.items()}
"""They are matched against the text in small letters."""
_UPPER_OF_PASS = compile_later(r"pass(?![a-z])")
_REPORT = compile_later(r"(?:[^\w$]|\A)PASS:\s")
"""How runners of tests begin the line of one that passed."""
_COMMANDED = compile_later(
    r"(?:\b(?:login|account)\s{1,4}\S{1,80}\s{1,4}|\bconfigure set [a-z_]{0,20}|\bsetx [a-z0-9_]{0,30}|\bset -[gxul]{1,4} [a-z0-9_]{0,30}"
    r"|\benv [a-z0-9_]{0,30})\Z"
)
"""What stands before a name that a blank parts from its value: a .netrc, or a command that keeps settings."""
_COMMANDS = ("login", "account", "configure set", "setx", "set -", "env")
"""One of these stands in whatever ``_COMMANDED`` finds."""
_NAMED = compile_later(
    r"(?:name\\{0,3}[\"']?\s{0,2}[:=]\s{0,2}\\{0,3}[\"']?|key\s?=\s?[\"']|<key>|variable \")[a-z0-9_.-]{0,40}\Z"
)
_PAIR = compile_later(
    r"[A-Za-z0-9_.-]{0,40}\\{0,3}[\"']?(?:\s{0,3},?\s{0,20}\\{0,3}[\"']?[Vv]alue\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}"
    r"|\s\{(?:[^{}\n]{0,120}\n){1,8}?\s{0,8}default\s{0,8}=\s?)"
)
"""A name and its value as two fields, as containers, lists of properties and Terraform's variables have them."""
_PAIRED = ("alue", "default")
_ONE_MORE = compile_later(r"\s?->\s?")
_MARK = 32
"""Characters before a name in which a mark of ours begins, if it is the word of one: ``[redacted:password]``."""
_OURS_BEFORE, _OURS_BEHIND = compile_later(r"\[redacted:[a-z0-9-]*\Z"), compile_later(r"[a-z0-9-]*\]")
"""Nothing else is taken for one: who writes ``[redacted:`` before a password must not keep it from being seen."""


def _is_ours(low: str, at: int) -> bool:
    """Whether the name at ``at`` is a word in a mark of ours."""
    begun = low.rfind("[redacted:", max(0, at - _MARK), at)
    return begun >= 0 and bool(_OURS_BEFORE.search(low[begun:at]) and _OURS_BEHIND.match(low, at))


def _is_name(text: str, low: str, at: int) -> bool:
    """Whether the word at ``at`` is a name: "bypass" and "compass" end in none, and most keys open nothing."""
    if text[at] == "P" and _REPORT.match(text, max(0, at - 1)):
        return False
    if low.startswith("key", at):
        return _KEY_BEFORE.search(low, max(0, at - 14), at) is not None
    brief = low.startswith("pw", at) or _UPPER_OF_PASS.match(low, at)
    return not (brief and low[max(0, at - 1) : at].isalpha() and not text[at].isupper())


def _is_commanded(low: str, at: int) -> bool:
    """Whether what stands before the name at ``at`` parts it from its value by a blank (``_COMMANDED``)."""
    before = low[max(0, at - 100) : at]
    if not any(map(before.__contains__, _COMMANDS)):
        return False
    return _COMMANDED.search(low, max(0, at - 100), at) is not None


def _is_flag(low: str, at: int) -> bool:
    """Whether the name at ``at`` ends a command-line flag: ``--password``, ``--db-password``."""
    start = at
    while start > 0 and at - start < 24 and (low[start - 1].isalnum() or low[start - 1] in "-_"):
        start -= 1
    return low.startswith("--", start)


def _value(text: str, at: int, name_at: int) -> tuple[int, int, bool]:
    """Begin and end of the value at ``at``, and whether it stands in quotation marks of its own."""
    quoted = end_of_quoted(text, at)
    if quoted is not None:
        return (*quoted, True)
    return at, end_of_bare(text, at, name_at), False


def _spans(text: str, low: str, stem: str, found: re.Match[str]) -> Iterator[Span]:
    """The secrets of the name that was ``found``; there are two where a plan tells the old one and the new one."""
    at, ends, separator = found.start(), found.end(), found["sep"]
    password = NAMES[stem].password
    if not _is_name(text, low, at) or _is_ours(low, at) or (separator == " :" and text[ends : ends + 1] == "'"):
        return
    named = None if found["assign"] else _paired(text, low, at, found.start("quote"))
    if named is not None:
        ends, separator = named, ":"
    strict = named is None and not found["assign"] and separator[0] not in "<>"
    if strict and separator.isspace() and (_is_commanded(low, at) or _is_flag(low, at)):
        if separator != " ":
            return
        strict = False
    elif strict and separator[0] == "," and _is_flag(low, at):
        strict = False
    elif strict and separator.isspace() and not (password and text[ends : ends + 1] in "\"'"):
        return
    kind = "password" if password else "secret"
    if separator[-1] in "=:" and closes(text, ends, found.end("quote")):
        return
    for _ in range(2):
        start, stop, quoted = _value(text, ends, at)
        written = text[at : found.start("quote")]
        if start == stop or not _counts(text[start:stop], written, separator, password, quoted, strict):
            return
        if not quoted:
            stop = end_of_long(text, start, stop)
        yield start, stop, kind
        following = _ONE_MORE.match(text, stop + quoted)
        if following is None:
            return
        ends = following.end()


def _counts(value: str, written: str, separator: str, password: bool, quoted: bool, strict: bool) -> bool:
    """Whether the value is a secret and not code: ``privateKey: ed25519Seed`` names a variable."""
    if strict:
        return len(value) >= 6 and not is_reference(value) and not in_words(value) and generated(value)
    glued = not any(map(str.isspace, separator))
    environment = separator == "=" and written.isupper()
    if separator == "=" and written in ("token", "secret") and UUID.fullmatch(value):
        return True
    if password:
        return is_password(value, quoted=quoted, environment=environment, glued=glued and separator != ":")
    return is_token(value, literal=quoted or environment or separator[0] in "<>")


def _paired(text: str, low: str, at: int, ends: int) -> int | None:
    """Where the value begins in the field beside the one that holds the name."""
    beside = text[ends : ends + 240]
    if not any(map(beside.__contains__, _PAIRED)) or _NAMED.search(low, max(0, at - 60), at) is None:
        return None
    match = _PAIR.match(text, ends)
    return match.end() if match is not None else None


def in_small_letters(text: str) -> str:
    """The text in small letters, each of them where it stood."""
    low = text.lower()
    if len(low) != len(text):  # a few capitals grow when lowered
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low


def stems_in(low: str) -> list[str]:
    """The keys of ``NAMES`` that stand in a text in small letters."""
    if low.isascii() or _OTHER_SCRIPTS.search(low) is None:
        return [stem for stem in _IN_ASCII if stem in low]
    return [stem for stem in NAMES if stem in low]


def find_assignments(text: str, low: str, stems: list[str]) -> Iterator[Span]:
    """The values of names that tell of a secret, of the kinds ``password`` and ``secret``.

    ``low`` is ``text`` in small letters, and ``stems`` what stands in it of ``NAMES``.
    """
    for stem in stems:
        search = _PATTERNS[stem].search
        found = search(low)
        while found is not None:
            at = found.start() + 1
            for span in _spans(text, low, stem, found):
                yield span
                at = max(at, span[1])
            found = search(low, at)
