"""Rolls of label paper."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from shop.kit.store import Store

WIDTHS = ("narrow", "wide", "tag")


@dataclass(frozen=True)
class Roll:
    """One of the rolls, as a line of data/rolls.csv has it."""

    code: str
    bought: date
    metres: int
    width: str
    price: Decimal
    empty: bool

    @property
    def worth(self):
        """Price for all of metres."""
        return self.price * self.metres


def parse_roll(row):
    """The roll of a row; BadField names what is wrong in it."""
    found = Roll(
        code=read_code(row, "code", "R"),
        bought=read_day(row, "bought"),
        metres=read_count(row, "metres"),
        width=read_choice(row, "width", WIDTHS),
        price=read_amount(row, "price"),
        empty=read_flag(row, "empty"),
    )
    if found.metres < 0:
        raise BadField(f"{found.code}: metres is below zero")
    return found


def format_roll(roll):
    """The row of a roll, as it is read."""
    return {
        "code": roll.code,
        "bought": roll.bought.isoformat(),
        "metres": str(roll.metres),
        "width": roll.width,
        "price": f"{roll.price:.2f}",
        "empty": "yes" if roll.empty else "no",
    }


def describe_roll(roll):
    """Lines about a roll for people; what is empty is left out."""
    yield f"code: {roll.code}"
    yield f"bought: {roll.bought:%d.%m.%Y}"
    yield f"metres: {roll.metres}"
    yield f"width: {roll.width}"
    yield f"price: {roll.price:,.2f}"
    if roll.empty:
        yield "empty"


def changes_of_roll(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_roll(before), format_roll(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ROLLS = Store("rolls", parse_roll, format_roll, key="code")
