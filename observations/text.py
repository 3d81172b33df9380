"""Cleaning at the door: what may stand in the text of an observation.

Observed text later reaches a terminal, a JSON file and a prompt, so what hides or steers (escape sequences, direction
overrides, invisible characters, the tag characters that spell instructions nobody sees) ends here.
"""

from __future__ import annotations

import re

from mind_skills.observations.redaction import redact

CUT = "\n[...]\n"
_MARGIN = 8 * 1024
"""Text beyond limit + margin at either end can never be shown, so the middle of huge outputs is not even scanned.
Half of it holds the longest secret there is a rule for, a private key of 4096 bits (3.3 kB)."""

_LINE_ENDS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS: titles, links
    "|\x1b[ -/]*[0-~]?"
)
_ASCII_JUNK = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_JUNK = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    "\U0003fffe-\U0010ffff]"
)
"""Controls, format characters, variation selectors, blanks that are none, private use, and everything beyond the planes
in use, which holds the tag characters."""


def strip(text: str) -> str:
    """``text`` without control (but newline and tab), escape, bidi, zero-width and tag characters, and lone surrogates.

    Carriage returns and the Unicode line ends become newlines, so that a progress bar is lines, not one long line.
    """
    if text.isascii():
        if _ASCII_JUNK.search(text) is None:
            return text
        junk = _ASCII_JUNK
    else:
        junk = _JUNK
        if junk.search(text) is None and "\u2028" not in text and "\u2029" not in text:
            return text
    text = _LINE_ENDS.sub("\n", text)
    if "\x1b" in text or junk is _JUNK:
        text = _ESCAPES.sub("", text)
    return junk.sub("", text)


def bound(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters: what is too long keeps its head and, a little more, its tail.

    The tail of a tool's output is where the error stands.
    """
    if len(text) <= limit:
        return text
    room = limit - len(CUT)
    if room < 2:
        return text[: max(0, limit)]
    head = room * 2 // 5
    return text[:head] + CUT + text[len(text) - (room - head) :]


def clean(text: str, limit: int) -> str:
    """``text`` stripped, redacted, and then at most ``limit`` characters, so that no secret is cut out of its rule's sight."""
    keep = max(0, limit) + _MARGIN
    if len(text) <= 2 * keep:
        return bound(redact(strip(text)), limit)
    head, tail = redact(strip(text[:keep])), redact(strip(text[-keep:]))
    # A secret cut by the margin itself stands at the inner edge; where redaction shrank the text that edge could show.
    head = head[: max(0, len(head) - _MARGIN // 2)]
    tail = tail[min(len(tail), _MARGIN // 2) :]
    return bound(head + CUT + tail, limit)
