"""Allowances for days away."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from office.kit.store import Store

COUNTRYS = ("at", "be", "de", "dk", "nl")


@dataclass(frozen=True)
class Allowance:
    """One of the allowances, as a line of data/allowances.csv has it."""

    code: str
    project: str
    day: date
    nights: int
    amount: Decimal
    country: str

    @property
    def worth(self):
        """Amount for all of nights."""
        return self.amount * self.nights


def parse_allowance(row):
    """The allowance of a row; BadField names what is wrong in it."""
    found = Allowance(
        code=read_code(row, "code", "L"),
        project=read_code(row, "project", ""),
        day=read_day(row, "day"),
        nights=read_count(row, "nights"),
        amount=read_amount(row, "amount"),
        country=read_choice(row, "country", COUNTRYS),
    )
    if found.nights < 0:
        raise BadField(f"{found.code}: nights is below zero")
    return found


def format_allowance(allowance):
    """The row of a allowance, as it is read."""
    return {
        "code": allowance.code,
        "project": allowance.project,
        "day": allowance.day.isoformat(),
        "nights": str(allowance.nights),
        "amount": f"{allowance.amount:.2f}",
        "country": allowance.country,
    }


def describe_allowance(allowance):
    """Lines about a allowance for people; what is empty is left out."""
    yield f"code: {allowance.code}"
    yield f"project: {allowance.project}"
    yield f"day: {allowance.day:%d.%m.%Y}"
    yield f"nights: {allowance.nights}"
    yield f"amount: {allowance.amount:,.2f}"
    yield f"country: {allowance.country}"


def changes_of_allowance(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_allowance(before), format_allowance(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ALLOWANCES = Store("allowances", parse_allowance, format_allowance, key="code")
