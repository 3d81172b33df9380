"""What was bought."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pantry.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from pantry.kit.store import Store

SHOPS = ("market", "mill", "corner", "garden")


class Purchase(NamedTuple):
    """One of the purchases, as a line of data/purchases.csv has it."""

    code: str
    what: str
    day: date
    pieces: int
    price: Decimal
    shop: str

    @property
    def worth(self):
        """Price for all of pieces."""
        return self.price * self.pieces

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_purchase(row):
    """The purchase of a row; BadField names what is wrong in it."""
    found = Purchase(
        code=read_code(row, "code", "P"),
        what=read_words(row, "what"),
        day=read_day(row, "day"),
        pieces=read_count(row, "pieces"),
        price=read_amount(row, "price"),
        shop=read_choice(row, "shop", SHOPS),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_purchase(purchase):
    """The row of a purchase, as it is read."""
    return {
        "code": purchase.code,
        "what": purchase.what,
        "day": purchase.day.isoformat(),
        "pieces": str(purchase.pieces),
        "price": f"{purchase.price:.2f}",
        "shop": purchase.shop,
    }


def describe_purchase(purchase):
    """Lines about a purchase for people; what is empty is left out."""
    yield f"code: {purchase.code}"
    yield f"what: {purchase.what}"
    yield f"day: {purchase.day:%d.%m.%Y}"
    yield f"pieces: {purchase.pieces}"
    yield f"price: {purchase.price:,.2f}"
    yield f"shop: {purchase.shop}"


def changes_of_purchase(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_purchase(before), format_purchase(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PURCHASES = Store("purchases", parse_purchase, format_purchase, key="code")
