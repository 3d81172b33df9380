"""Shelves, and which labels they take."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from shop.kit.store import Store

AISLES = ("A", "B", "C", "D", "E")


@dataclass(frozen=True)
class Shelf:
    """One of the shelves, as a line of data/shelves.csv has it."""

    code: str
    aisle: str
    fitted: date
    slots: int
    width: Decimal
    cooled: bool

    @property
    def worth(self):
        """Width for all of slots."""
        return self.width * self.slots


def parse_shelf(row):
    """The shelf of a row; BadField names what is wrong in it."""
    found = Shelf(
        code=read_code(row, "code", "S"),
        aisle=read_choice(row, "aisle", AISLES),
        fitted=read_day(row, "fitted"),
        slots=read_count(row, "slots"),
        width=read_amount(row, "width"),
        cooled=read_flag(row, "cooled"),
    )
    if found.slots < 0:
        raise BadField(f"{found.code}: slots is below zero")
    return found


def format_shelf(shelf):
    """The row of a shelf, as it is read."""
    return {
        "code": shelf.code,
        "aisle": shelf.aisle,
        "fitted": shelf.fitted.isoformat(),
        "slots": str(shelf.slots),
        "width": f"{shelf.width:.2f}",
        "cooled": "yes" if shelf.cooled else "no",
    }


def describe_shelf(shelf):
    """Lines about a shelf for people; what is empty is left out."""
    yield f"code: {shelf.code}"
    yield f"aisle: {shelf.aisle}"
    yield f"fitted: {shelf.fitted:%d.%m.%Y}"
    yield f"slots: {shelf.slots}"
    yield f"width: {shelf.width:,.2f}"
    if shelf.cooled:
        yield "cooled"


def changes_of_shelf(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_shelf(before), format_shelf(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SHELVES = Store("shelves", parse_shelf, format_shelf, key="code")
