"""Bottles in the cellar."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pantry.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from pantry.kit.store import Store

KINDS = ("cider", "juice", "wine", "vinegar")


class Bottle(NamedTuple):
    """One of the cellar, as a line of data/cellar.csv has it."""

    code: str
    label: str
    laid: date
    count: int
    price: Decimal
    kind: str

    @property
    def worth(self):
        """Price for all of count."""
        return self.price * self.count

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_bottle(row):
    """The bottle of a row; BadField names what is wrong in it."""
    found = Bottle(
        code=read_code(row, "code", "B"),
        label=read_words(row, "label"),
        laid=read_day(row, "laid"),
        count=read_count(row, "count"),
        price=read_amount(row, "price"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.count < 0:
        raise BadField(f"{found.code}: count is below zero")
    return found


def format_bottle(bottle):
    """The row of a bottle, as it is read."""
    return {
        "code": bottle.code,
        "label": bottle.label,
        "laid": bottle.laid.isoformat(),
        "count": str(bottle.count),
        "price": f"{bottle.price:.2f}",
        "kind": bottle.kind,
    }


def describe_bottle(bottle):
    """Lines about a bottle for people; what is empty is left out."""
    yield f"code: {bottle.code}"
    yield f"label: {bottle.label}"
    yield f"laid: {bottle.laid:%d.%m.%Y}"
    yield f"count: {bottle.count}"
    yield f"price: {bottle.price:,.2f}"
    yield f"kind: {bottle.kind}"


def changes_of_bottle(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bottle(before), format_bottle(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CELLAR = Store("cellar", parse_bottle, format_bottle, key="code")
