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


FAULTS = Store("faults", parse_fault, format_fault, key="code")
