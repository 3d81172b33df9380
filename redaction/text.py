"""Cleaning at the door: what may stand in the text of an observation.

Observed text later reaches a terminal, a JSON file and a prompt, so what hides or steers (escape sequences, direction
overrides, invisible characters, the tag characters that spell instructions nobody sees) ends here.
"""

from __future__ import annotations

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.secrets import redact

CUT = "\n[...]\n"
_MARGIN, _NEAR = 8 * 1024, 1024
"""Text so far beyond what can be shown is not even scanned, and what is scanned beyond it is dropped by half, so that no
secret is shown of which the rest was not seen. The near margin goes to the end of a line, since no other secret goes on
behind one; half of the large one, which is the most for a line, holds a private key of 4096 bits (3.3 kB)."""
_WORD = 40
"""Characters of a word at most. A line of base64 is none, and is cut anywhere."""
_LINES = ("PRIVATE KEY", "Private-Lines:", '"kty')
"""What stands in the secrets of many lines, and may stand far from them."""

_LINE_ENDS = ("\r\n", "\r", "\u0085", "\u2028", "\u2029")
_ESCAPES = compile_later(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS: titles, links
    "|\x1b[ -/]*[0-~]?"
)
_INTRODUCERS = compile_later("[\x1b\x90\x98\x9b\x9d-\x9f]")
"""What an escape sequence begins with."""
_HARMLESS = b"\t\n" + bytes(range(0x20, 0x7F))
_JUNK = compile_later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    "\U0003fffe-\U0010ffff]"
)
"""Controls, format characters, variation selectors, blanks that are none, private use, and everything beyond the planes
in use, which holds the tag characters."""


def _head(limit: int) -> int:
    """How many characters of the head stay of a text that is too long."""
    return max(0, limit - len(CUT)) * 2 // 5


def strip(text: str) -> str:
    """``text`` without control (but newline and tab), escape, bidi, zero-width and tag characters, and lone surrogates.

    Carriage returns and the Unicode line ends become newlines, so that a progress bar is lines, not one long line.
    """
    if len(text) < 100 and text.isascii() and text.isprintable():
        return text
    rest = text.encode("utf-8", "surrogatepass").translate(None, _HARMLESS)  # nearly always nothing, and soon found
    if not rest:
        return text
    odd = rest.decode("utf-8", "surrogatepass")
    if _JUNK.search(odd) is None and "\u2028" not in odd and "\u2029" not in odd:
        return text
    for end in _LINE_ENDS:
        if end in text:
            text = text.replace(end, "\n")
    text = without_escapes(text, odd)
    for junk in set(_JUNK.findall(odd)):
        text = text.replace(junk, "")
    return text


def without_escapes(text: str, odd: str = "") -> str:
    """``text`` without the sequences that steer a terminal; ``odd`` are its characters beside printable ASCII, where known."""
    if "\x1b" in text or (not text.isascii() and _INTRODUCERS.search(odd or text)):
        return _ESCAPES.sub("", text)
    return text


def bound(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters: what is too long keeps its head and, a little more, its tail.

    The tail of a tool's output is where the error stands. No word is cut, since its half may be another word.
    """
    if len(text) <= limit:
        return text
    room = limit - len(CUT)
    if room < 2:
        return text[: max(0, limit)]
    head = _head(limit)
    return text[: _word_at(text, head)[0]] + CUT + text[_word_at(text, len(text) - (room - head))[1] :]


def _word_at(text: str, place: int) -> tuple[int, int]:
    """Where the word begins and ends in which this place lies; the place itself where it lies in none."""
    begin = end = place
    if 0 < place < len(text) and _of_word(text[place]):
        while begin > max(0, place - _WORD) and _of_word(text[begin - 1]):
            begin -= 1
        while begin < place and end < min(len(text), begin + _WORD + 1) and _of_word(text[end]):
            end += 1
    return (begin, end) if end - begin <= _WORD else (place, place)


def _of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def clean(text: str, limit: int) -> str:
    """``text`` stripped, redacted, and then at most ``limit`` characters, so that no secret is cut out of its rule's sight."""
    if len(text) <= limit:
        return bound(redact(strip(text)), limit)
    return shown(ends(text, limit), limit)


Ends = tuple[str] | tuple[str, str]
"""What has to be kept of a text to clean it later: all of it or its two ends, stripped and not redacted."""


def short(text: str, limit: int) -> bool:
    """Whether ``ends`` keeps all of a text."""
    return len(text) <= max(0, limit) + 2 * _NEAR


def bearable(text: str, limit: int) -> bool:
    """Whether a text is no longer than half of what ``ends`` may keep, so that it can as well be kept as it is."""
    return len(text) <= max(0, limit) + _MARGIN


def ends(text: str, limit: int) -> Ends:
    """What ``shown`` needs of a text: at most some eight thousand characters beyond ``limit`` at either end, mostly one thousand."""
    if short(text, limit):
        return (strip(text),)
    far = max(0, limit) + _MARGIN
    if len(text) > 2 * far:
        head, tail = strip(text[:far]), strip(text[-far:])
    else:
        head = tail = strip(text)
    near = head[: limit + _MARGIN // 2] + tail[-limit - _MARGIN // 2 :]
    if any(map(near.__contains__, _LINES)):
        return (head,) if tail is head else (head, tail)
    first, last = _line_after(head, _head(limit) + _NEAR), _line_before(tail, len(tail) - limit + _head(limit) - _NEAR)
    return (head,) if tail is head and first >= last else (head[:first], tail[last:])


def _line_after(text: str, place: int) -> int:
    """Where the line ends that holds this place, or what is scanned at most."""
    found = text.find("\n", place, place + _MARGIN - _NEAR)
    return found + 1 if found >= 0 else place + _MARGIN - _NEAR


def _line_before(text: str, place: int) -> int:
    """Where the line begins that holds this place, or what is scanned at most."""
    least = max(0, place - _MARGIN + _NEAR)
    found = text.rfind("\n", least, max(0, place))
    return found + 1 if found >= 0 else least


def shown(held: Ends, limit: int) -> str:
    """The redacted and bounded text of which these are the ends."""
    if len(held) == 1:
        return bound(redact(held[0]), limit)
    # A secret cut by the margin itself stands at the inner edge; where redaction shrank the text that edge could show.
    head, tail = (redact(part) for part in held)
    head = head[: max(0, len(head) - max(0, len(held[0]) - _head(limit)) // 2)]
    tail = tail[min(len(tail), max(0, len(held[1]) - limit + _head(limit)) // 2) :]
    return bound(head + CUT + tail, limit)
