"""Herbs in pots and beds."""

from datetime import date
from typing import NamedTuple

from pantry.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from pantry.kit.store import Store

STATES = ("young", "good", "old", "gone")
PLACES = ("sun", "shade")


class Herb(NamedTuple):
    """One of the herbs, as a line of data/herbs.csv has it."""

    code: str
    what: str
    sown: date
    pots: int
    state: str
    place: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_herb(row):
    """The herb of a row; BadField names what is wrong in it."""
    found = Herb(
        code=read_code(row, "code", "H"),
        what=read_words(row, "what"),
        sown=read_day(row, "sown"),
        pots=read_count(row, "pots"),
        state=read_choice(row, "state", STATES),
        place=read_choice(row, "place", PLACES),
    )
    if found.pots < 0:
        raise BadField(f"{found.code}: pots is below zero")
    return found


def format_herb(herb):
    """The row of a herb, as it is read."""
    return {
        "code": herb.code,
        "what": herb.what,
        "sown": herb.sown.isoformat(),
        "pots": str(herb.pots),
        "state": herb.state,
        "place": herb.place,
    }


def describe_herb(herb):
    """Lines about a herb for people; what is empty is left out."""
    yield f"code: {herb.code}"
    yield f"what: {herb.what}"
    yield f"sown: {herb.sown:%d.%m.%Y}"
    yield f"pots: {herb.pots}"
    yield f"state: {herb.state}"
    yield f"place: {herb.place}"


def changes_of_herb(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_herb(before), format_herb(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


HERBS = Store("herbs", parse_herb, format_herb, key="code")
