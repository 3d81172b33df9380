"""Private keys in PEM and PGP armour, of many lines or on one line with escapes, whole or cut off at either end."""

from __future__ import annotations

import re

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
    """``text`` with every private key replaced; a certificate or a mere mention of the marker stays."""
    begins = list(_BEGIN.finditer(text))
    ends = [(end.start(), end.end()) for end in _END.finditer(text)]
    parts: list[str] = []
    done = passed = 0
    for at, begin in enumerate(begins):
        limit = begins[at + 1].start() if at + 1 < len(begins) else len(text)
        while passed < len(ends) and ends[passed][0] < begin.end():
            passed += 1
        if passed < len(ends) and ends[passed][0] < limit:
            body_end, stop = ends[passed]
        else:
            run = _KEY_BODY.match(text, begin.end(), limit)
            body_end = stop = run.end() if run is not None else begin.end()
        if body_end - begin.end() >= _BODY:
            parts += [text[done : begin.start()], mark("private-key")]
            done = stop
    return _headless("".join([*parts, text[done:]]))


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
