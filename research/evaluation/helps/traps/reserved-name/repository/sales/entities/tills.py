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


def describe_till(till):
    """Lines about a till for people; what is empty is left out."""
    yield f"code: {till.code}"
    yield f"place: {till.place}"
    yield f"fitted: {till.fitted:%d.%m.%Y}"
    yield f"drawers: {till.drawers}"
    yield f"kind: {till.kind}"
    yield f"errors: {till.errors}"


def changes_of_till(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_till(before), format_till(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TILLS = Store("tills", parse_till, format_till, key="code")
