"""Passwords and tokens in tables, whose head names the column: comma separated values, what a database prints, Markdown."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.values import generated, in_words, is_reference

_ENDS = r"[\"'`]?[ \t]*[,;\t|\r\n]"
_NAMES = {
    "pass": rf"pass(?:wor[dt]|wd|phrase|code|e)?{_ENDS}",
    "pw": rf"pwd{_ENDS}",
    "secret": rf"secret{_ENDS}",
    "token": rf"token{_ENDS}",
    "key": rf"key(?:(?<=api.key)|(?<=apikey)|(?<=access.key)|(?<=secret.key)|(?<=private.key)){_ENDS}",
    "senha": rf"senha{_ENDS}",
    "contrase": rf"contrase(?:ñ|n)a{_ENDS}",
    "kennw": rf"kennwort{_ENDS}",
}
_PATTERNS = {stem: compile_later(pattern) for stem, pattern in _NAMES.items()}
_CELL = compile_later(r"[\"'`>]?[\w .#()/-]{0,40}[\"'`]?")
_LONGEST = 1_000
"""Characters of a line that may be the head of a table."""


def find_columns(text: str, low: str, stems: list[str]) -> Iterator[tuple[int, int, str]]:
    """What stands in a column whose name tells of passwords or tokens, and was generated.

    ``low`` is ``text`` in small letters, and ``stems`` what stands in it of the names in assignments.py.
    """
    if "\n" not in text:
        return
    for stem in [stem for stem in stems if stem in _PATTERNS]:
        search = _PATTERNS[stem].search
        found = search(low)
        while found is not None:
            begin, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end() - 1)
            if end < 0:
                return
            done = end
            if end - begin <= _LONGEST and (by := _parted(text[begin:end])):
                cells = text[begin:end].split(by)
                told = [number for number, cell in enumerate(cells) if search(cell.lower() + "\n")]
                done = yield from _rows(text, end, by, len(cells), told)
            found = search(low, done)


def _parted(line: str) -> str:
    """What parts the cells of a line that is the head of a table; nothing where it is none."""
    by = max(",;\t|", key=line.count)
    cells = line.split(by)
    return (
        by if sum(map(bool, map(str.strip, cells))) > 1 and all(_CELL.fullmatch(cell.strip()) for cell in cells) else ""
    )


def _rows(text: str, at: int, by: str, cells: int, told: list[int]) -> Generator[tuple[int, int, str], None, int]:
    """The generated values in these columns of the lines that have as many cells; gives where the table ends."""
    while (begin := at + 1) < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        row = _cells(text[begin:end], by)
        ruled = not text[begin:end].strip(" +-|:\r") and begin < end
        if len(row) != cells and not ruled:
            break
        for number in () if ruled else told:
            value = row[number].strip(" \t\r\"'`")
            start = begin + sum(map(len, row[:number])) + number + row[number].find(value)
            if len(value) >= 6 and " " not in value and not is_reference(value[:64]) and _made(value):
                yield start, start + len(value), "secret"
        at = end
    return at


def _cells(row: str, by: str) -> list[str]:
    """The cells of a line; a sign within quotation marks parts none."""
    if '"' not in row or by not in ",;":
        return row.split(by)
    cells = [""]
    for number, piece in enumerate(row.split('"')):
        first, *more = piece.split(by) if number % 2 == 0 else [piece]
        cells[-1] += ('"' if number else "") + first
        cells += more
    return cells


def _made(value: str) -> bool:
    return not in_words(value[:64]) and generated(value[:64])
