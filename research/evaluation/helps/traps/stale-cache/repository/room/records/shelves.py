"""Lengths of shelf."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from room.kit.store import Store

WALLS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Shelf:
    """One of the shelves, as a line of data/shelves.csv has it."""

    code: str
    label: str
    wall: str
    metres: Decimal
    boards: int
    dusted: date

    @property
    def worth(self):
        """Metres for all of boards."""
        return self.metres * self.boards

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_shelf(row):
    """The shelf of a row; BadField names what is wrong in it."""
    found = Shelf(
        code=read_code(row, "code", "S"),
        label=read_words(row, "label"),
        wall=read_choice(row, "wall", WALLS),
        metres=read_amount(row, "metres"),
        boards=read_count(row, "boards"),
        dusted=read_day(row, "dusted"),
    )
    if found.boards < 0:
        raise BadField(f"{found.code}: boards is below zero")
    return found


def format_shelf(shelf):
    """The row of a shelf, as it is read."""
    return {
        "code": shelf.code,
        "label": shelf.label,
        "wall": shelf.wall,
        "metres": f"{shelf.metres:.2f}",
        "boards": str(shelf.boards),
        "dusted": shelf.dusted.isoformat(),
    }


def describe_shelf(shelf):
    """Lines about a shelf for people; what is empty is left out."""
    yield f"code: {shelf.code}"
    yield f"label: {shelf.label}"
    yield f"wall: {shelf.wall}"
    yield f"metres: {shelf.metres:,.2f}"
    yield f"boards: {shelf.boards}"
    yield f"dusted: {shelf.dusted:%d.%m.%Y}"


def changes_of_shelf(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_shelf(before), format_shelf(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SHELVES = Store("shelves", parse_shelf, format_shelf, key="code")
