"""What each till took."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField, read_amount, read_code, read_count, read_day
from sales.kit.store import Store


@dataclass(frozen=True)
class DaySum:
    """One of the days, as a line of data/days.csv has it."""

    code: str
    till: str
    day: date
    cash: Decimal
    card: Decimal
    bills: int

    @property
    def worth(self):
        """Cash for all of bills."""
        return self.cash * self.bills


def parse_day_sum(row):
    """The day sum of a row; BadField names what is wrong in it."""
    found = DaySum(
        code=read_code(row, "code", "D"),
        till=read_code(row, "till", ""),
        day=read_day(row, "day"),
        cash=read_amount(row, "cash"),
        card=read_amount(row, "card"),
        bills=read_count(row, "bills"),
    )
    if found.bills < 0:
        raise BadField(f"{found.code}: bills is below zero")
    return found


def format_day_sum(day_sum):
    """The row of a day sum, as it is read."""
    return {
        "code": day_sum.code,
        "till": day_sum.till,
        "day": day_sum.day.isoformat(),
        "cash": f"{day_sum.cash:.2f}",
        "card": f"{day_sum.card:.2f}",
        "bills": str(day_sum.bills),
    }


def describe_day_sum(day_sum):
    """Lines about a day sum for people; what is empty is left out."""
    yield f"code: {day_sum.code}"
    yield f"till: {day_sum.till}"
    yield f"day: {day_sum.day:%d.%m.%Y}"
    yield f"cash: {day_sum.cash:,.2f}"
    yield f"card: {day_sum.card:,.2f}"
    yield f"bills: {day_sum.bills}"


def changes_of_day_sum(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_day_sum(before), format_day_sum(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DAYS = Store("days", parse_day_sum, format_day_sum, key="code")
