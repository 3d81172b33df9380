"""What each desk took in a day."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from house.kit.store import Store

DESKS = ("north", "south", "shop", "cafe")


class Taking(NamedTuple):
    """One of the takings, as a line of data/takings.csv has it."""

    code: str
    day: date
    desk: str
    cash: Decimal
    card: Decimal
    tickets: int

    @property
    def worth(self):
        """Cash for all of tickets."""
        return self.cash * self.tickets


def parse_taking(row):
    """The taking of a row; BadField names what is wrong in it."""
    found = Taking(
        code=read_code(row, "code", "D"),
        day=read_day(row, "day"),
        desk=read_choice(row, "desk", DESKS),
        cash=read_amount(row, "cash"),
        card=read_amount(row, "card"),
        tickets=read_count(row, "tickets"),
    )
    if found.tickets < 0:
        raise BadField(f"{found.code}: tickets is below zero")
    return found


def format_taking(taking):
    """The row of a taking, as it is read."""
    return {
        "code": taking.code,
        "day": taking.day.isoformat(),
        "desk": taking.desk,
        "cash": f"{taking.cash:.2f}",
        "card": f"{taking.card:.2f}",
        "tickets": str(taking.tickets),
    }


def describe_taking(taking):
    """Lines about a taking for people; what is empty is left out."""
    yield f"code: {taking.code}"
    yield f"day: {taking.day:%d.%m.%Y}"
    yield f"desk: {taking.desk}"
    yield f"cash: {taking.cash:,.2f}"
    yield f"card: {taking.card:,.2f}"
    yield f"tickets: {taking.tickets}"


def changes_of_taking(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_taking(before), format_taking(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TAKINGS = Store("takings", parse_taking, format_taking, key="code")
