"""Bills of suppliers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag
from plant.kit.store import Store

KINDS = ("power", "gas", "water", "heat")


@dataclass(frozen=True)
class Bill:
    """One of the bills, as a line of data/bills.csv has it."""

    code: str
    building: str
    sent: date
    due: date
    net: Decimal
    kind: str
    paid: bool

    @property
    def length(self):
        """Days from sent to due, both counted."""
        return (self.due - self.sent).days + 1


def parse_bill(row):
    """The bill of a row; BadField names what is wrong in it."""
    found = Bill(
        code=read_code(row, "code", "B"),
        building=read_code(row, "building", ""),
        sent=read_day(row, "sent"),
        due=read_day(row, "due"),
        net=read_amount(row, "net"),
        kind=read_choice(row, "kind", KINDS),
        paid=read_flag(row, "paid"),
    )
    if found.due < found.sent:
        raise BadField(f"{found.code}: due is before sent")
    return found


def format_bill(bill):
    """The row of a bill, as it is read."""
    return {
        "code": bill.code,
        "building": bill.building,
        "sent": bill.sent.isoformat(),
        "due": bill.due.isoformat(),
        "net": f"{bill.net:.2f}",
        "kind": bill.kind,
        "paid": "yes" if bill.paid else "no",
    }


def describe_bill(bill):
    """Lines about a bill for people; what is empty is left out."""
    yield f"code: {bill.code}"
    yield f"building: {bill.building}"
    yield f"sent: {bill.sent:%d.%m.%Y}"
    yield f"due: {bill.due:%d.%m.%Y}"
    yield f"net: {bill.net:,.2f}"
    yield f"kind: {bill.kind}"
    if bill.paid:
        yield "paid"


def changes_of_bill(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bill(before), format_bill(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BILLS = Store("bills", parse_bill, format_bill, key="code")
