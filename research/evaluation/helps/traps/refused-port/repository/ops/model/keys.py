"""Keys that callers were given; whom, is in the safe."""

from datetime import date
from typing import NamedTuple

from ops.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from ops.kit.store import Store

KINDS = ("read", "write", "test")


class Key(NamedTuple):
    """One of the keys, as a line of data/keys.csv has it."""

    code: str
    given: date
    ends: date
    uses: int
    kind: str
    blocked: bool

    @property
    def length(self):
        """Days from given to ends, both counted."""
        return (self.ends - self.given).days + 1


def parse_key(row):
    """The key of a row; BadField names what is wrong in it."""
    found = Key(
        code=read_code(row, "code", "K"),
        given=read_day(row, "given"),
        ends=read_day(row, "ends"),
        uses=read_count(row, "uses"),
        kind=read_choice(row, "kind", KINDS),
        blocked=read_flag(row, "blocked"),
    )
    if found.ends < found.given:
        raise BadField(f"{found.code}: ends is before given")
    if found.uses < 0:
        raise BadField(f"{found.code}: uses is below zero")
    return found


def format_key(key):
    """The row of a key, as it is read."""
    return {
        "code": key.code,
        "given": key.given.isoformat(),
        "ends": key.ends.isoformat(),
        "uses": str(key.uses),
        "kind": key.kind,
        "blocked": "yes" if key.blocked else "no",
    }


def describe_key(key):
    """Lines about a key for people; what is empty is left out."""
    yield f"code: {key.code}"
    yield f"given: {key.given:%d.%m.%Y}"
    yield f"ends: {key.ends:%d.%m.%Y}"
    yield f"uses: {key.uses}"
    yield f"kind: {key.kind}"
    if key.blocked:
        yield "blocked"


def changes_of_key(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_key(before), format_key(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


KEYS = Store("keys", parse_key, format_key, key="code")
