"""Keys of error lines, and the file ``solved/<project>`` in which a hook looks them up. A key is a checksum of a line's
words, without digits, signs and folders; ``digest_codes`` covers codes and versions. The file has a header, offsets
by the first bits of the key, entries sorted by key, and records, so that a look-up takes about one read. No regular
expressions: importing ``re`` is slow.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b  # as in store/project.py
except ImportError:  # pragma: no cover -- an interpreter other than CPython
    from hashlib import blake2b
try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KEY_SIZE, CODES_SIZE = 8, 4
"""Sizes in bytes."""
MIN_WORDS, MAX_WORDS, MIN_LETTERS = 3, 16, 3
"""A line with fewer different words has no key; of a longer one, the first count. Shorter words do not count."""
MAX_LINE = 240
"""Number of characters to which a log's error line is truncated (observations/results.py)."""
MAX_EDGE_LINES, MAX_EDGE = 50, 20_000
"""Maximum number of lines, and of characters, that are examined at each end of an output."""
_LOWER, _DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"0123456789"
_LETTERS = _LOWER + _LOWER.upper()


def _make_table(kept: bytes, becomes: bytes) -> bytes:
    """Return a table for ``bytes.translate`` that maps the characters ``kept`` to those of ``becomes``, and others to blanks."""
    table = bytearray(b" " * 256)
    for old, new in zip(kept, becomes, strict=True):
        table[old] = new
    return bytes(table)


_IN_NAMES = _DIGITS + b"._-+@~"
_WORDS = _make_table(_LETTERS + b"/\n" + _IN_NAMES, _LOWER * 2 + b"/\n" + b"0" * len(_IN_NAMES))
"""Lower-case letters, ``/`` and line breaks; ``0`` for what a name of a folder may contain in addition; blanks."""
_CODE_CHARACTERS, _NAME_CHARACTERS = _LETTERS + _DIGITS + b".", _LETTERS + _DIGITS + b"._-+:"
_NAMES = _make_table(_NAME_CHARACTERS, _NAME_CHARACTERS)
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
    for word in (
        _strip_colours(line)[:MAX_LINE]
        .encode("utf-8", "replace")
        .translate(_make_table(_CODE_CHARACTERS, _CODE_CHARACTERS))
        .split()
    ):
        name = word.strip(b".")
        if not name.isalpha() and _is_code(name, previous):
            found.append(name)
        previous = name.lower()
    return blake2b(b" ".join(found), digest_size=CODES_SIZE).digest()


def build_place_key(line: str, names: set[bytes]) -> bytes:
    """Return the key of a line without the ``names`` of files that the command gave, for errors about the place; ""
    without any.
    """
    given = [name for name in _list_names(line) if not name.isalpha() and name in names]
    if not given:
        return b""
    rest = _strip_colours(line).encode("utf-8", "replace")
    for name in given:
        rest = rest.replace(name, b" ")
    return _digest_words(_list_words(rest.translate(_WORDS)), b"place")


def cut_edges(output: str) -> str:
    """Return the parts of an output that are searched: its first and last characters."""
    return f"{output[:MAX_EDGE]}\n{output[-MAX_EDGE:]}" if len(output) > 2 * MAX_EDGE else output


def list_keys(output: str, names: set[bytes] | None = None) -> Iterator[tuple[bytes, bytes, str]]:
    """Yield keys of the first and last lines of an output, each once, with the error's own key and line; ``names`` are
    in the command.
    """
    output = _strip_colours(cut_edges(output))
    lines, data = output.split("\n"), output.encode("utf-8", "replace")
    rows = data.translate(_WORDS).split(b"\n")
    # Usually none of the names is in the output, so that no line has to be taken apart.
    given = None if names is None else {name for name in names if not name.isalpha() and name in data}
    last_head = min(MAX_EDGE_LINES, len(lines))
    seen = {b""}
    for number in (*range(last_head), *range(max(last_head, len(lines) - MAX_EDGE_LINES), len(lines))):
        line = lines[number]
        key = _digest_words(_list_words(rows[number]))
        found = [key]
        if key and given is None:
            found.append(build_place_key(line, {name for name in _list_names(line) if name[-1:] != b":"}))
        elif key and given:
            found.append(build_place_key(line, given))
        for each in found:
            if each not in seen:
                seen.add(each)
                yield each, key, line


def list_command_words(command: str) -> set[bytes]:
    """Return the names in a command, without folders."""
    return set(_list_names(command))


def _list_names(text: str) -> list[bytes]:
    return text.encode("utf-8", "replace").translate(_NAMES).split()


def _list_words(row: bytes) -> list[bytes]:
    """Return the words of a translated line (``_WORDS``), without folders; at most ``MAX_WORDS``."""
    if b"/" in row:
        row = b" ".join([name.rpartition(b"/")[2] if b"/" in name else name for name in row.split()])
    return [word for word in row.replace(b"0", b" ").split() if len(word) >= MIN_LETTERS][:MAX_WORDS]


def _digest_words(words: list[bytes], kind: bytes = b"") -> bytes:
    if len(words) < MIN_WORDS or len({*words}) < MIN_WORDS:
        return b""
    return blake2b(b" ".join(words), digest_size=KEY_SIZE, person=kind).digest()


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


# -- the file ----------------------------------------------------------------------------------------------------------

_HAS_PREAD = hasattr(system, "pread")
FOLDER = "solved"
"""Folder in the state folder."""
MAGIC = b"MSE1"
MAX_ENTRIES = 100_000
_HEADER, _SLOT, _ENTRY = 16, 4, 20
"""Bytes. Header: magic, bits of a key that select a slot, count. Entry: key, codes, beginning of the session's digest,
offset of its record, plus ``MUTED``."""
_SESSION_SIZE = 4
MUTED = 1 << 31
"""Is added to the offset of a record of which agents are not reminded."""
_TO_SESSION, _TO_RECORD = KEY_SIZE + CODES_SIZE, KEY_SIZE + CODES_SIZE + _SESSION_SIZE
MAX_RECORD = 1_024
"""Maximum length of a record in bytes; a record ends with a line break."""
_SEPARATOR = "\x1f"
SKILL, EPISODE = "s", "e"
"""Kinds of records."""
_CHANGE, _SHORT_CHANGE = ", passes after a change in ", "\x1e"
"""The most common phrase in facts, and what a record has in its place, so that 100,000 errors take less than 10 MB."""


class Record:
    """What is reported about a solved error: ``kind`` (SKILL or EPISODE), ``name``, ``program`` that failed; of an
    episode also ``date``, ``tokens`` of the digest and ``facts``. Not a dataclass, as the hot path imports it.
    """

    __slots__ = ("date", "facts", "kind", "name", "program", "tokens")

    def __init__(self, kind: str, name: str, program: str, date: str = "", tokens: str = "", facts: str = "") -> None:
        self.kind, self.name, self.program = kind, name, program
        self.date, self.tokens, self.facts = date, tokens, facts

    def dump(self) -> bytes:
        facts = self.facts.removeprefix(self.program).replace(_CHANGE, _SHORT_CHANGE)
        fields = (self.kind, self.name, self.program, self.date, self.tokens, facts)
        return _SEPARATOR.join(fields).replace("\n", " ").encode()[: MAX_RECORD - 1] + b"\n"

    def describe(self, command: str, option: str = "") -> str:
        """Return the line for the agent. ``command`` runs mind-skills in its shell; ``option`` names another project."""
        if self.kind == SKILL:
            return f"mind-skills: the skill {self.name} covers this error; load it."
        solved = f"the same error was solved on {self.date} ({self.facts})"
        return f"mind-skills: {solved}: `{command} show {self.name}{option}` (about {self.tokens} tokens)."


class Entry:
    """An error: its ``key`` and ``codes`` (above), the ``session`` that solved it, the record, and whether it is muted."""

    __slots__ = ("codes", "is_muted", "key", "record", "session")

    def __init__(self, key: bytes, codes: bytes, session: bytes, record: Record, *, is_muted: bool = False) -> None:
        """``session`` is the beginning of the digest of the session's id (store/project.py), as bytes."""
        self.key, self.codes, self.session, self.record = key, codes, session[:_SESSION_SIZE], record
        self.is_muted = is_muted


def get_index_path(home: str, project_id: str) -> str:
    return f"{home}/{FOLDER}/{project_id}"


def list_indexed_projects(home: str) -> list[str]:
    """List the ids of the projects with solved errors. Raises OSError."""
    try:
        return sorted(name for name in system.listdir(f"{home}/{FOLDER}") if name.isalnum())
    except FileNotFoundError:
        return []


def build_index(entries: Iterable[Entry], command: str) -> bytes:
    """Return the content of the file. Of entries with the same key, the order is preserved; ``command`` is the first record."""
    ordered = sorted(list(entries)[:MAX_ENTRIES], key=lambda entry: entry.key)
    bits = len(ordered).bit_length() + 1  # most slots are empty, so that one read shows that an error is not here
    slots, rows, offsets = bytearray(), bytearray(), dict[bytes, int]()
    records = bytearray(command.replace("\n", " ").encode("utf-8", "replace")[: MAX_RECORD - 1] + b"\n")
    number = 0
    for slot in range(1 << bits):
        slots += number.to_bytes(_SLOT, "big")
        while number < len(ordered) and _find_slot(ordered[number].key, bits) == slot:
            entry = ordered[number]
            text = entry.record.dump()
            if text not in offsets:
                offsets[text] = len(records)
                records += text
            offset = offsets[text] | MUTED if entry.is_muted else offsets[text]
            rows += entry.key + entry.codes + entry.session + offset.to_bytes(4, "big")
            number += 1
    slots += number.to_bytes(_SLOT, "big")
    header = MAGIC + bits.to_bytes(4, "big") + number.to_bytes(4, "big") + bytes(4)
    return bytes(header + slots + rows + records)


def _find_slot(key: bytes, bits: int) -> int:
    return int.from_bytes(key[:4], "big") >> (32 - bits)


class ErrorIndex:
    """An open file of solved errors. Close it."""

    __slots__ = ("_count", "_descriptor", "_entries", "_shift")

    def __init__(self, path: str) -> None:
        """Open the file. Raises OSError (FileNotFoundError if the project has no solved errors), ValueError for another format."""
        flags = system.O_RDONLY | getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_BINARY", 0)
        self._descriptor = system.open(path, flags | getattr(system, "O_CLOEXEC", 0))
        header = self._read(0, _HEADER)
        bits, self._count = int.from_bytes(header[4:8], "big"), int.from_bytes(header[8:12], "big")
        if header[:4] != MAGIC or not 1 <= bits <= 24:
            self.close()
            raise ValueError("not a file of solved errors")
        self._shift, self._entries = 32 - bits, _HEADER + _SLOT * ((1 << bits) + 1)

    def close(self) -> None:
        system.close(self._descriptor)

    def list_entries(self) -> list[Entry]:
        """List all entries. Raises ValueError if a record is damaged."""
        rows = self._read(self._entries, _ENTRY * self._count)
        parts = [rows[at : at + _ENTRY] for at in range(0, len(rows), _ENTRY)]
        return [
            Entry(part[:KEY_SIZE], part[KEY_SIZE:_TO_SESSION], part[_TO_SESSION:_TO_RECORD], record)
            for part in parts
            for record in [self.read_record(int.from_bytes(part[_TO_RECORD:], "big"))]
        ]

    def find(self, key: bytes) -> list[tuple[bytes, bytes, int]]:
        """Return codes, session and record offset (plus ``MUTED`` if it is muted) of each entry with this key."""
        place = self._read(_HEADER + _SLOT * (int.from_bytes(key[:4], "big") >> self._shift), 2 * _SLOT)
        if place[:_SLOT] == place[_SLOT:]:
            return []
        start, end = int.from_bytes(place[:_SLOT], "big"), int.from_bytes(place[_SLOT:], "big")
        rows = self._read(self._entries + _ENTRY * start, _ENTRY * (end - start))
        parts = [rows[at : at + _ENTRY] for at in range(0, len(rows), _ENTRY)]
        return [
            (part[KEY_SIZE:_TO_SESSION], part[_TO_SESSION:_TO_RECORD], int.from_bytes(part[_TO_RECORD:], "big"))
            for part in parts
            if part[:KEY_SIZE] == key
        ]

    def read_record(self, offset: int) -> Record:
        """Return the record at an offset, muted or not. Raises ValueError if it is damaged."""
        fields = self._read_line(offset & ~MUTED).split(_SEPARATOR)
        if len(fields) != len(Record.__slots__):
            raise ValueError("a damaged record of a solved error")
        kind, name, program, date, tokens, facts = fields
        return Record(kind, name, program, date, tokens, facts and f"{program}{facts.replace(_SHORT_CHANGE, _CHANGE)}")

    def read_command(self) -> str:
        """Return the command that runs mind-skills in the agent's shell."""
        return self._read_line(0)

    def _read_line(self, offset: int) -> str:
        at = self._entries + _ENTRY * self._count + offset
        return self._read(at, MAX_RECORD).partition(b"\n")[0].decode()

    def _read(self, offset: int, size: int) -> bytes:
        if _HAS_PREAD:
            return system.pread(self._descriptor, size, offset)
        system.lseek(self._descriptor, offset, 0)
        return system.read(self._descriptor, size)
