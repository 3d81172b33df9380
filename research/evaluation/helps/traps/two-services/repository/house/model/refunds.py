"""Money that was given back."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from house.kit.store import Store

REASONS = ("closed", "ill", "late", "error", "other")


class Refund(NamedTuple):
    """One of the refunds, as a line of data/refunds.csv has it."""

    code: str
    day: date
    reason: str
    amount: Decimal
    tickets: int

    @property
    def worth(self):
        """Amount for all of tickets."""
        return self.amount * self.tickets


def parse_refund(row):
    """The refund of a row; BadField names what is wrong in it."""
    found = Refund(
        code=read_code(row, "code", "R"),
        day=read_day(row, "day"),
        reason=read_choice(row, "reason", REASONS),
        amount=read_amount(row, "amount"),
        tickets=read_count(row, "tickets"),
    )
    if found.tickets < 0:
        raise BadField(f"{found.code}: tickets is below zero")
    return found


def format_refund(refund):
    """The row of a refund, as it is read."""
    return {
        "code": refund.code,
        "day": refund.day.isoformat(),
        "reason": refund.reason,
        "amount": f"{refund.amount:.2f}",
        "tickets": str(refund.tickets),
    }


REFUNDS = Store("refunds", parse_refund, format_refund, key="code")
