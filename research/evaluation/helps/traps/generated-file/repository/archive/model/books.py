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


def describe_volume(volume):
    """Lines about a volume for people; what is empty is left out."""
    yield f"code: {volume.code}"
    yield f"title: {volume.title}"
    yield f"begun: {volume.begun:%d.%m.%Y}"
    yield f"closed: {volume.closed:%d.%m.%Y}"
    yield f"pages: {volume.pages}"
    yield f"state: {volume.state}"


def changes_of_volume(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_volume(before), format_volume(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BOOKS = Store("books", parse_volume, format_volume, key="code")
