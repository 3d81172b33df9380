"""What had to be thrown away."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag
from shop.kit.store import Store

AISLES = ("A", "B", "C", "D", "E")
WHYS = ("old", "broken", "warm")


@dataclass(frozen=True)
class Waste:
    """One of the wastes, as a line of data/wastes.csv has it."""

    code: str
    day: date
    aisle: str
    kilos: Decimal
    why: str
    given: bool


def parse_waste(row):
    """The waste of a row; BadField names what is wrong in it."""
    found = Waste(
        code=read_code(row, "code", "W"),
        day=read_day(row, "day"),
        aisle=read_choice(row, "aisle", AISLES),
        kilos=read_amount(row, "kilos"),
        why=read_choice(row, "why", WHYS),
        given=read_flag(row, "given"),
    )
    return found


def format_waste(waste):
    """The row of a waste, as it is read."""
    return {
        "code": waste.code,
        "day": waste.day.isoformat(),
        "aisle": waste.aisle,
        "kilos": f"{waste.kilos:.2f}",
        "why": waste.why,
        "given": "yes" if waste.given else "no",
    }


def describe_waste(waste):
    """Lines about a waste for people; what is empty is left out."""
    yield f"code: {waste.code}"
    yield f"day: {waste.day:%d.%m.%Y}"
    yield f"aisle: {waste.aisle}"
    yield f"kilos: {waste.kilos:,.2f}"
    yield f"why: {waste.why}"
    if waste.given:
        yield "given"


def changes_of_waste(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_waste(before), format_waste(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


WASTES = Store("wastes", parse_waste, format_waste, key="code")
