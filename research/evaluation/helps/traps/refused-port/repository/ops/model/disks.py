"""Disks."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ops.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from ops.kit.store import Store

STATES = ("good", "old", "dying")


class Disk(NamedTuple):
    """One of the disks, as a line of data/disks.csv has it."""

    code: str
    host: str
    fitted: date
    size: Decimal
    state: str
    errors: int

    @property
    def worth(self):
        """Size for all of errors."""
        return self.size * self.errors


def parse_disk(row):
    """The disk of a row; BadField names what is wrong in it."""
    found = Disk(
        code=read_code(row, "code", "S"),
        host=read_code(row, "host", ""),
        fitted=read_day(row, "fitted"),
        size=read_amount(row, "size"),
        state=read_choice(row, "state", STATES),
        errors=read_count(row, "errors"),
    )
    if found.errors < 0:
        raise BadField(f"{found.code}: errors is below zero")
    return found


def format_disk(disk):
    """The row of a disk, as it is read."""
    return {
        "code": disk.code,
        "host": disk.host,
        "fitted": disk.fitted.isoformat(),
        "size": f"{disk.size:.2f}",
        "state": disk.state,
        "errors": str(disk.errors),
    }


def describe_disk(disk):
    """Lines about a disk for people; what is empty is left out."""
    yield f"code: {disk.code}"
    yield f"host: {disk.host}"
    yield f"fitted: {disk.fitted:%d.%m.%Y}"
    yield f"size: {disk.size:,.2f}"
    yield f"state: {disk.state}"
    yield f"errors: {disk.errors}"


def changes_of_disk(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_disk(before), format_disk(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DISKS = Store("disks", parse_disk, format_disk, key="code")
