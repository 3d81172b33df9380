"""Rounds of the rangers."""

from dataclasses import dataclass
from datetime import date

from rangers.kit.fields import BadField, read_choice, read_code, read_count, read_day
from rangers.kit.store import Store

WAYS = ("foot", "bicycle", "cart")


@dataclass(frozen=True)
class RoundWalk:
    """One of the rounds, as a line of data/rounds.csv has it."""

    code: str
    day: date
    minutes: int
    finds: int
    way: str


def parse_round_walk(row):
    """The round walk of a row; BadField names what is wrong in it."""
    found = RoundWalk(
        code=read_code(row, "code", "G"),
        day=read_day(row, "day"),
        minutes=read_count(row, "minutes"),
        finds=read_count(row, "finds"),
        way=read_choice(row, "way", WAYS),
    )
    if found.minutes < 0:
        raise BadField(f"{found.code}: minutes is below zero")
    return found


def format_round_walk(round_walk):
    """The row of a round walk, as it is read."""
    return {
        "code": round_walk.code,
        "day": round_walk.day.isoformat(),
        "minutes": str(round_walk.minutes),
        "finds": str(round_walk.finds),
        "way": round_walk.way,
    }


def describe_round_walk(round_walk):
    """Lines about a round walk for people; what is empty is left out."""
    yield f"code: {round_walk.code}"
    yield f"day: {round_walk.day:%d.%m.%Y}"
    yield f"minutes: {round_walk.minutes}"
    yield f"finds: {round_walk.finds}"
    yield f"way: {round_walk.way}"


def changes_of_round_walk(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_round_walk(before), format_round_walk(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ROUNDS = Store("rounds", parse_round_walk, format_round_walk, key="code")
