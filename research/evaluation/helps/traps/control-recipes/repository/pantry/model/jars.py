"""Jars on the shelf."""

from datetime import date
from typing import NamedTuple

from pantry.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from pantry.kit.store import Store

KINDS = ("jam", "pickle", "sauce", "dried")


class Jar(NamedTuple):
    """One of the jars, as a line of data/jars.csv has it."""

    code: str
    what: str
    filled: date
    best_until: date
    grams: int
    kind: str
    opened: bool

    @property
    def length(self):
        """Days from filled to best until, both counted."""
        return (self.best_until - self.filled).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_jar(row):
    """The jar of a row; BadField names what is wrong in it."""
    found = Jar(
        code=read_code(row, "code", "J"),
        what=read_words(row, "what"),
        filled=read_day(row, "filled"),
        best_until=read_day(row, "best_until"),
        grams=read_count(row, "grams"),
        kind=read_choice(row, "kind", KINDS),
        opened=read_flag(row, "opened"),
    )
    if found.best_until < found.filled:
        raise BadField(f"{found.code}: best until is before filled")
    if found.grams < 0:
        raise BadField(f"{found.code}: grams is below zero")
    return found


def format_jar(jar):
    """The row of a jar, as it is read."""
    return {
        "code": jar.code,
        "what": jar.what,
        "filled": jar.filled.isoformat(),
        "best_until": jar.best_until.isoformat(),
        "grams": str(jar.grams),
        "kind": jar.kind,
        "opened": "yes" if jar.opened else "no",
    }


def describe_jar(jar):
    """Lines about a jar for people; what is empty is left out."""
    yield f"code: {jar.code}"
    yield f"what: {jar.what}"
    yield f"filled: {jar.filled:%d.%m.%Y}"
    yield f"best until: {jar.best_until:%d.%m.%Y}"
    yield f"grams: {jar.grams}"
    yield f"kind: {jar.kind}"
    if jar.opened:
        yield "opened"


def changes_of_jar(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_jar(before), format_jar(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


JARS = Store("jars", parse_jar, format_jar, key="code")
