"""Knives and when they were ground."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pantry.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from pantry.kit.store import Store

KINDS = ("chef", "bread", "paring")


class Knife(NamedTuple):
    """One of the knives, as a line of data/knives.csv has it."""

    code: str
    what: str
    ground: date
    length: Decimal
    kind: str
    lent: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_knife(row):
    """The knife of a row; BadField names what is wrong in it."""
    found = Knife(
        code=read_code(row, "code", "M"),
        what=read_words(row, "what"),
        ground=read_day(row, "ground"),
        length=read_amount(row, "length"),
        kind=read_choice(row, "kind", KINDS),
        lent=read_flag(row, "lent"),
    )
    return found


def format_knife(knife):
    """The row of a knife, as it is read."""
    return {
        "code": knife.code,
        "what": knife.what,
        "ground": knife.ground.isoformat(),
        "length": f"{knife.length:.2f}",
        "kind": knife.kind,
        "lent": "yes" if knife.lent else "no",
    }


def describe_knife(knife):
    """Lines about a knife for people; what is empty is left out."""
    yield f"code: {knife.code}"
    yield f"what: {knife.what}"
    yield f"ground: {knife.ground:%d.%m.%Y}"
    yield f"length: {knife.length:,.2f}"
    yield f"kind: {knife.kind}"
    if knife.lent:
        yield "lent"


def changes_of_knife(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_knife(before), format_knife(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


KNIVES = Store("knives", parse_knife, format_knife, key="code")
