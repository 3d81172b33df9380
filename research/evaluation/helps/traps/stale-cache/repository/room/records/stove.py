"""Wood for the stove."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_note
from room.kit.store import Store

WOODS = ("beech", "birch", "ash", "oak")


@dataclass(frozen=True)
class Firing:
    """One of the stove, as a line of data/stove.csv has it."""

    code: str
    lit: date
    logs: int
    wood: str
    warm: Decimal
    remark: str

    @property
    def worth(self):
        """Warm for all of logs."""
        return self.warm * self.logs


def parse_firing(row):
    """The firing of a row; BadField names what is wrong in it."""
    found = Firing(
        code=read_code(row, "code", "F"),
        lit=read_day(row, "lit"),
        logs=read_count(row, "logs"),
        wood=read_choice(row, "wood", WOODS),
        warm=read_amount(row, "warm"),
        remark=read_note(row, "remark"),
    )
    if found.logs < 0:
        raise BadField(f"{found.code}: logs is below zero")
    return found


def format_firing(firing):
    """The row of a firing, as it is read."""
    return {
        "code": firing.code,
        "lit": firing.lit.isoformat(),
        "logs": str(firing.logs),
        "wood": firing.wood,
        "warm": f"{firing.warm:.2f}",
        "remark": firing.remark,
    }


def describe_firing(firing):
    """Lines about a firing for people; what is empty is left out."""
    yield f"code: {firing.code}"
    yield f"lit: {firing.lit:%d.%m.%Y}"
    yield f"logs: {firing.logs}"
    yield f"wood: {firing.wood}"
    yield f"warm: {firing.warm:,.2f}"
    if firing.remark:
        yield f"remark: {firing.remark}"


def changes_of_firing(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_firing(before), format_firing(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


STOVE = Store("stove", parse_firing, format_firing, key="code")
