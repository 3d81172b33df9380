"""Sacks and cages."""

from dataclasses import dataclass
from datetime import date

from depot.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from depot.kit.store import Store

SIZES = ("small", "large", "cage")


@dataclass(frozen=True)
class Sack:
    """One of the sacks, as a line of data/sacks.csv has it."""

    code: str
    label: str
    bought: date
    size: str
    trips: int
    torn: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_sack(row):
    """The sack of a row; BadField names what is wrong in it."""
    found = Sack(
        code=read_code(row, "code", "S"),
        label=read_words(row, "label"),
        bought=read_day(row, "bought"),
        size=read_choice(row, "size", SIZES),
        trips=read_count(row, "trips"),
        torn=read_flag(row, "torn"),
    )
    if found.trips < 0:
        raise BadField(f"{found.code}: trips is below zero")
    return found


def format_sack(sack):
    """The row of a sack, as it is read."""
    return {
        "code": sack.code,
        "label": sack.label,
        "bought": sack.bought.isoformat(),
        "size": sack.size,
        "trips": str(sack.trips),
        "torn": "yes" if sack.torn else "no",
    }


def describe_sack(sack):
    """Lines about a sack for people; what is empty is left out."""
    yield f"code: {sack.code}"
    yield f"label: {sack.label}"
    yield f"bought: {sack.bought:%d.%m.%Y}"
    yield f"size: {sack.size}"
    yield f"trips: {sack.trips}"
    if sack.torn:
        yield "torn"


def changes_of_sack(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_sack(before), format_sack(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SACKS = Store("sacks", parse_sack, format_sack, key="code")
