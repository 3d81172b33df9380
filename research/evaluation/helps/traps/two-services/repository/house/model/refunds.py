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


def describe_refund(refund):
    """Lines about a refund for people; what is empty is left out."""
    yield f"code: {refund.code}"
    yield f"day: {refund.day:%d.%m.%Y}"
    yield f"reason: {refund.reason}"
    yield f"amount: {refund.amount:,.2f}"
    yield f"tickets: {refund.tickets}"


def changes_of_refund(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_refund(before), format_refund(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


REFUNDS = Store("refunds", parse_refund, format_refund, key="code")
