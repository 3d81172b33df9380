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


def describe_scale(scale):
    """Lines about a scale for people; what is empty is left out."""
    yield f"code: {scale.code}"
    yield f"branch: {scale.branch}"
    yield f"checked: {scale.checked:%d.%m.%Y}"
    yield f"most: {scale.most}"
    yield f"error: {scale.error:,.2f}"
    if scale.sealed:
        yield "sealed"


def changes_of_scale(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_scale(before), format_scale(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SCALES = Store("scales", parse_scale, format_scale, key="code")
