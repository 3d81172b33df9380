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


def describe_rate(rate):
    """Lines about a rate for people; what is empty is left out."""
    yield f"code: {rate.code}"
    yield f"label: {rate.label}"
    yield f"since: {rate.since:%d.%m.%Y}"
    yield f"kind: {rate.kind}"
    yield f"hourly: {rate.hourly:,.2f}"


def changes_of_rate(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_rate(before), format_rate(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


RATES = Store("rates", parse_rate, format_rate, key="code")
