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


VOUCHERS = Store("vouchers", parse_voucher, format_voucher, key="code")
