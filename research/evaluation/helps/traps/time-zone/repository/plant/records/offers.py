"""Offers of suppliers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from plant.kit.store import Store

KINDS = ("power", "gas", "heat")


@dataclass(frozen=True)
class Offer:
    """One of the offers, as a line of data/offers.csv has it."""

    code: str
    came: date
    ends: date
    price: Decimal
    kind: str
    months: int
    taken: bool

    @property
    def length(self):
        """Days from came to ends, both counted."""
        return (self.ends - self.came).days + 1

    @property
    def worth(self):
        """Price for all of months."""
        return self.price * self.months


def parse_offer(row):
    """The offer of a row; BadField names what is wrong in it."""
    found = Offer(
        code=read_code(row, "code", "O"),
        came=read_day(row, "came"),
        ends=read_day(row, "ends"),
        price=read_amount(row, "price"),
        kind=read_choice(row, "kind", KINDS),
        months=read_count(row, "months"),
        taken=read_flag(row, "taken"),
    )
    if found.ends < found.came:
        raise BadField(f"{found.code}: ends is before came")
    if found.months < 0:
        raise BadField(f"{found.code}: months is below zero")
    return found


def format_offer(offer):
    """The row of a offer, as it is read."""
    return {
        "code": offer.code,
        "came": offer.came.isoformat(),
        "ends": offer.ends.isoformat(),
        "price": f"{offer.price:.2f}",
        "kind": offer.kind,
        "months": str(offer.months),
        "taken": "yes" if offer.taken else "no",
    }


def describe_offer(offer):
    """Lines about a offer for people; what is empty is left out."""
    yield f"code: {offer.code}"
    yield f"came: {offer.came:%d.%m.%Y}"
    yield f"ends: {offer.ends:%d.%m.%Y}"
    yield f"price: {offer.price:,.2f}"
    yield f"kind: {offer.kind}"
    yield f"months: {offer.months}"
    if offer.taken:
        yield "taken"


def changes_of_offer(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_offer(before), format_offer(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


OFFERS = Store("offers", parse_offer, format_offer, key="code")
