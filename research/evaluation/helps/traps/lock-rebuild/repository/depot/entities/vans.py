"""Vans and their rounds."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from depot.kit.store import Store

FUELS = ("diesel", "gas", "power")


@dataclass(frozen=True)
class Van:
    """One of the vans, as a line of data/vans.csv has it."""

    code: str
    label: str
    bought: date
    load: Decimal
    stops: int
    fuel: str

    @property
    def worth(self):
        """Load for all of stops."""
        return self.load * self.stops

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_van(row):
    """The van of a row; BadField names what is wrong in it."""
    found = Van(
        code=read_code(row, "code", "V"),
        label=read_words(row, "label"),
        bought=read_day(row, "bought"),
        load=read_amount(row, "load"),
        stops=read_count(row, "stops"),
        fuel=read_choice(row, "fuel", FUELS),
    )
    if found.stops < 0:
        raise BadField(f"{found.code}: stops is below zero")
    return found


def format_van(van):
    """The row of a van, as it is read."""
    return {
        "code": van.code,
        "label": van.label,
        "bought": van.bought.isoformat(),
        "load": f"{van.load:.2f}",
        "stops": str(van.stops),
        "fuel": van.fuel,
    }


def describe_van(van):
    """Lines about a van for people; what is empty is left out."""
    yield f"code: {van.code}"
    yield f"label: {van.label}"
    yield f"bought: {van.bought:%d.%m.%Y}"
    yield f"load: {van.load:,.2f}"
    yield f"stops: {van.stops}"
    yield f"fuel: {van.fuel}"


def changes_of_van(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_van(before), format_van(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


VANS = Store("vans", parse_van, format_van, key="code")
