"""Lockers for parcels."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from depot.kit.store import Store

STATES = ("up", "down", "full")


@dataclass(frozen=True)
class Locker:
    """One of the lockers, as a line of data/lockers.csv has it."""

    code: str
    place: str
    fitted: date
    doors: int
    state: str
    rent: Decimal

    @property
    def worth(self):
        """Rent for all of doors."""
        return self.rent * self.doors

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_locker(row):
    """The locker of a row; BadField names what is wrong in it."""
    found = Locker(
        code=read_code(row, "code", "L"),
        place=read_words(row, "place"),
        fitted=read_day(row, "fitted"),
        doors=read_count(row, "doors"),
        state=read_choice(row, "state", STATES),
        rent=read_amount(row, "rent"),
    )
    if found.doors < 0:
        raise BadField(f"{found.code}: doors is below zero")
    return found


def format_locker(locker):
    """The row of a locker, as it is read."""
    return {
        "code": locker.code,
        "place": locker.place,
        "fitted": locker.fitted.isoformat(),
        "doors": str(locker.doors),
        "state": locker.state,
        "rent": f"{locker.rent:.2f}",
    }


def describe_locker(locker):
    """Lines about a locker for people; what is empty is left out."""
    yield f"code: {locker.code}"
    yield f"place: {locker.place}"
    yield f"fitted: {locker.fitted:%d.%m.%Y}"
    yield f"doors: {locker.doors}"
    yield f"state: {locker.state}"
    yield f"rent: {locker.rent:,.2f}"


def changes_of_locker(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_locker(before), format_locker(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LOCKERS = Store("lockers", parse_locker, format_locker, key="code")
