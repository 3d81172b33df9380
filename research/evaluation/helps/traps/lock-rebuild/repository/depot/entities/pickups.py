"""Parcels that are fetched at the door."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from depot.kit.store import Store

STATES = ("asked", "done", "missed")


@dataclass(frozen=True)
class Pickup:
    """One of the pickups, as a line of data/pickups.csv has it."""

    code: str
    branch: str
    day: date
    parcels: int
    fee: Decimal
    state: str

    @property
    def worth(self):
        """Fee for all of parcels."""
        return self.fee * self.parcels


def parse_pickup(row):
    """The pickup of a row; BadField names what is wrong in it."""
    found = Pickup(
        code=read_code(row, "code", "P"),
        branch=read_code(row, "branch", ""),
        day=read_day(row, "day"),
        parcels=read_count(row, "parcels"),
        fee=read_amount(row, "fee"),
        state=read_choice(row, "state", STATES),
    )
    if found.parcels < 0:
        raise BadField(f"{found.code}: parcels is below zero")
    return found


def format_pickup(pickup):
    """The row of a pickup, as it is read."""
    return {
        "code": pickup.code,
        "branch": pickup.branch,
        "day": pickup.day.isoformat(),
        "parcels": str(pickup.parcels),
        "fee": f"{pickup.fee:.2f}",
        "state": pickup.state,
    }


def describe_pickup(pickup):
    """Lines about a pickup for people; what is empty is left out."""
    yield f"code: {pickup.code}"
    yield f"branch: {pickup.branch}"
    yield f"day: {pickup.day:%d.%m.%Y}"
    yield f"parcels: {pickup.parcels}"
    yield f"fee: {pickup.fee:,.2f}"
    yield f"state: {pickup.state}"


def changes_of_pickup(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_pickup(before), format_pickup(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PICKUPS = Store("pickups", parse_pickup, format_pickup, key="code")
