"""Large files that can be fetched."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from office.kit.store import Store

KINDS = ("map", "picture", "sound")


class File(NamedTuple):
    """One of the files, as a line of data/files.csv has it."""

    code: str
    title: str
    added: date
    megabytes: Decimal
    fetched: int
    kind: str

    @property
    def worth(self):
        """Megabytes for all of fetched."""
        return self.megabytes * self.fetched

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_file(row):
    """The file of a row; BadField names what is wrong in it."""
    found = File(
        code=read_code(row, "code", "N"),
        title=read_words(row, "title"),
        added=read_day(row, "added"),
        megabytes=read_amount(row, "megabytes"),
        fetched=read_count(row, "fetched"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.fetched < 0:
        raise BadField(f"{found.code}: fetched is below zero")
    return found


def format_file(file):
    """The row of a file, as it is read."""
    return {
        "code": file.code,
        "title": file.title,
        "added": file.added.isoformat(),
        "megabytes": f"{file.megabytes:.2f}",
        "fetched": str(file.fetched),
        "kind": file.kind,
    }


def describe_file(file):
    """Lines about a file for people; what is empty is left out."""
    yield f"code: {file.code}"
    yield f"title: {file.title}"
    yield f"added: {file.added:%d.%m.%Y}"
    yield f"megabytes: {file.megabytes:,.2f}"
    yield f"fetched: {file.fetched}"
    yield f"kind: {file.kind}"


def changes_of_file(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_file(before), format_file(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FILES = Store("files", parse_file, format_file, key="code")
