"""Routes of the vans."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from sales.kit.store import Store

VANS = ("a", "b", "c")


@dataclass(frozen=True)
class Route:
    """One of the routes, as a line of data/routes.csv has it."""

    code: str
    title: str
    since: date
    stops: int
    length: Decimal
    van: str

    @property
    def worth(self):
        """Length for all of stops."""
        return self.length * self.stops

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_route(row):
    """The route of a row; BadField names what is wrong in it."""
    found = Route(
        code=read_code(row, "code", "W"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        stops=read_count(row, "stops"),
        length=read_amount(row, "length"),
        van=read_choice(row, "van", VANS),
    )
    if found.stops < 0:
        raise BadField(f"{found.code}: stops is below zero")
    return found


def format_route(route):
    """The row of a route, as it is read."""
    return {
        "code": route.code,
        "title": route.title,
        "since": route.since.isoformat(),
        "stops": str(route.stops),
        "length": f"{route.length:.2f}",
        "van": route.van,
    }


def describe_route(route):
    """Lines about a route for people; what is empty is left out."""
    yield f"code: {route.code}"
    yield f"title: {route.title}"
    yield f"since: {route.since:%d.%m.%Y}"
    yield f"stops: {route.stops}"
    yield f"length: {route.length:,.2f}"
    yield f"van: {route.van}"


def changes_of_route(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_route(before), format_route(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ROUTES = Store("routes", parse_route, format_route, key="code")
