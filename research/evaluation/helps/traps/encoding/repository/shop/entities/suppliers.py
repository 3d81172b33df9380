"""Those who deliver to us."""

from dataclasses import dataclass
from datetime import date

from shop.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from shop.kit.store import Store

KINDS = ("farm", "mill", "dairy", "import", "bakery")


@dataclass(frozen=True)
class Supplier:
    """One of the suppliers, as a line of data/suppliers.csv has it."""

    code: str
    place: str
    since: date
    kind: str
    orders: int
    paused: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_supplier(row):
    """The supplier of a row; BadField names what is wrong in it."""
    found = Supplier(
        code=read_code(row, "code", "U"),
        place=read_words(row, "place"),
        since=read_day(row, "since"),
        kind=read_choice(row, "kind", KINDS),
        orders=read_count(row, "orders"),
        paused=read_flag(row, "paused"),
    )
    if found.orders < 0:
        raise BadField(f"{found.code}: orders is below zero")
    return found


def format_supplier(supplier):
    """The row of a supplier, as it is read."""
    return {
        "code": supplier.code,
        "place": supplier.place,
        "since": supplier.since.isoformat(),
        "kind": supplier.kind,
        "orders": str(supplier.orders),
        "paused": "yes" if supplier.paused else "no",
    }


def describe_supplier(supplier):
    """Lines about a supplier for people; what is empty is left out."""
    yield f"code: {supplier.code}"
    yield f"place: {supplier.place}"
    yield f"since: {supplier.since:%d.%m.%Y}"
    yield f"kind: {supplier.kind}"
    yield f"orders: {supplier.orders}"
    if supplier.paused:
        yield "paused"


def changes_of_supplier(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_supplier(before), format_supplier(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SUPPLIERS = Store("suppliers", parse_supplier, format_supplier, key="code")
