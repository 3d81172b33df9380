"""Customers, by the name of their place."""

from dataclasses import dataclass
from datetime import date

from sales.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from sales.kit.store import Store

KINDS = ("cafe", "deli", "club", "mill", "school")


@dataclass(frozen=True)
class Customer:
    """One of the customers, as a line of data/customers.csv has it."""

    code: str
    place: str
    since: date
    kind: str
    visits: int
    blocked: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_customer(row):
    """The customer of a row; BadField names what is wrong in it."""
    found = Customer(
        code=read_code(row, "code", "C"),
        place=read_words(row, "place"),
        since=read_day(row, "since"),
        kind=read_choice(row, "kind", KINDS),
        visits=read_count(row, "visits"),
        blocked=read_flag(row, "blocked"),
    )
    if found.visits < 0:
        raise BadField(f"{found.code}: visits is below zero")
    return found


def format_customer(customer):
    """The row of a customer, as it is read."""
    return {
        "code": customer.code,
        "place": customer.place,
        "since": customer.since.isoformat(),
        "kind": customer.kind,
        "visits": str(customer.visits),
        "blocked": "yes" if customer.blocked else "no",
    }


def describe_customer(customer):
    """Lines about a customer for people; what is empty is left out."""
    yield f"code: {customer.code}"
    yield f"place: {customer.place}"
    yield f"since: {customer.since:%d.%m.%Y}"
    yield f"kind: {customer.kind}"
    yield f"visits: {customer.visits}"
    if customer.blocked:
        yield "blocked"


def changes_of_customer(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_customer(before), format_customer(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CUSTOMERS = Store("customers", parse_customer, format_customer, key="code")
