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


STAMPS = Store("stamps", parse_stamp_roll, format_stamp_roll, key="code")
