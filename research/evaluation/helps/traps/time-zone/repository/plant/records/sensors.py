"""Sensors for warmth."""

from dataclasses import dataclass
from datetime import date

from plant.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from plant.kit.store import Store

KINDS = ("room", "flow", "outside")


@dataclass(frozen=True)
class Sensor:
    """One of the sensors, as a line of data/sensors.csv has it."""

    code: str
    building: str
    fitted: date
    kind: str
    battery: int
    wired: bool


def parse_sensor(row):
    """The sensor of a row; BadField names what is wrong in it."""
    found = Sensor(
        code=read_code(row, "code", "S"),
        building=read_code(row, "building", ""),
        fitted=read_day(row, "fitted"),
        kind=read_choice(row, "kind", KINDS),
        battery=read_count(row, "battery"),
        wired=read_flag(row, "wired"),
    )
    if found.battery < 0:
        raise BadField(f"{found.code}: battery is below zero")
    return found


def format_sensor(sensor):
    """The row of a sensor, as it is read."""
    return {
        "code": sensor.code,
        "building": sensor.building,
        "fitted": sensor.fitted.isoformat(),
        "kind": sensor.kind,
        "battery": str(sensor.battery),
        "wired": "yes" if sensor.wired else "no",
    }


def describe_sensor(sensor):
    """Lines about a sensor for people; what is empty is left out."""
    yield f"code: {sensor.code}"
    yield f"building: {sensor.building}"
    yield f"fitted: {sensor.fitted:%d.%m.%Y}"
    yield f"kind: {sensor.kind}"
    yield f"battery: {sensor.battery}"
    if sensor.wired:
        yield "wired"


def changes_of_sensor(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_sensor(before), format_sensor(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SENSORS = Store("sensors", parse_sensor, format_sensor, key="code")
