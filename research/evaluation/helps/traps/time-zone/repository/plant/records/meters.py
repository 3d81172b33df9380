"""Meters, each in one building."""

from dataclasses import dataclass
from datetime import date

from plant.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note
from plant.kit.store import Store

KINDS = ("power", "gas", "water", "heat")


@dataclass(frozen=True)
class Meter:
    """One of the meters, as a line of data/meters.csv has it."""

    code: str
    building: str
    fitted: date
    kind: str
    digits: int
    sealed: bool
    remark: str


def parse_meter(row):
    """The meter of a row; BadField names what is wrong in it."""
    found = Meter(
        code=read_code(row, "code", "M"),
        building=read_code(row, "building", ""),
        fitted=read_day(row, "fitted"),
        kind=read_choice(row, "kind", KINDS),
        digits=read_count(row, "digits"),
        sealed=read_flag(row, "sealed"),
        remark=read_note(row, "remark"),
    )
    if found.digits < 0:
        raise BadField(f"{found.code}: digits is below zero")
    return found


def format_meter(meter):
    """The row of a meter, as it is read."""
    return {
        "code": meter.code,
        "building": meter.building,
        "fitted": meter.fitted.isoformat(),
        "kind": meter.kind,
        "digits": str(meter.digits),
        "sealed": "yes" if meter.sealed else "no",
        "remark": meter.remark,
    }


def describe_meter(meter):
    """Lines about a meter for people; what is empty is left out."""
    yield f"code: {meter.code}"
    yield f"building: {meter.building}"
    yield f"fitted: {meter.fitted:%d.%m.%Y}"
    yield f"kind: {meter.kind}"
    yield f"digits: {meter.digits}"
    if meter.sealed:
        yield "sealed"
    if meter.remark:
        yield f"remark: {meter.remark}"


def changes_of_meter(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_meter(before), format_meter(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


METERS = Store("meters", parse_meter, format_meter, key="code")
