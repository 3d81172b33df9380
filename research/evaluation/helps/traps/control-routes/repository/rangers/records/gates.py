"""Gates."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from rangers.kit.store import Store

KINDS = ("main", "side", "cart")


@dataclass(frozen=True)
class Gate:
    """One of the gates, as a line of data/gates.csv has it."""

    code: str
    place: str
    opened: date
    hours: Decimal
    kind: str
    locked: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_gate(row):
    """The gate of a row; BadField names what is wrong in it."""
    found = Gate(
        code=read_code(row, "code", "A"),
        place=read_words(row, "place"),
        opened=read_day(row, "opened"),
        hours=read_amount(row, "hours"),
        kind=read_choice(row, "kind", KINDS),
        locked=read_flag(row, "locked"),
    )
    return found


def format_gate(gate):
    """The row of a gate, as it is read."""
    return {
        "code": gate.code,
        "place": gate.place,
        "opened": gate.opened.isoformat(),
        "hours": f"{gate.hours:.2f}",
        "kind": gate.kind,
        "locked": "yes" if gate.locked else "no",
    }


def describe_gate(gate):
    """Lines about a gate for people; what is empty is left out."""
    yield f"code: {gate.code}"
    yield f"place: {gate.place}"
    yield f"opened: {gate.opened:%d.%m.%Y}"
    yield f"hours: {gate.hours:,.2f}"
    yield f"kind: {gate.kind}"
    if gate.locked:
        yield "locked"


def changes_of_gate(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_gate(before), format_gate(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GATES = Store("gates", parse_gate, format_gate, key="code")
