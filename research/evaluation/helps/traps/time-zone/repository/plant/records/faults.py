"""What was reported as broken."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_note
from plant.kit.store import Store

PARTS = ("meter", "boiler", "pump", "valve", "sensor")


@dataclass(frozen=True)
class Fault:
    """One of the faults, as a line of data/faults.csv has it."""

    code: str
    building: str
    seen: date
    part: str
    hours: Decimal
    mended: bool
    remark: str


def parse_fault(row):
    """The fault of a row; BadField names what is wrong in it."""
    found = Fault(
        code=read_code(row, "code", "F"),
        building=read_code(row, "building", ""),
        seen=read_day(row, "seen"),
        part=read_choice(row, "part", PARTS),
        hours=read_amount(row, "hours"),
        mended=read_flag(row, "mended"),
        remark=read_note(row, "remark"),
    )
    return found


def format_fault(fault):
    """The row of a fault, as it is read."""
    return {
        "code": fault.code,
        "building": fault.building,
        "seen": fault.seen.isoformat(),
        "part": fault.part,
        "hours": f"{fault.hours:.2f}",
        "mended": "yes" if fault.mended else "no",
        "remark": fault.remark,
    }


def describe_fault(fault):
    """Lines about a fault for people; what is empty is left out."""
    yield f"code: {fault.code}"
    yield f"building: {fault.building}"
    yield f"seen: {fault.seen:%d.%m.%Y}"
    yield f"part: {fault.part}"
    yield f"hours: {fault.hours:,.2f}"
    if fault.mended:
        yield "mended"
    if fault.remark:
        yield f"remark: {fault.remark}"


def changes_of_fault(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_fault(before), format_fault(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FAULTS = Store("faults", parse_fault, format_fault, key="code")
