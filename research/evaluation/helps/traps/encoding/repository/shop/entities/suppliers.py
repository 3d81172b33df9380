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


SUPPLIERS = Store("suppliers", parse_supplier, format_supplier, key="code")
