"""Sourdoughs."""

from datetime import date
from typing import NamedTuple

from pantry.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from pantry.kit.store import Store

FLOURS = ("rye", "wheat", "spelt")


class Sourdough(NamedTuple):
    """One of the sourdoughs, as a line of data/sourdoughs.csv has it."""

    code: str
    label: str
    begun: date
    fed: date
    flour: str
    grams: int

    @property
    def length(self):
        """Days from begun to fed, both counted."""
        return (self.fed - self.begun).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.label}"


def parse_sourdough(row):
    """The sourdough of a row; BadField names what is wrong in it."""
    found = Sourdough(
        code=read_code(row, "code", "S"),
        label=read_words(row, "label"),
        begun=read_day(row, "begun"),
        fed=read_day(row, "fed"),
        flour=read_choice(row, "flour", FLOURS),
        grams=read_count(row, "grams"),
    )
    if found.fed < found.begun:
        raise BadField(f"{found.code}: fed is before begun")
    if found.grams < 0:
        raise BadField(f"{found.code}: grams is below zero")
    return found


def format_sourdough(sourdough):
    """The row of a sourdough, as it is read."""
    return {
        "code": sourdough.code,
        "label": sourdough.label,
        "begun": sourdough.begun.isoformat(),
        "fed": sourdough.fed.isoformat(),
        "flour": sourdough.flour,
        "grams": str(sourdough.grams),
    }


def describe_sourdough(sourdough):
    """Lines about a sourdough for people; what is empty is left out."""
    yield f"code: {sourdough.code}"
    yield f"label: {sourdough.label}"
    yield f"begun: {sourdough.begun:%d.%m.%Y}"
    yield f"fed: {sourdough.fed:%d.%m.%Y}"
    yield f"flour: {sourdough.flour}"
    yield f"grams: {sourdough.grams}"


def changes_of_sourdough(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_sourdough(before), format_sourdough(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SOURDOUGHS = Store("sourdoughs", parse_sourdough, format_sourdough, key="code")
