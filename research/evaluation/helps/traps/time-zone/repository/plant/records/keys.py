"""Keys of cellars."""

from dataclasses import dataclass
from datetime import date

from plant.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from plant.kit.store import Store

KINDS = ("cellar", "roof", "main")


@dataclass(frozen=True)
class Key:
    """One of the keys, as a line of data/keys.csv has it."""

    code: str
    building: str
    given: date
    hooks: int
    kind: str
    lost: bool


def parse_key(row):
    """The key of a row; BadField names what is wrong in it."""
    found = Key(
        code=read_code(row, "code", "Y"),
        building=read_code(row, "building", ""),
        given=read_day(row, "given"),
        hooks=read_count(row, "hooks"),
        kind=read_choice(row, "kind", KINDS),
        lost=read_flag(row, "lost"),
    )
    if found.hooks < 0:
        raise BadField(f"{found.code}: hooks is below zero")
    return found


def format_key(key):
    """The row of a key, as it is read."""
    return {
        "code": key.code,
        "building": key.building,
        "given": key.given.isoformat(),
        "hooks": str(key.hooks),
        "kind": key.kind,
        "lost": "yes" if key.lost else "no",
    }


def describe_key(key):
    """Lines about a key for people; what is empty is left out."""
    yield f"code: {key.code}"
    yield f"building: {key.building}"
    yield f"given: {key.given:%d.%m.%Y}"
    yield f"hooks: {key.hooks}"
    yield f"kind: {key.kind}"
    if key.lost:
        yield "lost"


def changes_of_key(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_key(before), format_key(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


KEYS = Store("keys", parse_key, format_key, key="code")
