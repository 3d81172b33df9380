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


ALLOWANCES = Store("allowances", parse_allowance, format_allowance, key="code")
