"""Scales, and when they were checked."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_code, read_count, read_day, read_flag
from depot.kit.store import Store


@dataclass(frozen=True)
class Scale:
    """One of the scales, as a line of data/scales.csv has it."""

    code: str
    branch: str
    checked: date
    most: int
    error: Decimal
    sealed: bool

    @property
    def worth(self):
        """Error for all of most."""
        return self.error * self.most


def parse_scale(row):
    """The scale of a row; BadField names what is wrong in it."""
    found = Scale(
        code=read_code(row, "code", "W"),
        branch=read_code(row, "branch", ""),
        checked=read_day(row, "checked"),
        most=read_count(row, "most"),
        error=read_amount(row, "error"),
        sealed=read_flag(row, "sealed"),
    )
    if found.most < 0:
        raise BadField(f"{found.code}: most is below zero")
    return found


def format_scale(scale):
    """The row of a scale, as it is read."""
    return {
        "code": scale.code,
        "branch": scale.branch,
        "checked": scale.checked.isoformat(),
        "most": str(scale.most),
        "error": f"{scale.error:.2f}",
        "sealed": "yes" if scale.sealed else "no",
    }


SCALES = Store("scales", parse_scale, format_scale, key="code")
