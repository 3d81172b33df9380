"""Finds generated passwords: by their form alone if it is unambiguous, otherwise only near a word that announces a password.

An unambiguous form mixes lower case, upper case and symbols, and contains few letter pairs of ordinary words; in 100,000 lines of
sessions, only passwords had this form. A token with fewer symbols or kinds of characters, or with symbols that also occur in names
(``- _ . + =``), is a password only if it directly follows an option, or if an announcing word (random_tokens.py) is near it on its
line, or on the previous line if the token is the first on its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from mind_skills.redaction.assignments import lower_preserving_offsets
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.random_tokens import (
    ANNOUNCEMENT,
    compute_explained_share,
    is_file_name,
    is_harmless,
    is_public_label,
)
from mind_skills.redaction.values import is_code, is_reference, is_wordlike

_CHARACTERS = "A-Za-z0-9!@#$%^&*~_+=.-"
_TOKEN = compile_lazily(
    rf"(?<![{_CHARACTERS}])(?=[A-Za-z_+=.-]*+[0-9!@#$%^&*~])[{_CHARACTERS}]{{8,64}}+(?![{_CHARACTERS}])"
)
_STRONG_SYMBOL = compile_lazily(r"[!@#$%^&*~]")
"""A symbol that occurs neither in names nor in base64."""
_SYMBOL = compile_lazily(r"[^A-Za-z0-9]")
_EMPHASIS = "*~_"
_EMPHASIS_ENDS = ("**", "__", "~~")
_ASSIGNED = compile_lazily(r"([A-Za-z][A-Za-z_.-]{1,30}[0-9]?)=")
_ADDRESS = compile_lazily(
    r"[\w.+-]+@(?:[a-z0-9-]+|[A-Z][a-z]+)(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\Z|[@\w-]+(?:/[\w-]+)?@(?:\^?~?v?\d+\.[\w.+-]*|[0-9a-f]{7,40})\Z"
)
"""An e-mail address, or a package with its version."""
_HARMLESS = compile_lazily(
    r"#[0-9a-fA-F]{3,8}\b|[0-9A-Fa-f.:_-]+\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}|.*M-\S{1,2}M-|[A-Za-z]+\Z"
)
"""Colours, hexadecimal digits, dates, words, and bytes as written by ``cat -v``."""
_PLAIN_NAME = compile_lazily(r"[&*!@~]*[A-Za-z]+[0-9]*(?:[-_.=+](?:[A-Za-z]++[0-9]*+|[0-9]++[A-Za-z]{0,2}+|))*+\Z")
"""A name whose parts may end in numbers, after any symbols that may precede a name in code."""
_DIGITS = compile_lazily(r"[0-9]+")
_MAX_MIXED_SHARE, _MAX_NEAR_SHARE = 0.6, 0.5
"""Maximum share of explained pairs (random_tokens.py) in a token that mixes case and symbols, and in a token that need not directly
follow its announcing word."""
_MAX_STRICT_SHARE = 0.3
"""Maximum share of explained pairs in a token with words or with few symbols."""
_MIN_PAIRS = 4
_MIN_LENGTH = 8
_REACH_BEFORE, _REACH_AFTER = 80, 24
_OPTION = compile_lazily(r"(?:\s-[A-Za-z]\s?|\s/[a-z]+:|[\w.]:|\w%)[\"']?\Z")
"""An option of a command, or a user name, directly before a value."""
_OPTION_SYMBOL_REACH = 4
"""Number of characters at the end of an option that contain its dash, colon or percent sign."""
_DIRECTLY_AFTER = compile_lazily(r"[\w'’ .-]{0,24}[\"'`)\]]{0,2}\s{0,8}(?:[:=：>]|=>)?\s{0,8}[\"'`]{0,3}\Z")
_LINE_PREFIX = compile_lazily(r"[\s\"'|>*-]*(?:[a-z]+\([0-9]+\) \"?)?\Z")


def find_passwords(text: str, long_words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of passwords in a text. ``long_words`` are the text's blank-separated words of at least eight characters."""
    # Most words are in lower case. Matching an expression against each of them would cost as much as all other rules.
    mixed = [word for word in long_words if word.lower() != word != word.upper() and "://" not in word]
    if not mixed:
        return
    ratings = {token: rating for token in set(_TOKEN.findall(" ".join(mixed))) if (rating := _rate_token(token))}
    if not ratings:
        return
    announcements = (
        [word.span() for word in ANNOUNCEMENT.finditer(lower_preserving_offsets(text))]
        if min(ratings.values()) < 3
        else []
    )
    for match in _TOKEN.finditer(text):
        rating = ratings.get(match[0], 0)
        if rating and (rating == 3 or _is_announced(match, rating, announcements)):
            start = match.start() + _find_value_offset(match[0])
            yield start, match.end() - (len(match[0]) - len(match[0].rstrip(".")))


def _find_value_offset(token: str) -> int:
    """Return the offset of the value in a token like ``name=value``; 0 if the token has no name."""
    name = _ASSIGNED.match(token)
    return name.end() if name and (name.end() < 6 or name[1].islower() or is_wordlike(name[1])) else 0


def _rate_token(token: str) -> int:
    """Return how clearly a token is a password.

    3: always a password. 2: a password if a nearby word or a preceding option announces it. 1: a password if a word directly before
    it announces it. 0: never a password.
    """
    if token.isidentifier() and len(_DIGITS.findall(token)) < 3:  # most tokens
        return 0
    token = token[_find_value_offset(token) :].rstrip(".")
    if token.endswith(_EMPHASIS_ENDS) and token.rstrip(_EMPHASIS).isalpha():
        return 0  # the last word of a sentence that Markdown emphasises
    token = token.strip(_EMPHASIS) if token[:1] in _EMPHASIS else token
    if len(token) < _MIN_LENGTH or token.isdigit() or _HARMLESS.match(token):
        return 0
    symbols, is_strong = _SYMBOL.findall(token), _STRONG_SYMBOL.search(token) is not None
    is_mixed_case = token.upper() != token != token.lower()
    if not is_mixed_case and not (is_strong and len(symbols) > 1 and _DIGITS.search(token)):
        return 0
    if (
        not _STRONG_SYMBOL.search(token, 1)
        and _PLAIN_NAME.match(token)
        and (len(set(symbols)) < 2 or token[0] in "&*!@~")
    ):
        return 0
    if not is_strong and not symbols and len(_DIGITS.findall(token)) < 3:
        return 0
    if is_reference(token) or is_harmless(token) or _ADDRESS.match(token):
        return 0
    digits = sum(map(str.isdigit, token))
    share, has_words, is_mixed = (
        compute_explained_share(token, _MIN_PAIRS),
        is_wordlike(token),
        is_mixed_case and len(symbols) > 1,
    )
    is_sure = (
        share <= (_MAX_STRICT_SHARE if has_words else _MAX_MIXED_SHARE)
        if is_mixed
        else not has_words and digits > 1 and share <= _MAX_STRICT_SHARE
    )
    if is_mixed_case and is_strong and len(token) > _MIN_LENGTH + 1 and is_sure:
        return 3
    if (has_words and share > _MAX_MIXED_SHARE) or (
        not is_strong and share > _MAX_STRICT_SHARE and is_file_name(token)
    ):
        return 0
    if not (is_mixed and len(set(symbols)) > 1 and share <= _MAX_MIXED_SHARE):
        is_short = len(token) < _MIN_LENGTH + 4 and not is_strong and len(set(symbols)) == 1
        if is_short or has_words or is_code(token) or (len(set(symbols)) < 2 and _PLAIN_NAME.match(token)):
            return 0
    return 2 if share <= _MAX_NEAR_SHARE else 1


def _is_announced(match: re.Match[str], rating: int, announcements: Sequence[tuple[int, int]]) -> bool:
    """Return whether an option or one of the ``announcements`` (spans of announcing words) is close enough to a token of this rating."""
    text, start = match.string, match.start()
    start_before = max(0, start - _REACH_BEFORE, text.rfind("\n", 0, start) + 1)
    line = text[start_before:start]
    if is_public_label(line):
        return False
    may_follow_option = rating > 1 and any(symbol in line[-_OPTION_SYMBOL_REACH:] for symbol in "-:%")
    if may_follow_option and _SYMBOL.search(match[0]) and _OPTION.search(line[-_REACH_AFTER:]):
        return True
    if start_before > start - _REACH_BEFORE and _LINE_PREFIX.match(line):
        previous_text = text[max(0, start - _REACH_BEFORE) : start_before].rstrip(" \t\r\n\"'|>*-")
        start_before = max(0, start - _REACH_BEFORE) + previous_text.rfind("\n") + 1
    value_start = start + _find_value_offset(match[0])
    for index in range(bisect_left(announcements, (start_before, 0)), len(announcements)):
        word_start, word_end = announcements[index]
        if word_start >= match.end() + _REACH_AFTER:
            return False
        if word_end <= value_start and (rating > 1 or _DIRECTLY_AFTER.fullmatch(text, word_end, value_start)):
            return True
        if word_start >= match.end() and rating > 1:
            return "\n" not in text[match.end() : word_start]
    return False
