"""Texts as secrets are searched for in them: with escapes decoded, and without what tools print before each line.

A secret that is found in such a text is replaced at its place in the original text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

if TYPE_CHECKING:
    import re

_ESCAPE_HINTS = {
    "%": compile_lazily(r"%[2-7][0-9A-Fa-f]"),
    "\\": compile_lazily(r"\\(?:u00|x[0-9a-f]|0[0-7]|1[0-7]|e\[)"),
    "=": compile_lazily(r"=(?:3[AD]|0[AD]|2[027](?![0-9a-fA-F]{2})(?=[^\s,;&)]))"),
    "&": compile_lazily(r"&(?:#|quot|apos|amp|lt|gt)"),
    "[": compile_lazily(r"\[[0-9;]{0,12}m"),
}
"""Escapes, by first character, that a secret or its name may contain; only a text with one of them is decoded. ``\\n`` and ``\\t`` are
too common to be among them."""
_ESCAPES = (
    r"(?:\x1b|\\(?:033|x1[bB]|u001[bB]|e)|\^\[|␛)?\[[0-9;]{0,12}m"
    r"|\\(?:u00[0-9a-fA-F]{2}|x[0-9a-fA-F]{2}|[01][0-7]{2}|[nrt\"'`/\\])"
    r"|%[0-7][0-9a-fA-F]|&(?:quot|apos|amp|lt|gt|#[0-9]{1,3}|#[xX][0-9a-fA-F]{1,2});"
)
_ESCAPE, _ESCAPE_OR_QUOTED = compile_lazily(_ESCAPES), compile_lazily(rf"{_ESCAPES}|=(?:[0-7][0-9A-F]|\r?\n)")
"""An escape; the second also finds those of quoted-printable, for which most of what it finds elsewhere is not one: ``id=61``."""
_SIMPLE = {"\\n": "\n", "\\r": "\n", "\\t": "\t"}
_NAMED = {"&quot;": '"', "&apos;": "'", "&amp;": "&", "&lt;": "<", "&gt;": ">"}


class Decoded(NamedTuple):
    """The decoded text, which consists of runs: each is either unchanged text or one decoded escape.

    ``starts`` contains the index at which each run starts in the decoded text; ``original_starts`` and ``original_ends`` contain the
    indexes at which it starts and ends in the original text.
    """

    text: str
    starts: list[int]
    original_starts: list[int]
    original_ends: list[int]

    def get_original_span(self, start: int, stop: int) -> tuple[int, int]:
        """Return the span in the original text from which the characters from ``start`` to ``stop`` were decoded."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, stop - 1) - 1
        begin = self.original_starts[first] + start - self.starts[first]
        end = self.original_ends[last]
        if self._is_unchanged(last):
            end = min(end, self.original_starts[last] + stop - self.starts[last])
        return min(begin, self.original_ends[first]), end

    def _is_unchanged(self, run: int) -> bool:
        """Return whether a run is as long as in the original text, and so has no decoded escape."""
        length = (self.starts[run + 1] if run + 1 < len(self.starts) else len(self.text)) - self.starts[run]
        return self.original_ends[run] - self.original_starts[run] == length


def _decode_escape(escape: str) -> str:
    """Return the text that an escape represents; empty for a colour or an escaped line end."""
    if escape[-1] == "m" and "[" in escape:
        return ""
    if escape[0] == "\\":
        if escape in _SIMPLE:
            return _SIMPLE[escape]
        if len(escape) == 2:
            return escape[1]
        base, digits = (16, escape[2:]) if escape[1] in "ux" else (8, escape[1:])
        return chr(int(digits, base))
    if escape[0] == "&":
        if escape in _NAMED:
            return _NAMED[escape]
        return chr(int(escape[3:-1], 16) if escape[2] in "xX" else int(escape[2:-1], 10))
    digits = escape[1:].strip()  # empty for an escaped line end
    return chr(int(digits, 16)) if digits else ""


def decode(text: str) -> Decoded | None:
    """Decode the text once; return None if it contains none of the escapes in ``_ESCAPE_HINTS``."""
    found = [character for character, hint in _ESCAPE_HINTS.items() if character in text and hint.search(text)]
    if not found:
        return None
    pieces: list[str] = []
    starts: list[int] = []
    original_starts: list[int] = []
    original_ends: list[int] = []
    length = consumed = 0

    def append_run(piece: str, start: int, stop: int) -> None:
        nonlocal length
        if piece:
            pieces.append(piece)
            starts.append(length)
            original_starts.append(start)
            original_ends.append(stop)
            length += len(piece)

    cache: dict[str, str] = {}
    for match in (_ESCAPE_OR_QUOTED if "=" in found else _ESCAPE).finditer(text):
        start, stop = match.span()
        if start > consumed:
            append_run(text[consumed:start], consumed, start)
        escape = match[0]
        if (decoded := cache.get(escape)) is None:
            decoded = cache[escape] = _decode_escape(escape)
        append_run(decoded, start, stop)
        consumed = stop
    append_run(text[consumed:], consumed, len(text))
    return Decoded("".join(pieces), starts, original_starts, original_ends)


# -- lines with a prefix ---------------------------------------------------------------------------------------------------

_FRAME_FORMS = (
    r"(?:[^\t\n]{1,80}\t){0,2}[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,20}Z? ",  # logs of CI
    r" {0,8}[0-9]{1,6}(?:→|\t|\| ?)",  # file readers of the hosts, cat -n
    r" {0,8}L?[0-9]{1,6}[:-] ?",  # grep -n -A
    r"(?:[A-Za-z]:)?[\w.@+/\\~-]{1,160}?[:-][0-9]{1,6}[:-]",  # grep with file names
    r"\^?[0-9a-f]{7,40} [^\n()]{0,80}\([^()\n]{10,80}\) ",  # git blame
    r"[\w.-]{1,60} {1,20}\| ",  # docker compose logs
    r"\+",  # diffs
    r"-",
    r"> ?",  # quotations
    r" {0,8}[0-9]{1,6} ",  # pagers
)
"""What tools print before each line. A name and its value on two lines are not next to each other there."""
_FRAMES = tuple(map(compile_lazily, _FRAME_FORMS))
_ANY_FRAME = compile_lazily("|".join(_FRAME_FORMS))
_HUNK_FRAMES = tuple(
    compile_lazily(rf"(?:{gone}[^\n]{{0,500}}\n){{0,20}}(?:[ {kept}]|(?=\n))")
    for gone, kept in (("-", "+"), (r"\+", "-"))
)
"""What stands before each line of a diff, with the lines that are gone, and with those that are new: it shows two texts at once."""
_SHAPE = compile_lazily(r"[0-9]+|[ \t]+")
_FRAME_ENDS, _MAX_FRAME_LENGTH = "|:>]│┃#/*+", 100
"""What ends that which a tool prints before each line, in another form, and its maximum length."""
_MAX_FRAMED_PARTS, _MAX_NAME_REST = 64, 60
"""Maximum number of parts, and of characters from a name to the end of its line, since a longer line has the value itself."""
_NEARBY, _IN_BLOCK = (1, 6), (100, 101)
"""Maximum number of lines before and after the one with a secret's name, or with what announces a block, that are searched for values."""
_NO_NAME = compile_lazily(
    r"pass(?:ed|es|ing)\b|[\w.-]{0,40}[\"'`]?[ \t]?[=:][ \t]?[\"'`]?[\w.+-]{1,7}[\"'`]?[,;)}\]]{0,2}[ \t]*\r?\n"
)
"""The report of a test, or the end of a name and a value on its line that is too short for a secret, such as a count."""
_OTHER_NAMES = ("kind: secret", "literals:")
"""What else announces values in the lines around it."""
_BLOCK = compile_lazily(r"kind: secret\b|literals:|stringdata:|[\w.-]{0,40}[\"']?(?::|\]{1,2})[ \t]*\r?\n")
"""What announces values in many lines, at the place of a secret's name: a heading in YAML, TOML or an INI file."""
_VALUE = compile_lazily(r"(?=[\w!@#$%^&*+/=.?-]{0,40}[0-9])[\w!@#$%^&*+/=.?-]{8}")
"""The beginning of what may be a value."""


def find_framed_parts(text: str, lowered: str, stems: list[str]) -> Iterator[Decoded]:
    """Yield the lines around each of the ``stems``, if a tool printed something before each of them, without that.

    ``lowered`` is the text in lower case.
    """
    if "\n" not in text:
        return
    end = block_end = 0
    is_diff = text.startswith("@@ -") or "\n@@ -" in text
    for index in sorted(_find_all(lowered, [*stems, *filter(lowered.__contains__, _OTHER_NAMES)])):
        is_block = _BLOCK.match(lowered, index) is not None
        if index < (block_end if is_block else end) or (not is_block and _NO_NAME.match(lowered, index)):
            continue
        if text.find("\n", index, index + _MAX_NAME_REST) < 0:
            continue
        line = text.rfind("\n", 0, index) + 1
        for frame in _find_frames(text, line, is_diff=is_diff):
            start = line
            lines_before, lines_after = _IN_BLOCK if is_block else _NEARBY
            for _ in range(lines_before):
                before = text.rfind("\n", 0, max(0, start - 1)) + 1
                if not start or not frame.match(text, before):
                    break
                start = before
            part, last = _remove_frame(text, start, index, frame, lines_after)
            end = max(end, last)
            if part is not None and _VALUE.search(part.text) is not None:
                yield part
            if is_block:
                block_end = (index + end) // 2  # the next block may end below the part that has its heading


def _find_frames(text: str, start: int, *, is_diff: bool) -> Sequence[re.Pattern[str]]:
    """Return the longest pattern of what a tool printed before the line at ``start``, if anything, and of a line in a diff two more."""
    if is_diff and text[start] in "+-":
        return _HUNK_FRAMES
    frames = [_find_common_frame(text, start)]
    if _ANY_FRAME.match(text, start) is not None:
        frames += [frame for frame in _FRAMES if frame.match(text, start)][:1]
    lengths = [(len(match[0].rstrip()), frame) for frame in frames if frame and (match := frame.match(text, start))]
    longest = [frame for _, frame in sorted(lengths, key=lambda found: -found[0])[:1]]
    return [*_HUNK_FRAMES, *longest] if is_diff and text[start] == " " else longest


def _find_common_frame(text: str, start: int) -> re.Pattern[str] | None:
    """Return a pattern of what the line at ``start`` and the next one begin with, apart from numbers and blanks; None if with nothing."""
    stop = text.find("\n", start) + 1
    if not stop or (text[start] != text[stop : stop + 1] and not text[start].isdigit()):
        return None
    shapes = [
        _SHAPE.sub(_get_shape, text[index : index + _MAX_FRAME_LENGTH].partition("\n")[0]) for index in (start, stop)
    ]
    shape = "".join(
        [first for first, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*shapes, strict=False))]
    ).rstrip()
    end = max(map(shape.rfind, _FRAME_ENDS)) + 1
    if not end:
        return None
    import re

    pattern = re.escape(shape[:end]).replace("0", "[0-9]+").replace("\\ ", " +")
    return re.compile(rf"{pattern} ?")


def _get_shape(match: re.Match[str]) -> str:
    return "0" if match[0].isdigit() else " "


def _find_all(lowered: str, words: list[str]) -> set[int]:
    """Return the indexes of at most ``_MAX_FRAMED_PARTS`` occurrences of each word, in a text of several lines."""
    found: set[int] = set()
    for word in words:
        index = lowered.find(word)
        for _ in range(_MAX_FRAMED_PARTS):
            if index < 0:
                break
            found.add(index)
            line_end = lowered.find("\n", index)
            index = lowered.find(word, line_end) if line_end >= 0 else -1
    return found


def _remove_frame(
    text: str, start: int, index: int, frame: re.Pattern[str], max_lines: int
) -> tuple[Decoded | None, int]:
    """Return the lines from ``start`` to at most ``max_lines`` after ``index`` without their frame, and the start of the last.

    Instead of a single line, None is returned.
    """
    pieces: list[str] = []
    starts: list[int] = []
    original_starts: list[int] = []
    original_ends: list[int] = []
    length = lines_after = last = 0
    while start < len(text) and lines_after < max_lines and (match := frame.match(text, start)) is not None:
        begin = match.end()
        stop = text.find("\n", begin) + 1 or len(text)
        pieces.append(text[begin:stop])
        starts.append(length)
        original_starts.append(begin)
        original_ends.append(stop)
        length += stop - begin
        lines_after += start > index
        last, start = start, stop
    if len(pieces) < 2:
        return None, start
    return Decoded("".join(pieces), starts, original_starts, original_ends), last
