"""Rolls of stamps."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_code, read_count, read_day
from depot.kit.store import Store


@dataclass(frozen=True)
class StampRoll:
    """One of the stamps, as a line of data/stamps.csv has it."""

    code: str
    branch: str
    given: date
    pieces: int
    left_over: int
    value: Decimal

    @property
    def worth(self):
        """Value for all of pieces."""
        return self.value * self.pieces


def parse_stamp_roll(row):
    """The stamp roll of a row; BadField names what is wrong in it."""
    found = StampRoll(
        code=read_code(row, "code", "R"),
        branch=read_code(row, "branch", ""),
        given=read_day(row, "given"),
        pieces=read_count(row, "pieces"),
        left_over=read_count(row, "left_over"),
        value=read_amount(row, "value"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_stamp_roll(stamp_roll):
    """The row of a stamp roll, as it is read."""
    return {
        "code": stamp_roll.code,
        "branch": stamp_roll.branch,
        "given": stamp_roll.given.isoformat(),
        "pieces": str(stamp_roll.pieces),
        "left_over": str(stamp_roll.left_over),
        "value": f"{stamp_roll.value:.2f}",
    }


def describe_stamp_roll(stamp_roll):
    """Lines about a stamp roll for people; what is empty is left out."""
    yield f"code: {stamp_roll.code}"
    yield f"branch: {stamp_roll.branch}"
    yield f"given: {stamp_roll.given:%d.%m.%Y}"
    yield f"pieces: {stamp_roll.pieces}"
    yield f"left over: {stamp_roll.left_over}"
    yield f"value: {stamp_roll.value:,.2f}"


def changes_of_stamp_roll(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_stamp_roll(before), format_stamp_roll(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


STAMPS = Store("stamps", parse_stamp_roll, format_stamp_roll, key="code")
