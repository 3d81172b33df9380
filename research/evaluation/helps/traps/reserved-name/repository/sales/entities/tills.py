"""Tills."""

from dataclasses import dataclass
from datetime import date

from sales.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from sales.kit.store import Store

KINDS = ("desk", "hand", "self")


@dataclass(frozen=True)
class Till:
    """One of the tills, as a line of data/tills.csv has it."""

    code: str
    place: str
    fitted: date
    drawers: int
    kind: str
    errors: int

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_till(row):
    """The till of a row; BadField names what is wrong in it."""
    found = Till(
        code=read_code(row, "code", "T"),
        place=read_words(row, "place"),
        fitted=read_day(row, "fitted"),
        drawers=read_count(row, "drawers"),
        kind=read_choice(row, "kind", KINDS),
        errors=read_count(row, "errors"),
    )
    if found.drawers < 0:
        raise BadField(f"{found.code}: drawers is below zero")
    return found


def format_till(till):
    """The row of a till, as it is read."""
    return {
        "code": till.code,
        "place": till.place,
        "fitted": till.fitted.isoformat(),
        "drawers": str(till.drawers),
        "kind": till.kind,
        "errors": str(till.errors),
    }


TILLS = Store("tills", parse_till, format_till, key="code")
