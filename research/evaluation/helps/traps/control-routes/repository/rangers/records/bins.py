"""Bins."""

from dataclasses import dataclass
from datetime import date

from rangers.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from rangers.kit.store import Store

KINDS = ("paper", "rest", "glass")


@dataclass(frozen=True)
class BinPlace:
    """One of the bins, as a line of data/bins.csv has it."""

    code: str
    place: str
    emptied: date
    litres: int
    kind: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_bin_place(row):
    """The bin place of a row; BadField names what is wrong in it."""
    found = BinPlace(
        code=read_code(row, "code", "N"),
        place=read_words(row, "place"),
        emptied=read_day(row, "emptied"),
        litres=read_count(row, "litres"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.litres < 0:
        raise BadField(f"{found.code}: litres is below zero")
    return found


def format_bin_place(bin_place):
    """The row of a bin place, as it is read."""
    return {
        "code": bin_place.code,
        "place": bin_place.place,
        "emptied": bin_place.emptied.isoformat(),
        "litres": str(bin_place.litres),
        "kind": bin_place.kind,
    }


def describe_bin_place(bin_place):
    """Lines about a bin place for people; what is empty is left out."""
    yield f"code: {bin_place.code}"
    yield f"place: {bin_place.place}"
    yield f"emptied: {bin_place.emptied:%d.%m.%Y}"
    yield f"litres: {bin_place.litres}"
    yield f"kind: {bin_place.kind}"


def changes_of_bin_place(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bin_place(before), format_bin_place(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BINS = Store("bins", parse_bin_place, format_bin_place, key="code")
