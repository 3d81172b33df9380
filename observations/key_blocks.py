"""Private keys in PEM and PGP armour, of many lines or on one line with escapes, whole or cut off at either end."""

from __future__ import annotations

import re
from itertools import zip_longest

from mind_skills.observations.issuers import mark

HINT = "PRIVATE KEY"
"""Every block holds this."""
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(
    r"(?:(?:\\[nr]|[\s\"',>|])*+(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{1,80}+))*+"
)
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{1,76}")
_BODY = 32
"""Fewer characters of key than this after BEGIN are a mention of the marker, not a key."""


def redact_key_blocks(text: str) -> str:
    """``text`` with every private key replaced; a certificate or a mere mention of the marker stays.

    What stands around a block that is gone may be one as well: a key that was pasted into another. So a marker that
    begins none yet is kept open, and all of them are settled in one go, however deep they stand in each other.
    """
    markers = _markers(text)
    written = _Written()
    done = 0
    for marker, following in zip_longest(markers, markers[1:]):
        written.put(text[done : marker.start()])
        behind, done = done, marker.end()
        if marker[0].startswith("-----END"):
            written.close(marker[0])
            continue
        if following is None or not following[0].startswith("-----END"):
            run = _KEY_BODY.match(text, done, following.start() if following is not None else len(text))
            if run is not None and run.end() - done >= _BODY:
                written.put(mark("private-key"))
                done = run.end()
                continue
        written.open(text[max(marker.start(), behind) : done])
    return _headless("".join([*written.parts, text[done:]]))


def _markers(text: str) -> list[re.Match[str]]:
    """Every BEGIN and END. An END that takes the dashes of a BEGIN before it for its own is none; the other way round both
    are, and the dashes stand in the text once.
    """
    found: list[re.Match[str]] = []
    for marker in sorted((*_BEGIN.finditer(text), *_END.finditer(text)), key=lambda marker: marker.start()):
        if not found or marker.start() >= found[-1].end() or marker[0].startswith("-----BEGIN"):
            found.append(marker)
    return found


class _Written:
    """What has been written so far, and which BEGINs of it have no END yet."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._length = 0
        self._opened: list[tuple[int, int]] = []  # how many parts stood before each, and how long all was behind it

    def put(self, piece: str) -> None:
        self.parts.append(piece)
        self._length += len(piece)

    def open(self, begin: str) -> None:
        before = len(self.parts)
        self.put(begin)
        self._opened.append((before, self._length))

    def close(self, end: str) -> None:
        """The key that ends here goes; with hardly anything in it, it is a mention, and what stands before begins no key."""
        if self._opened and self._length - self._opened[-1][1] >= _BODY:
            since, _ = self._opened.pop()
            self._length -= sum(map(len, self.parts[since:]))
            del self.parts[since:]
            self.put(mark("private-key"))
        else:
            self._opened.clear()
            self.put(end)


def _headless(text: str) -> str:
    """Keys whose BEGIN was cut off: the base64 lines before each END go with it."""
    begin = _BEGIN.search(text)
    parts: list[str] = []
    done = since = 0
    for end in _END.finditer(text):
        if begin is not None and begin.start() < end.start():
            break
        lines = text[since : end.start()].split("\n")
        first = len(lines) - 1 if lines[-1] == "" else len(lines)
        while first > 0 and len(line := lines[first - 1].strip()) >= 1 and _BASE64.fullmatch(line):
            first -= 1
        if sum(map(len, lines[first:])) >= _BODY:
            parts += [text[done:since], *(line + "\n" for line in lines[:first]), mark("private-key")]
            done = end.end()
        since = end.end()
    return "".join([*parts, text[done:]])
