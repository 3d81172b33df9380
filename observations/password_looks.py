"""Generated passwords, known by their looks: alone where nothing else is written so, and else beside a word that tells of one.

Small letters, capitals and signs mixed, with hardly a pair of letters that words have: in 100,000 lines of sessions nothing
else looked so but what was one. With fewer signs or classes, or with signs that names have as well (``- _ . + =``), a telling
word (telling_words.py) on the line, or on the one before where nothing else stands on this one, has to say so, or the option of
a command in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mind_skills.observations.random_tokens import explained, is_harmless
from mind_skills.observations.telling_words import TELLING
from mind_skills.observations.values import in_words, is_code, is_reference

_CLASS = "A-Za-z0-9!@#$%^&*~_+=.-"
_TOKEN = re.compile(rf"(?<![{_CLASS}])[{_CLASS}]{{8,64}}+(?![{_CLASS}])")
_STRONG = re.compile(r"[!@#$%^&*~]")
"""Signs that neither names nor base64 have."""
_SIGN = re.compile(r"[^A-Za-z0-9]")
_WRAPPED = re.compile(r"(?:[*~_]{1,3}|[A-Za-z][A-Za-z_.-]{1,30}[0-9]?=)")
"""Emphasis, or a name with its sign, before what is judged."""
_ADDRESS = re.compile(r"[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\Z|[@\w-]+(?:/[\w-]+)?@\^?~?v?\d[\w.+-]*\Z")
"""An e-mail address, or a package with its version."""
_PLAIN = re.compile(r"[0-9A-F-]+\Z|[0-9a-f-]+\Z|[A-Za-z]+[0-9]*(?:[-_.=+][A-Za-z]*[0-9]*)*\Z")
"""Hexadecimal digits, and names whose parts end in numbers."""
_SURE, _NEAR = 0.6, 0.5
"""Shares of explained pairs up to which a token with many signs, and one with few, looks generated."""
_LEAST = 4
_REACH, _BEHIND = 80, 24
_OPTION = re.compile(r"(?:\s-[A-Za-z]|\s/[a-z]+:|[\w.]:|\w%)\s?[\"']?\Z")
"""The option of a command, or a user's name, right before a value."""
_ALONE = re.compile(r"[\s\"'|>*-]*\Z")


def find_passwords(text: str, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where passwords stand in a text, of which ``pieces`` are the words of eight characters or more."""
    candidates = {token for piece in pieces if "://" not in piece for token in _TOKEN.findall(piece)}
    judged = {token: degree for token in candidates if (degree := _degree(token))}
    if not judged:
        return
    for match in _TOKEN.finditer(text):
        degree = judged.get(match[0], 0)
        if degree and (degree == 2 or _told(match)):
            begin = match.start() + _begins(match[0])
            yield begin, match.end() - (len(match[0]) - len(match[0].rstrip(".")))


def _begins(token: str) -> int:
    wrapped = _WRAPPED.match(token)
    return wrapped.end() if wrapped else 0


def _degree(token: str) -> int:
    """2 for what can only be a password, 1 for what is one beside a telling word, else 0."""
    token = token[_begins(token) :].rstrip("*~_.!")if token[:1] in "*~_" else token[_begins(token) :].rstrip(".")
    if len(token) < 8:
        return 0
    lower, upper = token.upper() != token, token.lower() != token
    digits, signs = sum(map(str.isdigit, token)), len(_SIGN.findall(token))
    if lower + upper + bool(digits) < 2 or not (signs or digits > 1):
        return 0
    share = explained(token, _LEAST)
    if share > _SURE or in_words(token) or is_reference(token) or _ADDRESS.match(token):
        return 0
    strong = _STRONG.search(token) is not None
    if strong and lower and upper and len(token) >= 10 and (signs > 1 or (digits > 1 and share <= 0.3)):
        return 2
    if share > _NEAR or _PLAIN.match(token) or is_harmless(token) or is_code(token):
        return 0
    return 1


def _told(match: re.Match[str]) -> bool:
    """Whether a telling word or an option stands beside a token."""
    text, start = match.string, match.start()
    before = text[max(0, start - _REACH) : start]
    line = before.rpartition("\n")[2]
    if _SIGN.search(match[0]) and _OPTION.search(line):
        return True
    if _ALONE.match(line) and "\n" in before:
        line = before.rstrip(" \t\r\n\"'|>*-").rpartition("\n")[2] + line
    return (
        TELLING.search(line + match[0][: _begins(match[0])]) is not None
        or TELLING.search(text[match.end() : match.end() + _BEHIND].partition("\n")[0]) is not None
    )
