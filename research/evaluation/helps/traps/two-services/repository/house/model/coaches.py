"""Coaches that park in the yard."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from house.kit.store import Store

STATES = ("booked", "here", "gone", "missed")


class Coach(NamedTuple):
    """One of the coaches, as a line of data/coaches.csv has it."""

    code: str
    company: str
    arrives: date
    seats: int
    state: str
    fee: Decimal

    @property
    def worth(self):
        """Fee for all of seats."""
        return self.fee * self.seats

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.company}"


def parse_coach(row):
    """The coach of a row; BadField names what is wrong in it."""
    found = Coach(
        code=read_code(row, "code", "C"),
        company=read_words(row, "company"),
        arrives=read_day(row, "arrives"),
        seats=read_count(row, "seats"),
        state=read_choice(row, "state", STATES),
        fee=read_amount(row, "fee"),
    )
    if found.seats < 0:
        raise BadField(f"{found.code}: seats is below zero")
    return found


def format_coach(coach):
    """The row of a coach, as it is read."""
    return {
        "code": coach.code,
        "company": coach.company,
        "arrives": coach.arrives.isoformat(),
        "seats": str(coach.seats),
        "state": coach.state,
        "fee": f"{coach.fee:.2f}",
    }


def describe_coach(coach):
    """Lines about a coach for people; what is empty is left out."""
    yield f"code: {coach.code}"
    yield f"company: {coach.company}"
    yield f"arrives: {coach.arrives:%d.%m.%Y}"
    yield f"seats: {coach.seats}"
    yield f"state: {coach.state}"
    yield f"fee: {coach.fee:,.2f}"


def changes_of_coach(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_coach(before), format_coach(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


COACHES = Store("coaches", parse_coach, format_coach, key="code")
