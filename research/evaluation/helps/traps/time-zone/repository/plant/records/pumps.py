"""Pumps."""

from dataclasses import dataclass
from datetime import date

from plant.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from plant.kit.store import Store

SPEEDS = ("slow", "mid", "fast")


@dataclass(frozen=True)
class Pump:
    """One of the pumps, as a line of data/pumps.csv has it."""

    code: str
    building: str
    fitted: date
    watts: int
    speed: str
    spare: bool


def parse_pump(row):
    """The pump of a row; BadField names what is wrong in it."""
    found = Pump(
        code=read_code(row, "code", "P"),
        building=read_code(row, "building", ""),
        fitted=read_day(row, "fitted"),
        watts=read_count(row, "watts"),
        speed=read_choice(row, "speed", SPEEDS),
        spare=read_flag(row, "spare"),
    )
    if found.watts < 0:
        raise BadField(f"{found.code}: watts is below zero")
    return found


def format_pump(pump):
    """The row of a pump, as it is read."""
    return {
        "code": pump.code,
        "building": pump.building,
        "fitted": pump.fitted.isoformat(),
        "watts": str(pump.watts),
        "speed": pump.speed,
        "spare": "yes" if pump.spare else "no",
    }


def describe_pump(pump):
    """Lines about a pump for people; what is empty is left out."""
    yield f"code: {pump.code}"
    yield f"building: {pump.building}"
    yield f"fitted: {pump.fitted:%d.%m.%Y}"
    yield f"watts: {pump.watts}"
    yield f"speed: {pump.speed}"
    if pump.spare:
        yield "spare"


def changes_of_pump(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_pump(before), format_pump(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PUMPS = Store("pumps", parse_pump, format_pump, key="code")
