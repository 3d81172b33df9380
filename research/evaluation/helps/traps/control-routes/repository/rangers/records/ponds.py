"""Ponds and their level."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from rangers.kit.store import Store

STATES = ("clear", "green", "frozen")


@dataclass(frozen=True)
class Pond:
    """One of the ponds, as a line of data/ponds.csv has it."""

    code: str
    title: str
    read: date
    level: Decimal
    fish: int
    state: str

    @property
    def worth(self):
        """Level for all of fish."""
        return self.level * self.fish

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_pond(row):
    """The pond of a row; BadField names what is wrong in it."""
    found = Pond(
        code=read_code(row, "code", "W"),
        title=read_words(row, "title"),
        read=read_day(row, "read"),
        level=read_amount(row, "level"),
        fish=read_count(row, "fish"),
        state=read_choice(row, "state", STATES),
    )
    if found.fish < 0:
        raise BadField(f"{found.code}: fish is below zero")
    return found


def format_pond(pond):
    """The row of a pond, as it is read."""
    return {
        "code": pond.code,
        "title": pond.title,
        "read": pond.read.isoformat(),
        "level": f"{pond.level:.2f}",
        "fish": str(pond.fish),
        "state": pond.state,
    }


def describe_pond(pond):
    """Lines about a pond for people; what is empty is left out."""
    yield f"code: {pond.code}"
    yield f"title: {pond.title}"
    yield f"read: {pond.read:%d.%m.%Y}"
    yield f"level: {pond.level:,.2f}"
    yield f"fish: {pond.fish}"
    yield f"state: {pond.state}"


def changes_of_pond(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_pond(before), format_pond(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PONDS = Store("ponds", parse_pond, format_pond, key="code")
