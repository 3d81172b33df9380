"""Counts of people at the door."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from room.kit.store import Store

WEATHERS = ("fair", "rain", "snow", "wind")


@dataclass(frozen=True)
class Visit:
    """One of the visits, as a line of data/visits.csv has it."""

    code: str
    counted: date
    adults: int
    children: int
    weather: str
    hours: Decimal

    @property
    def worth(self):
        """Hours for all of adults."""
        return self.hours * self.adults


def parse_visit(row):
    """The visit of a row; BadField names what is wrong in it."""
    found = Visit(
        code=read_code(row, "code", "V"),
        counted=read_day(row, "counted"),
        adults=read_count(row, "adults"),
        children=read_count(row, "children"),
        weather=read_choice(row, "weather", WEATHERS),
        hours=read_amount(row, "hours"),
    )
    if found.adults < 0:
        raise BadField(f"{found.code}: adults is below zero")
    return found


def format_visit(visit):
    """The row of a visit, as it is read."""
    return {
        "code": visit.code,
        "counted": visit.counted.isoformat(),
        "adults": str(visit.adults),
        "children": str(visit.children),
        "weather": visit.weather,
        "hours": f"{visit.hours:.2f}",
    }


def describe_visit(visit):
    """Lines about a visit for people; what is empty is left out."""
    yield f"code: {visit.code}"
    yield f"counted: {visit.counted:%d.%m.%Y}"
    yield f"adults: {visit.adults}"
    yield f"children: {visit.children}"
    yield f"weather: {visit.weather}"
    yield f"hours: {visit.hours:,.2f}"


def changes_of_visit(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_visit(before), format_visit(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


VISITS = Store("visits", parse_visit, format_visit, key="code")
