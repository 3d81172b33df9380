"""Lots of goods, as producers number them."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from sales.kit.store import Store

KINDS = ("tea", "coffee", "oil", "spice")


@dataclass(frozen=True)
class Lot:
    """One of the lots, as a line of data/lots.csv has it."""

    code: str
    made: date
    best_until: date
    pieces: int
    kind: str
    price: Decimal

    @property
    def length(self):
        """Days from made to best until, both counted."""
        return (self.best_until - self.made).days + 1

    @property
    def worth(self):
        """Price for all of pieces."""
        return self.price * self.pieces


def parse_lot(row):
    """The lot of a row; BadField names what is wrong in it."""
    found = Lot(
        code=read_code(row, "code", "L"),
        made=read_day(row, "made"),
        best_until=read_day(row, "best_until"),
        pieces=read_count(row, "pieces"),
        kind=read_choice(row, "kind", KINDS),
        price=read_amount(row, "price"),
    )
    if found.best_until < found.made:
        raise BadField(f"{found.code}: best until is before made")
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_lot(lot):
    """The row of a lot, as it is read."""
    return {
        "code": lot.code,
        "made": lot.made.isoformat(),
        "best_until": lot.best_until.isoformat(),
        "pieces": str(lot.pieces),
        "kind": lot.kind,
        "price": f"{lot.price:.2f}",
    }


def describe_lot(lot):
    """Lines about a lot for people; what is empty is left out."""
    yield f"code: {lot.code}"
    yield f"made: {lot.made:%d.%m.%Y}"
    yield f"best until: {lot.best_until:%d.%m.%Y}"
    yield f"pieces: {lot.pieces}"
    yield f"kind: {lot.kind}"
    yield f"price: {lot.price:,.2f}"


def changes_of_lot(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_lot(before), format_lot(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LOTS = Store("lots", parse_lot, format_lot, key="code")
