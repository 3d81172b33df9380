"""Hours at tills."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from sales.kit.store import Store

KINDS = ("early", "late", "night")


@dataclass(frozen=True)
class Shift:
    """One of the shifts, as a line of data/shifts.csv has it."""

    code: str
    till: str
    day: date
    hours: Decimal
    breaks: int
    kind: str

    @property
    def worth(self):
        """Hours for all of breaks."""
        return self.hours * self.breaks


def parse_shift(row):
    """The shift of a row; BadField names what is wrong in it."""
    found = Shift(
        code=read_code(row, "code", "H"),
        till=read_code(row, "till", ""),
        day=read_day(row, "day"),
        hours=read_amount(row, "hours"),
        breaks=read_count(row, "breaks"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.breaks < 0:
        raise BadField(f"{found.code}: breaks is below zero")
    return found


def format_shift(shift):
    """The row of a shift, as it is read."""
    return {
        "code": shift.code,
        "till": shift.till,
        "day": shift.day.isoformat(),
        "hours": f"{shift.hours:.2f}",
        "breaks": str(shift.breaks),
        "kind": shift.kind,
    }


def describe_shift(shift):
    """Lines about a shift for people; what is empty is left out."""
    yield f"code: {shift.code}"
    yield f"till: {shift.till}"
    yield f"day: {shift.day:%d.%m.%Y}"
    yield f"hours: {shift.hours:,.2f}"
    yield f"breaks: {shift.breaks}"
    yield f"kind: {shift.kind}"


def changes_of_shift(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_shift(before), format_shift(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SHIFTS = Store("shifts", parse_shift, format_shift, key="code")
