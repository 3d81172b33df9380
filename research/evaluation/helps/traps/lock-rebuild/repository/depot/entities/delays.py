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


DELAYS = Store("delays", parse_delay, format_delay, key="code")
