"""Vouchers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag
from sales.kit.store import Store

KINDS = ("paper", "card", "mail")


@dataclass(frozen=True)
class Voucher:
    """One of the vouchers, as a line of data/vouchers.csv has it."""

    code: str
    sold: date
    ends: date
    worth: Decimal
    used: bool
    kind: str

    @property
    def length(self):
        """Days from sold to ends, both counted."""
        return (self.ends - self.sold).days + 1


def parse_voucher(row):
    """The voucher of a row; BadField names what is wrong in it."""
    found = Voucher(
        code=read_code(row, "code", "V"),
        sold=read_day(row, "sold"),
        ends=read_day(row, "ends"),
        worth=read_amount(row, "worth"),
        used=read_flag(row, "used"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.ends < found.sold:
        raise BadField(f"{found.code}: ends is before sold")
    return found


def format_voucher(voucher):
    """The row of a voucher, as it is read."""
    return {
        "code": voucher.code,
        "sold": voucher.sold.isoformat(),
        "ends": voucher.ends.isoformat(),
        "worth": f"{voucher.worth:.2f}",
        "used": "yes" if voucher.used else "no",
        "kind": voucher.kind,
    }


def describe_voucher(voucher):
    """Lines about a voucher for people; what is empty is left out."""
    yield f"code: {voucher.code}"
    yield f"sold: {voucher.sold:%d.%m.%Y}"
    yield f"ends: {voucher.ends:%d.%m.%Y}"
    yield f"worth: {voucher.worth:,.2f}"
    if voucher.used:
        yield "used"
    yield f"kind: {voucher.kind}"


def changes_of_voucher(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_voucher(before), format_voucher(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


VOUCHERS = Store("vouchers", parse_voucher, format_voucher, key="code")
