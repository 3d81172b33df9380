"""When guides are in the house; who, is in the rota at the back office."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from house.kit.store import Store

HALLS = ("gems", "boats", "mills", "clocks", "maps")


class Shift(NamedTuple):
    """One of the guides, as a line of data/guides.csv has it."""

    code: str
    day: date
    hall: str
    hours: Decimal
    tours: int
    swapped: bool

    @property
    def worth(self):
        """Hours for all of tours."""
        return self.hours * self.tours


def parse_shift(row):
    """The shift of a row; BadField names what is wrong in it."""
    found = Shift(
        code=read_code(row, "code", "G"),
        day=read_day(row, "day"),
        hall=read_choice(row, "hall", HALLS),
        hours=read_amount(row, "hours"),
        tours=read_count(row, "tours"),
        swapped=read_flag(row, "swapped"),
    )
    if found.tours < 0:
        raise BadField(f"{found.code}: tours is below zero")
    return found


def format_shift(shift):
    """The row of a shift, as it is read."""
    return {
        "code": shift.code,
        "day": shift.day.isoformat(),
        "hall": shift.hall,
        "hours": f"{shift.hours:.2f}",
        "tours": str(shift.tours),
        "swapped": "yes" if shift.swapped else "no",
    }


def describe_shift(shift):
    """Lines about a shift for people; what is empty is left out."""
    yield f"code: {shift.code}"
    yield f"day: {shift.day:%d.%m.%Y}"
    yield f"hall: {shift.hall}"
    yield f"hours: {shift.hours:,.2f}"
    yield f"tours: {shift.tours}"
    if shift.swapped:
        yield "swapped"


def changes_of_shift(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_shift(before), format_shift(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GUIDES = Store("guides", parse_shift, format_shift, key="code")
