"""What was brought back."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_note
from shop.kit.store import Store

WHYS = ("broken", "old", "wrong", "other")


@dataclass(frozen=True)
class ReturnNote:
    """One of the returns, as a line of data/returns.csv has it."""

    code: str
    day: date
    why: str
    amount: Decimal
    pieces: int
    remark: str

    @property
    def worth(self):
        """Amount for all of pieces."""
        return self.amount * self.pieces


def parse_return_note(row):
    """The return note of a row; BadField names what is wrong in it."""
    found = ReturnNote(
        code=read_code(row, "code", "T"),
        day=read_day(row, "day"),
        why=read_choice(row, "why", WHYS),
        amount=read_amount(row, "amount"),
        pieces=read_count(row, "pieces"),
        remark=read_note(row, "remark"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_return_note(return_note):
    """The row of a return note, as it is read."""
    return {
        "code": return_note.code,
        "day": return_note.day.isoformat(),
        "why": return_note.why,
        "amount": f"{return_note.amount:.2f}",
        "pieces": str(return_note.pieces),
        "remark": return_note.remark,
    }


def describe_return_note(return_note):
    """Lines about a return note for people; what is empty is left out."""
    yield f"code: {return_note.code}"
    yield f"day: {return_note.day:%d.%m.%Y}"
    yield f"why: {return_note.why}"
    yield f"amount: {return_note.amount:,.2f}"
    yield f"pieces: {return_note.pieces}"
    if return_note.remark:
        yield f"remark: {return_note.remark}"


def changes_of_return_note(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_return_note(before), format_return_note(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


RETURNS = Store("returns", parse_return_note, format_return_note, key="code")
