"""What was ordered from shops."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from room.kit.store import Store

STATES = ("open", "sent", "here", "dropped")


@dataclass(frozen=True)
class Order:
    """One of the orders, as a line of data/orders.csv has it."""

    code: str
    title: str
    asked: date
    arrived: date
    copies: int
    price: Decimal
    state: str

    @property
    def length(self):
        """Days from asked to arrived, both counted."""
        return (self.arrived - self.asked).days + 1

    @property
    def worth(self):
        """Price for all of copies."""
        return self.price * self.copies

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_order(row):
    """The order of a row; BadField names what is wrong in it."""
    found = Order(
        code=read_code(row, "code", "O"),
        title=read_words(row, "title"),
        asked=read_day(row, "asked"),
        arrived=read_day(row, "arrived"),
        copies=read_count(row, "copies"),
        price=read_amount(row, "price"),
        state=read_choice(row, "state", STATES),
    )
    if found.arrived < found.asked:
        raise BadField(f"{found.code}: arrived is before asked")
    if found.copies < 0:
        raise BadField(f"{found.code}: copies is below zero")
    return found


def format_order(order):
    """The row of a order, as it is read."""
    return {
        "code": order.code,
        "title": order.title,
        "asked": order.asked.isoformat(),
        "arrived": order.arrived.isoformat(),
        "copies": str(order.copies),
        "price": f"{order.price:.2f}",
        "state": order.state,
    }


def describe_order(order):
    """Lines about a order for people; what is empty is left out."""
    yield f"code: {order.code}"
    yield f"title: {order.title}"
    yield f"asked: {order.asked:%d.%m.%Y}"
    yield f"arrived: {order.arrived:%d.%m.%Y}"
    yield f"copies: {order.copies}"
    yield f"price: {order.price:,.2f}"
    yield f"state: {order.state}"


def changes_of_order(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_order(before), format_order(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ORDERS = Store("orders", parse_order, format_order, key="code")
