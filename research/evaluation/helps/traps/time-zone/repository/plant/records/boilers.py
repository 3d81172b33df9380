"""Boilers and when they were looked after."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField, read_amount, read_choice, read_code, read_day
from plant.kit.store import Store

FUELS = ("gas", "wood", "oil", "heat")


@dataclass(frozen=True)
class Boiler:
    """One of the boilers, as a line of data/boilers.csv has it."""

    code: str
    building: str
    fitted: date
    checked: date
    output: Decimal
    fuel: str

    @property
    def length(self):
        """Days from fitted to checked, both counted."""
        return (self.checked - self.fitted).days + 1


def parse_boiler(row):
    """The boiler of a row; BadField names what is wrong in it."""
    found = Boiler(
        code=read_code(row, "code", "K"),
        building=read_code(row, "building", ""),
        fitted=read_day(row, "fitted"),
        checked=read_day(row, "checked"),
        output=read_amount(row, "output"),
        fuel=read_choice(row, "fuel", FUELS),
    )
    if found.checked < found.fitted:
        raise BadField(f"{found.code}: checked is before fitted")
    return found


def format_boiler(boiler):
    """The row of a boiler, as it is read."""
    return {
        "code": boiler.code,
        "building": boiler.building,
        "fitted": boiler.fitted.isoformat(),
        "checked": boiler.checked.isoformat(),
        "output": f"{boiler.output:.2f}",
        "fuel": boiler.fuel,
    }


def describe_boiler(boiler):
    """Lines about a boiler for people; what is empty is left out."""
    yield f"code: {boiler.code}"
    yield f"building: {boiler.building}"
    yield f"fitted: {boiler.fitted:%d.%m.%Y}"
    yield f"checked: {boiler.checked:%d.%m.%Y}"
    yield f"output: {boiler.output:,.2f}"
    yield f"fuel: {boiler.fuel}"


def changes_of_boiler(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_boiler(before), format_boiler(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BOILERS = Store("boilers", parse_boiler, format_boiler, key="code")
