"""Generated passwords, known by their looks: alone where nothing else is written so, and else beside a word that tells of one.

Small letters, capitals and signs mixed, with hardly a pair of letters that words have: in 100,000 lines of sessions nothing
else looked so but what was one. With fewer signs or classes, or with signs that names have as well (``- _ . + =``), a telling
word (random_tokens.py) on the line, or on the one before where nothing else stands on this one, has to say so, or the option of
a command in front.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from mind_skills.redaction.assignments import in_small_letters
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.random_tokens import TELLING, explained, is_file, is_harmless, opens_nothing
from mind_skills.redaction.values import in_words, is_code, is_reference

_CLASS = "A-Za-z0-9!@#$%^&*~_+=.-"
_TOKEN = compile_later(rf"(?<![{_CLASS}])(?=[A-Za-z_+=.-]*+[0-9!@#$%^&*~])[{_CLASS}]{{8,64}}+(?![{_CLASS}])")
_STRONG = compile_later(r"[!@#$%^&*~]")
"""Signs that neither names nor base64 have."""
_SIGN = compile_later(r"[^A-Za-z0-9]")
_EMPHASIS = "*~_"
_ASSIGNED = compile_later(r"([A-Za-z][A-Za-z_.-]{1,30}[0-9]?)=")
_ADDRESS = compile_later(
    r"[\w.+-]+@(?:[a-z0-9-]+|[A-Z][a-z]+)(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\Z|[@\w-]+(?:/[\w-]+)?@(?:\^?~?v?\d+\.[\w.+-]*|[0-9a-f]{7,40})\Z"
)
"""An e-mail address, or a package with its version."""
_HARMLESS = compile_later(
    r"#[0-9a-fA-F]{3,8}\b|[0-9A-Fa-f.:_-]+\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}|.*M-\S{1,2}M-|[A-Za-z]+\Z"
)
"""Colours, hexadecimal digits, dates, words, and what stands for other bytes."""
_PLAIN = compile_later(r"[&*!@~]*[A-Za-z]+[0-9]*(?:[-_.=+](?:[A-Za-z]++[0-9]*+|[0-9]++[A-Za-z]{0,2}+|))*+\Z")
"""Names whose parts end in numbers, behind the signs that code has before a name."""
_DIGITS = compile_later(r"[0-9]+")
_SURE, _NEAR = 0.6, 0.5
"""Shares of explained pairs up to which a token with many signs, and one with few, looks generated."""
_APART = 0.3
_LEAST = 4
_SHORTEST = 8
_REACH, _BEHIND = 80, 24
_OPTION = compile_later(r"(?:\s-[A-Za-z]\s?|\s/[a-z]+:|[\w.]:|\w%)[\"']?\Z")
"""The option of a command, or a user's name, right before a value."""
_SIGNED = 4
"""Characters at the end within which an option has its sign."""
_RIGHT_BEHIND = compile_later(r"[\w'’ .-]{0,24}[\"'`)\]]{0,2}\s{0,8}(?:[:=：>]|=>)?\s{0,8}[\"'`]{0,3}\Z")
_ALONE = compile_later(r"[\s\"'|>*-]*(?:[a-z]+\([0-9]+\) \"?)?\Z")


def find_passwords(text: str, pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where passwords stand in a text, of which ``pieces`` are the words of eight characters or more."""
    # Most words of a text are in small letters, and looking at each by an expression costs as much as all other rules.
    mixed = [piece for piece in pieces if piece.lower() != piece != piece.upper() and "://" not in piece]
    if not mixed:
        return
    judged = {token: degree for token in set(_TOKEN.findall(" ".join(mixed))) if (degree := _degree(token))}
    if not judged:
        return
    words = [word.span() for word in TELLING.finditer(in_small_letters(text))] if min(judged.values()) < 3 else []
    for match in _TOKEN.finditer(text):
        degree = judged.get(match[0], 0)
        if degree and (degree == 3 or _told(match, degree, words)):
            begin = match.start() + _begins(match[0])
            yield begin, match.end() - (len(match[0]) - len(match[0].rstrip(".")))


def _begins(token: str) -> int:
    """How many characters of a token are a name and its sign before a value."""
    name = _ASSIGNED.match(token)
    return name.end() if name and (name.end() < 6 or name[1].islower() or in_words(name[1])) else 0


def _degree(token: str) -> int:
    """3 for what can only be a password, 2 and 1 for what is one near a telling word and right behind it, else 0."""
    if token.isidentifier() and len(_DIGITS.findall(token)) < 3:  # nearly all of them
        return 0
    token = token[_begins(token) :].rstrip(".")
    token = token.strip(_EMPHASIS) if token[:1] in _EMPHASIS else token
    if len(token) < _SHORTEST or token.isdigit() or _HARMLESS.match(token):
        return 0
    signs, strong = _SIGN.findall(token), _STRONG.search(token) is not None
    cased = token.upper() != token != token.lower()
    if not cased and not (strong and len(signs) > 1 and _DIGITS.search(token)):
        return 0
    if not _STRONG.search(token, 1) and _PLAIN.match(token) and (len(set(signs)) < 2 or token[0] in "&*!@~"):
        return 0
    if not strong and not signs and len(_DIGITS.findall(token)) < 3:
        return 0
    if is_reference(token) or is_harmless(token) or _ADDRESS.match(token):
        return 0
    digits = sum(map(str.isdigit, token))
    share, words, mixed = explained(token, _LEAST), in_words(token), cased and len(signs) > 1
    sure = share <= (_APART if words else _SURE) if mixed else not words and digits > 1 and share <= _APART
    if cased and strong and len(token) > _SHORTEST + 1 and sure:
        return 3
    if (words and share > _SURE) or (not strong and share > _APART and is_file(token)):
        return 0
    if not (mixed and len(set(signs)) > 1 and share <= _SURE):
        brief = len(token) < _SHORTEST + 4 and not strong and len(set(signs)) == 1
        if brief or words or is_code(token) or (len(set(signs)) < 2 and _PLAIN.match(token)):
            return 0
    return 2 if share <= _NEAR else 1


def _told(match: re.Match[str], degree: int, words: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the telling ``words`` of a text, or an option, stands beside a token."""
    text, start = match.string, match.start()
    begin = max(0, start - _REACH, text.rfind("\n", 0, start) + 1)
    line = text[begin:start]
    if opens_nothing(line):
        return False
    optional = degree > 1 and any(sign in line[-_SIGNED:] for sign in "-:%")
    if optional and _SIGN.search(match[0]) and _OPTION.search(line[-_BEHIND:]):
        return True
    if begin > start - _REACH and _ALONE.match(line):
        above = text[max(0, start - _REACH) : begin].rstrip(" \t\r\n\"'|>*-")
        begin = max(0, start - _REACH) + above.rfind("\n") + 1
    value = start + _begins(match[0])
    for at in range(bisect_left(words, (begin, 0)), len(words)):
        word, stop = words[at]
        if word >= match.end() + _BEHIND:
            return False
        if stop <= value and (degree > 1 or _RIGHT_BEHIND.fullmatch(text, stop, value)):
            return True
        if word >= match.end() and degree > 1:
            return "\n" not in text[match.end() : word]
    return False
