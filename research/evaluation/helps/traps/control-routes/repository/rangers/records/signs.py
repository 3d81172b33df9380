"""Signs at crossings."""

from dataclasses import dataclass
from datetime import date

from rangers.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from rangers.kit.store import Store

STATES = ("good", "faded", "gone")


@dataclass(frozen=True)
class Sign:
    """One of the signs, as a line of data/signs.csv has it."""

    code: str
    place: str
    set: date
    arms: int
    state: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_sign(row):
    """The sign of a row; BadField names what is wrong in it."""
    found = Sign(
        code=read_code(row, "code", "S"),
        place=read_words(row, "place"),
        set=read_day(row, "set"),
        arms=read_count(row, "arms"),
        state=read_choice(row, "state", STATES),
    )
    if found.arms < 0:
        raise BadField(f"{found.code}: arms is below zero")
    return found


def format_sign(sign):
    """The row of a sign, as it is read."""
    return {
        "code": sign.code,
        "place": sign.place,
        "set": sign.set.isoformat(),
        "arms": str(sign.arms),
        "state": sign.state,
    }


def describe_sign(sign):
    """Lines about a sign for people; what is empty is left out."""
    yield f"code: {sign.code}"
    yield f"place: {sign.place}"
    yield f"set: {sign.set:%d.%m.%Y}"
    yield f"arms: {sign.arms}"
    yield f"state: {sign.state}"


def changes_of_sign(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_sign(before), format_sign(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SIGNS = Store("signs", parse_sign, format_sign, key="code")
