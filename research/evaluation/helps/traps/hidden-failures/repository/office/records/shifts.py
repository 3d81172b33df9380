"""Planned times at the yard."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from office.kit.store import Store

KINDS = ("yard", "garden", "office", "road")


@dataclass(frozen=True)
class Shift:
    """One of the shifts, as a line of data/shifts.csv has it."""

    code: str
    day: date
    from_hour: int
    hours: Decimal
    kind: str
    swapped: bool

    @property
    def worth(self):
        """Hours for all of from hour."""
        return self.hours * self.from_hour


def parse_shift(row):
    """The shift of a row; BadField names what is wrong in it."""
    found = Shift(
        code=read_code(row, "code", "S"),
        day=read_day(row, "day"),
        from_hour=read_count(row, "from_hour"),
        hours=read_amount(row, "hours"),
        kind=read_choice(row, "kind", KINDS),
        swapped=read_flag(row, "swapped"),
    )
    if found.from_hour < 0:
        raise BadField(f"{found.code}: from hour is below zero")
    return found


def format_shift(shift):
    """The row of a shift, as it is read."""
    return {
        "code": shift.code,
        "day": shift.day.isoformat(),
        "from_hour": str(shift.from_hour),
        "hours": f"{shift.hours:.2f}",
        "kind": shift.kind,
        "swapped": "yes" if shift.swapped else "no",
    }


def describe_shift(shift):
    """Lines about a shift for people; what is empty is left out."""
    yield f"code: {shift.code}"
    yield f"day: {shift.day:%d.%m.%Y}"
    yield f"from hour: {shift.from_hour}"
    yield f"hours: {shift.hours:,.2f}"
    yield f"kind: {shift.kind}"
    if shift.swapped:
        yield "swapped"


def changes_of_shift(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_shift(before), format_shift(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SHIFTS = Store("shifts", parse_shift, format_shift, key="code")
