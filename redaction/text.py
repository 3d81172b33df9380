"""Cleans the text of observations.

The text later reaches terminals, JSON files and prompts, so everything hidden or active is removed here: escape sequences, direction
overrides, invisible characters, and the tag characters, which can spell invisible instructions.
"""

from __future__ import annotations

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.secrets import redact

CUT_MARKER = "\n[...]\n"
_FAR_MARGIN, _NEAR_MARGIN = 8 * 1024, 1024
"""Maximum and minimum number of characters beyond the limit that are scanned for secrets, at each end. Half of them are dropped
afterwards, so that no part of a secret is shown if another part of it was not scanned. The near margin is extended to the end of a
line, where most secrets end. Half of the far margin has room for a 4096-bit private key (3.3 kB)."""
_MAX_WORD_LENGTH = 40
"""Maximum length of a word that is never cut, in characters. Longer runs, such as base64, may be cut anywhere."""
_MULTILINE_HINTS = ("PRIVATE KEY", "Private-Lines:", '"kty')
"""Hints of secrets that span several lines, and so may begin far from the cut."""

_LINE_ENDS = ("\r\n", "\r", "\u0085", "\u2028", "\u2029")
_ESCAPES = compile_lazily(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS: titles, links
    "|\x1b[ -/]*[0-~]?"
)
_INTRODUCERS = compile_lazily("[\x1b\x90\x98\x9b\x9d-\x9f]")
"""The first characters of escape sequences."""
_HARMLESS = b"\t\n" + bytes(range(0x20, 0x7F))
_HIDDEN_CHARACTERS = compile_lazily(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    "\U0003fffe-\U0010ffff]"
)
"""Control and format characters, variation selectors, invisible spaces, surrogates, private-use characters, noncharacters, and
everything beyond plane 3, which includes the tag characters."""


def _compute_head_length(limit: int) -> int:
    """Return the number of characters that are retained at the head of a text that exceeds the limit."""
    return max(0, limit - len(CUT_MARKER)) * 2 // 5


def strip_controls(text: str) -> str:
    """Remove escape sequences and ``_HIDDEN_CHARACTERS``, such as tag characters and control characters other than newline and tab.

    Carriage returns and Unicode line ends become newlines, so that a progress bar becomes several lines instead of one long line.
    """
    if len(text) < 100 and text.isascii() and text.isprintable():
        return text
    rest = text.encode("utf-8", "surrogatepass").translate(None, _HARMLESS)  # usually empty, and fast
    if not rest:
        return text
    unusual = rest.decode("utf-8", "surrogatepass")
    if _HIDDEN_CHARACTERS.search(unusual) is None and "\u2028" not in unusual and "\u2029" not in unusual:
        return text
    for end in _LINE_ENDS:
        if end in text:
            text = text.replace(end, "\n")
    text = remove_escapes(text, unusual)
    for character in set(_HIDDEN_CHARACTERS.findall(unusual)):
        text = text.replace(character, "")
    return text


def remove_escapes(text: str, unusual: str = "") -> str:
    """Remove escape sequences. ``unusual`` contains the characters of ``text`` that are not in ``_HARMLESS``, if already extracted."""
    if "\x1b" in text or (not text.isascii() and _INTRODUCERS.search(unusual or text)):
        return _ESCAPES.sub("", text)
    return text


def truncate_middle(text: str, limit: int) -> str:
    """Truncate ``text`` to ``limit`` characters, retaining its head and a somewhat longer tail.

    In a tool's output, the error is usually in the tail. Only very long words are cut, because part of a word may be another word.
    """
    if len(text) <= limit:
        return text
    room = limit - len(CUT_MARKER)
    if room < 2:
        return text[: max(0, limit)]
    head = _compute_head_length(limit)
    return text[: _find_word(text, head)[0]] + CUT_MARKER + text[_find_word(text, len(text) - (room - head))[1] :]


def _find_word(text: str, index: int) -> tuple[int, int]:
    """Return the start and end of the word at an index, or the index twice if it is not within a word or the word is long."""
    start = end = index
    if 0 < index < len(text) and _is_word_character(text[index]):
        while start > max(0, index - _MAX_WORD_LENGTH) and _is_word_character(text[start - 1]):
            start -= 1
        while start < index and end < min(len(text), start + _MAX_WORD_LENGTH + 1) and _is_word_character(text[end]):
            end += 1
    return (start, end) if end - start <= _MAX_WORD_LENGTH else (index, index)


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"


def clean_text(text: str, limit: int) -> str:
    """Strip control characters from ``text``, redact it and then truncate it, so that no secret is cut before it is found.

    Only the ends of a long text are processed.
    """
    if len(text) <= limit:
        return truncate_middle(redact(strip_controls(text)), limit)
    return redact_ends(cut_ends(text, limit), limit)


TextEnds = tuple[str] | tuple[str, str]
"""The input of ``redact_ends``: all of a text or its two ends, without control characters but not yet redacted."""


def is_short(text: str, limit: int) -> bool:
    """Return whether a text is so short that ``cut_ends`` always retains all of it."""
    return len(text) <= max(0, limit) + 2 * _NEAR_MARGIN


def is_storable_whole(text: str, limit: int) -> bool:
    """Return whether a text is at most half as long as the maximum that ``cut_ends`` retains, so that it may be stored whole."""
    return len(text) <= max(0, limit) + _FAR_MARGIN


def cut_ends(text: str, limit: int) -> TextEnds:
    """Return the part of a text that ``redact_ends`` needs: at most ``limit`` + 8,192 characters of each end, usually fewer."""
    if is_short(text, limit):
        return (strip_controls(text),)
    far = max(0, limit) + _FAR_MARGIN
    if len(text) > 2 * far:
        head, tail = strip_controls(text[:far]), strip_controls(text[-far:])
    else:
        head = tail = strip_controls(text)
    scanned = head[: limit + _FAR_MARGIN // 2] + tail[-limit - _FAR_MARGIN // 2 :]
    if any(map(scanned.__contains__, _MULTILINE_HINTS)):
        return (head,) if tail is head else (head, tail)
    first, last = (
        _find_line_end(head, _compute_head_length(limit) + _NEAR_MARGIN),
        _find_line_start(tail, len(tail) - limit + _compute_head_length(limit) - _NEAR_MARGIN),
    )
    return (head,) if tail is head and first >= last else (head[:first], tail[last:])


def _find_line_end(text: str, index: int) -> int:
    """Return the end of the line at an index, within the scanned margin."""
    line_break = text.find("\n", index, index + _FAR_MARGIN - _NEAR_MARGIN)
    return line_break + 1 if line_break >= 0 else index + _FAR_MARGIN - _NEAR_MARGIN


def _find_line_start(text: str, index: int) -> int:
    """Return the start of the line at an index, within the scanned margin."""
    minimum = max(0, index - _FAR_MARGIN + _NEAR_MARGIN)
    line_break = text.rfind("\n", minimum, max(0, index))
    return line_break + 1 if line_break >= 0 else minimum


def redact_ends(parts: TextEnds, limit: int) -> str:
    """Redact and truncate a text that ``cut_ends`` returned."""
    if len(parts) == 1:
        return truncate_middle(redact(parts[0]), limit)
    # A secret that was cut is at the inner edge of a part, and would be shown if redaction shortened the part enough.
    head, tail = (redact(part) for part in parts)
    head = head[: max(0, len(head) - max(0, len(parts[0]) - _compute_head_length(limit)) // 2)]
    tail = tail[min(len(tail), max(0, len(parts[1]) - limit + _compute_head_length(limit)) // 2) :]
    return truncate_middle(head + CUT_MARKER + tail, limit)
