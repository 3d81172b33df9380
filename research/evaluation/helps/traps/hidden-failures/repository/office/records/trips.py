"""Ways to clients."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from office.kit.store import Store

BYS = ("van", "train", "bicycle", "foot")


@dataclass(frozen=True)
class Trip:
    """One of the trips, as a line of data/trips.csv has it."""

    code: str
    project: str
    day: date
    kilometres: int
    by: str
    cost: Decimal

    @property
    def worth(self):
        """Cost for all of kilometres."""
        return self.cost * self.kilometres


def parse_trip(row):
    """The trip of a row; BadField names what is wrong in it."""
    found = Trip(
        code=read_code(row, "code", "T"),
        project=read_code(row, "project", ""),
        day=read_day(row, "day"),
        kilometres=read_count(row, "kilometres"),
        by=read_choice(row, "by", BYS),
        cost=read_amount(row, "cost"),
    )
    if found.kilometres < 0:
        raise BadField(f"{found.code}: kilometres is below zero")
    return found


def format_trip(trip):
    """The row of a trip, as it is read."""
    return {
        "code": trip.code,
        "project": trip.project,
        "day": trip.day.isoformat(),
        "kilometres": str(trip.kilometres),
        "by": trip.by,
        "cost": f"{trip.cost:.2f}",
    }


def describe_trip(trip):
    """Lines about a trip for people; what is empty is left out."""
    yield f"code: {trip.code}"
    yield f"project: {trip.project}"
    yield f"day: {trip.day:%d.%m.%Y}"
    yield f"kilometres: {trip.kilometres}"
    yield f"by: {trip.by}"
    yield f"cost: {trip.cost:,.2f}"


def changes_of_trip(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_trip(before), format_trip(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TRIPS = Store("trips", parse_trip, format_trip, key="code")
