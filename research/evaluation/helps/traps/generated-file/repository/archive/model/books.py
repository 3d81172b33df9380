"""Bound volumes of the guest book of paper."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from archive.kit.store import Store

STATES = ("good", "worn", "lost", "lent")


class Volume(NamedTuple):
    """One of the books, as a line of data/books.csv has it."""

    code: str
    title: str
    begun: date
    closed: date
    pages: int
    state: str

    @property
    def length(self):
        """Days from begun to closed, both counted."""
        return (self.closed - self.begun).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_volume(row):
    """The volume of a row; BadField names what is wrong in it."""
    found = Volume(
        code=read_code(row, "code", "G"),
        title=read_words(row, "title"),
        begun=read_day(row, "begun"),
        closed=read_day(row, "closed"),
        pages=read_count(row, "pages"),
        state=read_choice(row, "state", STATES),
    )
    if found.closed < found.begun:
        raise BadField(f"{found.code}: closed is before begun")
    if found.pages < 0:
        raise BadField(f"{found.code}: pages is below zero")
    return found


def format_volume(volume):
    """The row of a volume, as it is read."""
    return {
        "code": volume.code,
        "title": volume.title,
        "begun": volume.begun.isoformat(),
        "closed": volume.closed.isoformat(),
        "pages": str(volume.pages),
        "state": volume.state,
    }


BOOKS = Store("books", parse_volume, format_volume, key="code")
