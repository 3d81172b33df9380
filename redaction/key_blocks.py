"""Private keys in PEM and PGP armour, of many lines or on one line with escapes, whole or cut off at either end.

Editors, readers and comparisons put something before each line: its number, a bar, ``-``, ``+``, ``>``, ``#``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from mind_skills.redaction.lazy_pattern import compile_later

_HINTS = ("PRIVATE KEY", "Static key V1")
"""Every block holds one of these."""
_NAMED = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)"
_BEGIN = compile_later(rf"-----BEGIN {_NAMED}-----|---- BEGIN {_NAMED} ----")
_END = compile_later(rf"-----END {_NAMED}-----|---- END {_NAMED} ----")
_BEFORE = (
    r"(?:[\w.~/-]{1,120}?[:-][0-9]{1,6}[:-](?=[A-Za-z0-9+/]))?[ \t]*+"
    r"(?:[0-9]{1,6}[ \t]*+[:|→│.)]|[0-9]{1,6}[ \t]++(?=\S))?[ \t]*+(?:[-+>#*|;,\"']{1,3}[ \t]*+)?"
)
"""What stands before a line of a key."""
_COLOUR = r"(?:\[[0-9;]{0,8}m)?"
_KEY_BODY = compile_later(
    r"(?:(?:\\[nr]|[\s\"',>|]|\[[0-9;]{0,8}m)*+"
    rf"(?:(?<=[\s\]m]){_COLOUR}{_BEFORE}(?=[A-Za-z0-9+/=]{{16}}))?"
    r"(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{1,80}+))*+"
)
_TAIL = compile_later(
    rf"(?:\\[nr]|[\s\"',]){{0,80}}+{_BEFORE}(?=[A-Za-z]{{0,14}}[0-9=+/])[A-Za-z0-9+/=]{{1,15}}(?=[\"',]{{0,2}}[ \t]*(?:\\[nr]|[\r\n]|\Z))"
)
"""The last line of a key is shorter; of letters only it might as well be a word."""
_BASE64 = compile_later(r"[A-Za-z0-9+/=]{1,76}")
_LINE = compile_later(rf"{_COLOUR}{_BEFORE}(?P<body>[A-Za-z0-9+/=]{{1,76}})[\"',\\n]{{0,4}}{_COLOUR}\s*+\Z")
_BODY = 32
"""Fewer characters of key than this after BEGIN are a mention of the marker, not a key."""
_LINES = 400
"""Lines before an END without a BEGIN that are looked at: a key of 16,384 bits has 200."""

Part = tuple[int, int]


def may_hold_keys(text: str) -> bool:
    """Whether a marker of a key could be in a text."""
    return any(map(text.__contains__, _HINTS))


def find_key_blocks(text: str) -> Iterator[Part]:
    """Where private keys stand; a certificate or a mere mention of the marker is none.

    What stands around a block may be one as well: a key that was pasted into another. So a marker that begins none yet is
    kept open, and all of them are settled in one go, however deep they stand in each other.
    """
    markers = _markers(text)
    opened: list[Part] = []
    done = 0
    for marker, following in zip_longest(markers, markers[1:]):
        start, done = max(marker.start(), done), marker.end()
        if _END.match(marker[0]):
            if opened and marker.start() - opened[-1][1] >= _BODY:
                yield opened.pop()[0], marker.end()
            else:
                opened.clear()
            continue
        if following is None or not _END.match(following[0]):
            stop = _body(text, done, following.start() if following is not None else len(text))
            if stop - done >= _BODY:
                yield start, stop
                done = stop
                continue
        opened.append((start, done))
    yield from _headless(text)


def _body(text: str, start: int, limit: int) -> int:
    """Where the key ends that begins at ``start`` and has no END."""
    run = _KEY_BODY.match(text, start, limit)
    stop = run.end() if run is not None else start
    if stop - start >= _BODY and (last := _TAIL.match(text, stop, limit)) is not None:
        return last.end()
    return stop


def _markers(text: str) -> list[re.Match[str]]:
    """Every BEGIN and END. An END that takes the dashes of a BEGIN before it for its own is none; the other way round both
    are, and the dashes stand in the text once.
    """
    found: list[re.Match[str]] = []
    for marker in sorted((*_BEGIN.finditer(text), *_END.finditer(text)), key=lambda marker: marker.start()):
        if not found or marker.start() >= found[-1].end() or _BEGIN.match(marker[0]):
            found.append(marker)
    return found


def _headless(text: str) -> Iterator[Part]:
    """Keys whose BEGIN was cut off: the base64 lines before each END go with it."""
    begin = _BEGIN.search(text)
    since = 0
    for end in _END.finditer(text):
        if begin is not None and begin.start() < end.start():
            break
        stop = start = text.rfind("\n", since, end.start()) + 1 or since
        length = 0
        for _ in range(_LINES):
            if start <= since:
                break
            before = text.rfind("\n", since, start - 1) + 1 or since
            line = _LINE.match(text, before, start)
            if line is None:
                break
            length += len(line["body"])
            start = before
        if length >= _BODY and start < stop:
            yield start, end.end()
        elif end.start() - stop >= _BODY and _BASE64.match(text, stop, end.start()):
            yield stop, end.end()
        since = end.end()
