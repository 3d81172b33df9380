"""Calls of services in a day."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ops.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from ops.kit.store import Store

SIZES = ("small", "large", "huge")


class CallSum(NamedTuple):
    """One of the calls, as a line of data/calls.csv has it."""

    code: str
    day: date
    calls: int
    errors: int
    seconds: Decimal
    size: str

    @property
    def worth(self):
        """Seconds for all of calls."""
        return self.seconds * self.calls


def parse_call_sum(row):
    """The call sum of a row; BadField names what is wrong in it."""
    found = CallSum(
        code=read_code(row, "code", "C"),
        day=read_day(row, "day"),
        calls=read_count(row, "calls"),
        errors=read_count(row, "errors"),
        seconds=read_amount(row, "seconds"),
        size=read_choice(row, "size", SIZES),
    )
    if found.calls < 0:
        raise BadField(f"{found.code}: calls is below zero")
    return found


def format_call_sum(call_sum):
    """The row of a call sum, as it is read."""
    return {
        "code": call_sum.code,
        "day": call_sum.day.isoformat(),
        "calls": str(call_sum.calls),
        "errors": str(call_sum.errors),
        "seconds": f"{call_sum.seconds:.2f}",
        "size": call_sum.size,
    }


def describe_call_sum(call_sum):
    """Lines about a call sum for people; what is empty is left out."""
    yield f"code: {call_sum.code}"
    yield f"day: {call_sum.day:%d.%m.%Y}"
    yield f"calls: {call_sum.calls}"
    yield f"errors: {call_sum.errors}"
    yield f"seconds: {call_sum.seconds:,.2f}"
    yield f"size: {call_sum.size}"


def changes_of_call_sum(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_call_sum(before), format_call_sum(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CALLS = Store("calls", parse_call_sum, format_call_sum, key="code")
