"""Bridges."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from rangers.kit.store import Store

KINDS = ("wood", "stone", "steel")


@dataclass(frozen=True)
class Bridge:
    """One of the bridges, as a line of data/bridges.csv has it."""

    code: str
    title: str
    checked: date
    span: Decimal
    load: int
    kind: str

    @property
    def worth(self):
        """Span for all of load."""
        return self.span * self.load

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_bridge(row):
    """The bridge of a row; BadField names what is wrong in it."""
    found = Bridge(
        code=read_code(row, "code", "R"),
        title=read_words(row, "title"),
        checked=read_day(row, "checked"),
        span=read_amount(row, "span"),
        load=read_count(row, "load"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.load < 0:
        raise BadField(f"{found.code}: load is below zero")
    return found


def format_bridge(bridge):
    """The row of a bridge, as it is read."""
    return {
        "code": bridge.code,
        "title": bridge.title,
        "checked": bridge.checked.isoformat(),
        "span": f"{bridge.span:.2f}",
        "load": str(bridge.load),
        "kind": bridge.kind,
    }


def describe_bridge(bridge):
    """Lines about a bridge for people; what is empty is left out."""
    yield f"code: {bridge.code}"
    yield f"title: {bridge.title}"
    yield f"checked: {bridge.checked:%d.%m.%Y}"
    yield f"span: {bridge.span:,.2f}"
    yield f"load: {bridge.load}"
    yield f"kind: {bridge.kind}"


def changes_of_bridge(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bridge(before), format_bridge(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BRIDGES = Store("bridges", parse_bridge, format_bridge, key="code")
