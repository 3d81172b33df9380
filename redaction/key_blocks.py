"""Finds private keys in PEM and PGP armour: on several lines, or on one line with escapes; complete, or truncated at either end.

Editors, file readers and diffs may add a prefix to each line: a number, a bar, ``-``, ``+``, ``>``, ``#``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from mind_skills.redaction.lazy_pattern import compile_lazily

_HINTS = ("PRIVATE KEY", "Static key V1")
"""Every marker contains one of these."""
_KEY_LABEL = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)"
_BEGIN = compile_lazily(rf"-----BEGIN {_KEY_LABEL}-----|---- BEGIN {_KEY_LABEL} ----")
_END = compile_lazily(rf"-----END {_KEY_LABEL}-----|---- END {_KEY_LABEL} ----")
_LINE_PREFIX = (
    r"(?:[\w.~/-]{1,120}?[:-][0-9]{1,6}[:-](?=[A-Za-z0-9+/]))?[ \t]*+"
    r"(?:[0-9]{1,6}[ \t]*+[:|→│.)]|[0-9]{1,6}[ \t]++(?=\S))?[ \t]*+(?:[-+>#*|;,\"']{1,3}[ \t]*+)?"
)
"""The prefix that a tool may have added to a line of a key."""
_COLOUR = r"(?:\[[0-9;]{0,8}m)?"
_KEY_BODY = compile_lazily(
    r"(?:(?:\\[nr]|[\s\"',>|]|\[[0-9;]{0,8}m)*+"
    rf"(?:(?<=[\s\]m]){_COLOUR}{_LINE_PREFIX}(?=[A-Za-z0-9+/=]{{16}}))?"
    r"(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{1,80}+))*+"
)
_LAST_LINE = compile_lazily(
    rf"(?:\\[nr]|[\s\"',]){{0,80}}+{_LINE_PREFIX}(?=[A-Za-z]{{0,14}}[0-9=+/])"
    r"[A-Za-z0-9+/=]{1,15}(?=[\"',]{0,2}[ \t]*(?:\\[nr]|[\r\n]|\Z))"
)
"""The last line of a key, which is shorter. It must not consist of letters alone, because these could be a word."""
_BASE64 = compile_lazily(r"[A-Za-z0-9+/=]{1,76}")
_LINE = compile_lazily(rf"{_COLOUR}{_LINE_PREFIX}(?P<body>[A-Za-z0-9+/=]{{1,76}})[\"',\\n]{{0,4}}{_COLOUR}\s*+\Z")
_MIN_BODY_LENGTH = 32
"""Minimum number of characters of key data. A marker with less key data is a mere mention."""
_MAX_LINES = 400
"""Maximum number of lines that are checked before an END without a BEGIN. A 16,384-bit key has 200."""

Span = tuple[int, int]


def may_contain_private_keys(text: str) -> bool:
    """Return whether a text may contain a key marker."""
    return any(map(text.__contains__, _HINTS))


def find_key_blocks(text: str) -> Iterator[Span]:
    """Yield the spans of private keys, but not of certificates, or of markers that are only mentioned.

    Keys are nested if one was pasted into another. A BEGIN is pending until its END, so that one pass handles any depth. If a BEGIN
    is followed by key data but not by an END, the key ends where the data ends.
    """
    markers = _find_markers(text)
    pending: list[Span] = []
    position = 0
    for marker, next_marker in zip_longest(markers, markers[1:]):
        start, position = max(marker.start(), position), marker.end()
        if _END.match(marker[0]):
            if pending and marker.start() - pending[-1][1] >= _MIN_BODY_LENGTH:
                yield pending.pop()[0], marker.end()
            else:
                pending.clear()
            continue
        if next_marker is None or not _END.match(next_marker[0]):
            stop = _find_body_end(text, position, next_marker.start() if next_marker is not None else len(text))
            if stop - position >= _MIN_BODY_LENGTH:
                yield start, stop
                position = stop
                continue
        pending.append((start, position))
    yield from _find_headless_blocks(text)


def _find_body_end(text: str, start: int, limit: int) -> int:
    """Return the end of a key without an END, whose data begins at ``start``."""
    body = _KEY_BODY.match(text, start, limit)
    stop = body.end() if body is not None else start
    if stop - start >= _MIN_BODY_LENGTH and (tail := _LAST_LINE.match(text, stop, limit)) is not None:
        return tail.end()
    return stop


def _find_markers(text: str) -> list[re.Match[str]]:
    """Return all BEGIN and END markers in order.

    An END that shares its dashes with a preceding BEGIN is dropped; a BEGIN that shares its dashes with a preceding END is not.
    """
    markers: list[re.Match[str]] = []
    for marker in sorted((*_BEGIN.finditer(text), *_END.finditer(text)), key=lambda marker: marker.start()):
        if not markers or marker.start() >= markers[-1].end() or _BEGIN.match(marker[0]):
            markers.append(marker)
    return markers


def _find_headless_blocks(text: str) -> Iterator[Span]:
    """Yield the spans of keys whose BEGIN was cut off: each END before the first BEGIN, and the base64 lines before that END."""
    begin = _BEGIN.search(text)
    previous_end = 0
    for end in _END.finditer(text):
        if begin is not None and begin.start() < end.start():
            break
        stop = start = text.rfind("\n", previous_end, end.start()) + 1 or previous_end
        length = 0
        for _ in range(_MAX_LINES):
            if start <= previous_end:
                break
            line_start = text.rfind("\n", previous_end, start - 1) + 1 or previous_end
            line = _LINE.match(text, line_start, start)
            if line is None:
                break
            length += len(line["body"])
            start = line_start
        if length >= _MIN_BODY_LENGTH and start < stop:
            yield start, end.end()
        elif end.start() - stop >= _MIN_BODY_LENGTH and _BASE64.match(text, stop, end.start()):
            yield stop, end.end()
        previous_end = end.end()
