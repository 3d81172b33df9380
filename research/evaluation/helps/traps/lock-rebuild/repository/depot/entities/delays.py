"""Days on which something was late."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from depot.kit.store import Store

WHYS = ("snow", "strike", "breakdown", "customs")


@dataclass(frozen=True)
class Delay:
    """One of the delays, as a line of data/delays.csv has it."""

    code: str
    day: date
    hours: Decimal
    why: str
    parcels: int

    @property
    def worth(self):
        """Hours for all of parcels."""
        return self.hours * self.parcels


def parse_delay(row):
    """The delay of a row; BadField names what is wrong in it."""
    found = Delay(
        code=read_code(row, "code", "D"),
        day=read_day(row, "day"),
        hours=read_amount(row, "hours"),
        why=read_choice(row, "why", WHYS),
        parcels=read_count(row, "parcels"),
    )
    if found.parcels < 0:
        raise BadField(f"{found.code}: parcels is below zero")
    return found


def format_delay(delay):
    """The row of a delay, as it is read."""
    return {
        "code": delay.code,
        "day": delay.day.isoformat(),
        "hours": f"{delay.hours:.2f}",
        "why": delay.why,
        "parcels": str(delay.parcels),
    }


def describe_delay(delay):
    """Lines about a delay for people; what is empty is left out."""
    yield f"code: {delay.code}"
    yield f"day: {delay.day:%d.%m.%Y}"
    yield f"hours: {delay.hours:,.2f}"
    yield f"why: {delay.why}"
    yield f"parcels: {delay.parcels}"


def changes_of_delay(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_delay(before), format_delay(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DELAYS = Store("delays", parse_delay, format_delay, key="code")
