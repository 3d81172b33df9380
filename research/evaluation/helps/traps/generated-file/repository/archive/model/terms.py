"""Words that are looked at before an entry is shown."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from archive.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from archive.kit.store import Store

KINDS = ("block", "hold", "warn")


class Term(NamedTuple):
    """One of the terms, as a line of data/terms.csv has it."""

    code: str
    spelling: str
    since: date
    weight: Decimal
    kind: str
    hits: int

    @property
    def worth(self):
        """Weight for all of hits."""
        return self.weight * self.hits

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.spelling}"


def parse_term(row):
    """The term of a row; BadField names what is wrong in it."""
    found = Term(
        code=read_code(row, "code", "W"),
        spelling=read_words(row, "spelling"),
        since=read_day(row, "since"),
        weight=read_amount(row, "weight"),
        kind=read_choice(row, "kind", KINDS),
        hits=read_count(row, "hits"),
    )
    if found.hits < 0:
        raise BadField(f"{found.code}: hits is below zero")
    return found


def format_term(term):
    """The row of a term, as it is read."""
    return {
        "code": term.code,
        "spelling": term.spelling,
        "since": term.since.isoformat(),
        "weight": f"{term.weight:.2f}",
        "kind": term.kind,
        "hits": str(term.hits),
    }


def describe_term(term):
    """Lines about a term for people; what is empty is left out."""
    yield f"code: {term.code}"
    yield f"spelling: {term.spelling}"
    yield f"since: {term.since:%d.%m.%Y}"
    yield f"weight: {term.weight:,.2f}"
    yield f"kind: {term.kind}"
    yield f"hits: {term.hits}"


def changes_of_term(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_term(before), format_term(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TERMS = Store("terms", parse_term, format_term, key="code")
