"""Pans and pots."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pantry.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from pantry.kit.store import Store

KINDS = ("pan", "pot", "tin", "dish")


class Pan(NamedTuple):
    """One of the pans, as a line of data/pans.csv has it."""

    code: str
    what: str
    bought: date
    size: Decimal
    kind: str
    lent: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_pan(row):
    """The pan of a row; BadField names what is wrong in it."""
    found = Pan(
        code=read_code(row, "code", "K"),
        what=read_words(row, "what"),
        bought=read_day(row, "bought"),
        size=read_amount(row, "size"),
        kind=read_choice(row, "kind", KINDS),
        lent=read_flag(row, "lent"),
    )
    return found


def format_pan(pan):
    """The row of a pan, as it is read."""
    return {
        "code": pan.code,
        "what": pan.what,
        "bought": pan.bought.isoformat(),
        "size": f"{pan.size:.2f}",
        "kind": pan.kind,
        "lent": "yes" if pan.lent else "no",
    }


def describe_pan(pan):
    """Lines about a pan for people; what is empty is left out."""
    yield f"code: {pan.code}"
    yield f"what: {pan.what}"
    yield f"bought: {pan.bought:%d.%m.%Y}"
    yield f"size: {pan.size:,.2f}"
    yield f"kind: {pan.kind}"
    if pan.lent:
        yield "lent"


def changes_of_pan(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_pan(before), format_pan(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PANS = Store("pans", parse_pan, format_pan, key="code")
