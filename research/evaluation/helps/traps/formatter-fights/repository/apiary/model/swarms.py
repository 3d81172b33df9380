"""Swarms that were seen."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from apiary.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from apiary.kit.store import Store

ENDS = ("caught", "gone", "given")


class Swarm(NamedTuple):
    """One of the swarms, as a line of data/swarms.csv has it."""

    code: str
    place: str
    seen: date
    kilos: Decimal
    end: str
    cast_swarm: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_swarm(row):
    """The swarm of a row; BadField names what is wrong in it."""
    found = Swarm(
        code=read_code(row, "code", "S"),
        place=read_words(row, "place"),
        seen=read_day(row, "seen"),
        kilos=read_amount(row, "kilos"),
        end=read_choice(row, "end", ENDS),
        cast_swarm=read_flag(row, "cast_swarm"),
    )
    return found


def format_swarm(swarm):
    """The row of a swarm, as it is read."""
    return {
        "code": swarm.code,
        "place": swarm.place,
        "seen": swarm.seen.isoformat(),
        "kilos": f"{swarm.kilos:.2f}",
        "end": swarm.end,
        "cast_swarm": "yes" if swarm.cast_swarm else "no",
    }


def describe_swarm(swarm):
    """Lines about a swarm for people; what is empty is left out."""
    yield f"code: {swarm.code}"
    yield f"place: {swarm.place}"
    yield f"seen: {swarm.seen:%d.%m.%Y}"
    yield f"kilos: {swarm.kilos:,.2f}"
    yield f"end: {swarm.end}"
    if swarm.cast_swarm:
        yield "cast swarm"


def changes_of_swarm(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_swarm(before), format_swarm(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SWARMS = Store("swarms", parse_swarm, format_swarm, key="code")
