"""What an hour costs."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_words
from office.kit.store import Store

KINDS = ("normal", "night", "weekend", "advice")


@dataclass(frozen=True)
class Rate:
    """One of the rates, as a line of data/rates.csv has it."""

    code: str
    label: str
    since: date
    kind: str
    hourly: Decimal

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_rate(row):
    """The rate of a row; BadField names what is wrong in it."""
    found = Rate(
        code=read_code(row, "code", "R"),
        label=read_words(row, "label"),
        since=read_day(row, "since"),
        kind=read_choice(row, "kind", KINDS),
        hourly=read_amount(row, "hourly"),
    )
    return found


def format_rate(rate):
    """The row of a rate, as it is read."""
    return {
        "code": rate.code,
        "label": rate.label,
        "since": rate.since.isoformat(),
        "kind": rate.kind,
        "hourly": f"{rate.hourly:.2f}",
    }


RATES = Store("rates", parse_rate, format_rate, key="code")
