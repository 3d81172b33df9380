"""Keys of error lines: the same for the same error in another session, and cheap enough for a hook that looks up every line of an
output.

A key is a checksum of the line's words, without digits, signs and folders. ``list_codes`` has what the words leave out but identifies
an error, such as ``TS2304``, ``404`` and versions. No regular expressions: importing ``re`` takes half as long as a bare
interpreter's start.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b  # as in store/project.py
except ImportError:  # pragma: no cover -- an interpreter other than CPython
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KEY_SIZE, CODES_SIZE = 8, 4
"""Sizes in bytes."""
MIN_WORDS, MAX_WORDS, MIN_LETTERS = 3, 16, 3
"""A line with fewer different words has no key; of a longer line, the first words count. Shorter words do not count: prefixes (``E``),
units, and what is left of a number."""
MAX_LINE = 240
"""Number of characters to which a log's error line is truncated (observations/results.py)."""
MAX_EDGE_LINES, MAX_EDGE = 50, 20_000
"""Maximum number of lines, and of characters, that are examined at each end of an output."""
_WORDS = bytes(
    byte | 32
    if chr(byte).isalpha() and byte < 128
    else byte
    if chr(byte) in "/\n"
    else 48  # within a name or a folder's name, which ends at the next blank
    if chr(byte) in "0123456789._-+@~"
    else 32
    for byte in range(256)
)
"""Lower-case letters, ``/`` and line breaks; ``0`` for what a name may contain in addition; blanks."""
_CODES = bytes(byte if (chr(byte).isalnum() or byte == 46) and byte < 128 else 32 for byte in range(256))
_COMMAND = bytes(byte if (chr(byte).isalnum() or chr(byte) in "._-+:") and byte < 128 else 32 for byte in range(256))
_BEFORE_STATUS = frozenset((b"http", b"status", b"code", b"error", b"returned"))
_BEFORE_VERSION = frozenset((b"go", b"java", b"node", b"npm", b"php", b"python", b"ruby", b"version"))


def build_key(line: str) -> bytes:
    """Return the key of an error line; empty if it has too few different words, or was cut off before the words that count."""
    words = _list_words(_strip_colours(line).encode("utf-8", "replace").translate(_WORDS))
    return b"" if len(line) >= MAX_LINE and len(words) < MAX_WORDS else _digest_words(words)


def digest_codes(line: str) -> bytes:
    """Return a checksum of the codes, status numbers and versions of an error line, in order."""
    found: list[bytes] = []
    previous = b""
    for word in _strip_colours(line)[:MAX_LINE].encode("utf-8", "replace").translate(_CODES).split():
        name = word.strip(b".")
        if not name.isalpha() and _is_code(name, previous):
            found.append(name)
        previous = name.lower()
    return blake2b(b" ".join(found), digest_size=CODES_SIZE).digest()


def list_keys(output: str) -> Iterator[tuple[bytes, str]]:
    """Yield the keys of the first and last lines of an output, each once, with their lines."""
    if len(output) > 2 * MAX_EDGE:
        output = f"{output[:MAX_EDGE]}\n{output[-MAX_EDGE:]}"
    output = _strip_colours(output)
    lines = output.split("\n")
    rows = output.encode("utf-8", "replace").translate(_WORDS).split(b"\n")
    last_head = min(MAX_EDGE_LINES, len(lines))
    seen = {b""}
    for number in (*range(last_head), *range(max(last_head, len(lines) - MAX_EDGE_LINES), len(lines))):
        key = _digest_words(_list_words(rows[number]))
        if key not in seen:
            seen.add(key)
            yield key, lines[number]


def list_command_words(command: str) -> set[bytes]:
    """Return the names in a command, without folders."""
    return set(command.encode("utf-8", "replace").translate(_COMMAND).split())


def _list_words(row: bytes) -> list[bytes]:
    """Return the words of a translated line (``_WORDS``), without folders; at most ``MAX_WORDS``."""
    if b"/" in row:
        row = b" ".join([name.rpartition(b"/")[2] if b"/" in name else name for name in row.split()])
    return [word for word in row.replace(b"0", b" ").split() if len(word) >= MIN_LETTERS][:MAX_WORDS]


def _digest_words(words: list[bytes]) -> bytes:
    if len(words) < MIN_WORDS or len({*words}) < MIN_WORDS:
        return b""
    return blake2b(b" ".join(words), digest_size=KEY_SIZE).digest()


def _is_code(name: bytes, previous: bytes) -> bool:
    """Return whether a word with a digit identifies an error: ``TS2304``, ``404`` after "status", ``1.2.3``, ``3.11`` after "python"."""
    if name.isdigit():
        return len(name) == 3 and previous in _BEFORE_STATUS
    if name.replace(b".", b"").isdigit():
        return name.count(b".") > 1 or previous in _BEFORE_VERSION
    return name[:1].isupper() and name.isupper() and name[-1:].isdigit()


def _strip_colours(line: str) -> str:
    if "\x1b[" not in line:
        return line
    first, *parts = line.split("\x1b[")
    return first + "".join([part.lstrip("0123456789;")[1:] for part in parts])
