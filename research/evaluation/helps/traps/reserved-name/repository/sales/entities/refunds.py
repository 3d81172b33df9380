"""Money that was given back."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag
from sales.kit.store import Store

WHYS = ("broken", "late", "wrong", "other")


@dataclass(frozen=True)
class Refund:
    """One of the refunds, as a line of data/refunds.csv has it."""

    code: str
    till: str
    day: date
    amount: Decimal
    why: str
    checked: bool


def parse_refund(row):
    """The refund of a row; BadField names what is wrong in it."""
    found = Refund(
        code=read_code(row, "code", "R"),
        till=read_code(row, "till", ""),
        day=read_day(row, "day"),
        amount=read_amount(row, "amount"),
        why=read_choice(row, "why", WHYS),
        checked=read_flag(row, "checked"),
    )
    return found


def format_refund(refund):
    """The row of a refund, as it is read."""
    return {
        "code": refund.code,
        "till": refund.till,
        "day": refund.day.isoformat(),
        "amount": f"{refund.amount:.2f}",
        "why": refund.why,
        "checked": "yes" if refund.checked else "no",
    }


def describe_refund(refund):
    """Lines about a refund for people; what is empty is left out."""
    yield f"code: {refund.code}"
    yield f"till: {refund.till}"
    yield f"day: {refund.day:%d.%m.%Y}"
    yield f"amount: {refund.amount:,.2f}"
    yield f"why: {refund.why}"
    if refund.checked:
        yield "checked"


def changes_of_refund(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_refund(before), format_refund(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


REFUNDS = Store("refunds", parse_refund, format_refund, key="code")
