"""Readings and other evenings."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag, read_words
from room.kit.store import Store

KINDS = ("reading", "music", "talk", "games")


@dataclass(frozen=True)
class Evening:
    """One of the evenings, as a line of data/evenings.csv has it."""

    code: str
    title: str
    held: date
    seats: int
    guests: int
    entry: Decimal
    kind: str
    full: bool

    @property
    def worth(self):
        """Entry for all of seats."""
        return self.entry * self.seats

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_evening(row):
    """The evening of a row; BadField names what is wrong in it."""
    found = Evening(
        code=read_code(row, "code", "E"),
        title=read_words(row, "title"),
        held=read_day(row, "held"),
        seats=read_count(row, "seats"),
        guests=read_count(row, "guests"),
        entry=read_amount(row, "entry"),
        kind=read_choice(row, "kind", KINDS),
        full=read_flag(row, "full"),
    )
    if found.seats < 0:
        raise BadField(f"{found.code}: seats is below zero")
    return found


def format_evening(evening):
    """The row of a evening, as it is read."""
    return {
        "code": evening.code,
        "title": evening.title,
        "held": evening.held.isoformat(),
        "seats": str(evening.seats),
        "guests": str(evening.guests),
        "entry": f"{evening.entry:.2f}",
        "kind": evening.kind,
        "full": "yes" if evening.full else "no",
    }


def describe_evening(evening):
    """Lines about a evening for people; what is empty is left out."""
    yield f"code: {evening.code}"
    yield f"title: {evening.title}"
    yield f"held: {evening.held:%d.%m.%Y}"
    yield f"seats: {evening.seats}"
    yield f"guests: {evening.guests}"
    yield f"entry: {evening.entry:,.2f}"
    yield f"kind: {evening.kind}"
    if evening.full:
        yield "full"


def changes_of_evening(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_evening(before), format_evening(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


EVENINGS = Store("evenings", parse_evening, format_evening, key="code")
