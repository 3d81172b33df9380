"""What had to be thrown away."""

from datetime import date
from typing import NamedTuple

from pantry.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from pantry.kit.store import Store

WHYS = ("mould", "old", "burnt", "other")


class Waste(NamedTuple):
    """One of the wastes, as a line of data/wastes.csv has it."""

    code: str
    day: date
    grams: int
    why: str
    given: bool


def parse_waste(row):
    """The waste of a row; BadField names what is wrong in it."""
    found = Waste(
        code=read_code(row, "code", "W"),
        day=read_day(row, "day"),
        grams=read_count(row, "grams"),
        why=read_choice(row, "why", WHYS),
        given=read_flag(row, "given"),
    )
    if found.grams < 0:
        raise BadField(f"{found.code}: grams is below zero")
    return found


def format_waste(waste):
    """The row of a waste, as it is read."""
    return {
        "code": waste.code,
        "day": waste.day.isoformat(),
        "grams": str(waste.grams),
        "why": waste.why,
        "given": "yes" if waste.given else "no",
    }


def describe_waste(waste):
    """Lines about a waste for people; what is empty is left out."""
    yield f"code: {waste.code}"
    yield f"day: {waste.day:%d.%m.%Y}"
    yield f"grams: {waste.grams}"
    yield f"why: {waste.why}"
    if waste.given:
        yield "given"


def changes_of_waste(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_waste(before), format_waste(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


WASTES = Store("wastes", parse_waste, format_waste, key="code")
