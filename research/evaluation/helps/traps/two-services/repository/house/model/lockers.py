"""Lockers in the hall."""

from datetime import date
from typing import NamedTuple

from house.kit.fields import BadField, read_choice, read_code, read_day, read_flag
from house.kit.store import Store

WALLS = ("left", "right", "back")
SIZES = ("small", "large", "coat")


class Locker(NamedTuple):
    """One of the lockers, as a line of data/lockers.csv has it."""

    code: str
    wall: str
    size: str
    serviced: date
    broken: bool
    key_lost: bool


def parse_locker(row):
    """The locker of a row; BadField names what is wrong in it."""
    found = Locker(
        code=read_code(row, "code", "K"),
        wall=read_choice(row, "wall", WALLS),
        size=read_choice(row, "size", SIZES),
        serviced=read_day(row, "serviced"),
        broken=read_flag(row, "broken"),
        key_lost=read_flag(row, "key_lost"),
    )
    return found


def format_locker(locker):
    """The row of a locker, as it is read."""
    return {
        "code": locker.code,
        "wall": locker.wall,
        "size": locker.size,
        "serviced": locker.serviced.isoformat(),
        "broken": "yes" if locker.broken else "no",
        "key_lost": "yes" if locker.key_lost else "no",
    }


def describe_locker(locker):
    """Lines about a locker for people; what is empty is left out."""
    yield f"code: {locker.code}"
    yield f"wall: {locker.wall}"
    yield f"size: {locker.size}"
    yield f"serviced: {locker.serviced:%d.%m.%Y}"
    if locker.broken:
        yield "broken"
    if locker.key_lost:
        yield "key lost"


def changes_of_locker(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_locker(before), format_locker(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LOCKERS = Store("lockers", parse_locker, format_locker, key="code")
