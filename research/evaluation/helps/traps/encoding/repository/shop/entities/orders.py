"""Orders of customers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from shop.kit.store import Store

STATES = ("open", "packed", "fetched", "dropped")


@dataclass(frozen=True)
class Order:
    """One of the orders, as a line of data/orders.csv has it."""

    code: str
    asked: date
    fetched: date
    pieces: int
    total: Decimal
    state: str

    @property
    def length(self):
        """Days from asked to fetched, both counted."""
        return (self.fetched - self.asked).days + 1

    @property
    def worth(self):
        """Total for all of pieces."""
        return self.total * self.pieces


def parse_order(row):
    """The order of a row; BadField names what is wrong in it."""
    found = Order(
        code=read_code(row, "code", "F"),
        asked=read_day(row, "asked"),
        fetched=read_day(row, "fetched"),
        pieces=read_count(row, "pieces"),
        total=read_amount(row, "total"),
        state=read_choice(row, "state", STATES),
    )
    if found.fetched < found.asked:
        raise BadField(f"{found.code}: fetched is before asked")
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_order(order):
    """The row of a order, as it is read."""
    return {
        "code": order.code,
        "asked": order.asked.isoformat(),
        "fetched": order.fetched.isoformat(),
        "pieces": str(order.pieces),
        "total": f"{order.total:.2f}",
        "state": order.state,
    }


def describe_order(order):
    """Lines about a order for people; what is empty is left out."""
    yield f"code: {order.code}"
    yield f"asked: {order.asked:%d.%m.%Y}"
    yield f"fetched: {order.fetched:%d.%m.%Y}"
    yield f"pieces: {order.pieces}"
    yield f"total: {order.total:,.2f}"
    yield f"state: {order.state}"


def changes_of_order(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_order(before), format_order(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ORDERS = Store("orders", parse_order, format_order, key="code")
