"""Turnstiles and barriers."""

from datetime import date
from typing import NamedTuple

from house.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from house.kit.store import Store

KINDS = ("turnstile", "barrier", "door")


class Gate(NamedTuple):
    """One of the gates, as a line of data/gates.csv has it."""

    code: str
    place: str
    checked: date
    passes: int
    jams: int
    kind: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_gate(row):
    """The gate of a row; BadField names what is wrong in it."""
    found = Gate(
        code=read_code(row, "code", "B"),
        place=read_words(row, "place"),
        checked=read_day(row, "checked"),
        passes=read_count(row, "passes"),
        jams=read_count(row, "jams"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.passes < 0:
        raise BadField(f"{found.code}: passes is below zero")
    return found


def format_gate(gate):
    """The row of a gate, as it is read."""
    return {
        "code": gate.code,
        "place": gate.place,
        "checked": gate.checked.isoformat(),
        "passes": str(gate.passes),
        "jams": str(gate.jams),
        "kind": gate.kind,
    }


def describe_gate(gate):
    """Lines about a gate for people; what is empty is left out."""
    yield f"code: {gate.code}"
    yield f"place: {gate.place}"
    yield f"checked: {gate.checked:%d.%m.%Y}"
    yield f"passes: {gate.passes}"
    yield f"jams: {gate.jams}"
    yield f"kind: {gate.kind}"


def changes_of_gate(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_gate(before), format_gate(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GATES = Store("gates", parse_gate, format_gate, key="code")
