"""Offers of a week."""

from dataclasses import dataclass
from datetime import date

from sales.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from sales.kit.store import Store

KINDS = ("all", "cards", "evening")


@dataclass(frozen=True)
class Promo:
    """One of the promos, as a line of data/promos.csv has it."""

    code: str
    title: str
    begins: date
    ends: date
    percent: int
    kind: str

    @property
    def length(self):
        """Days from begins to ends, both counted."""
        return (self.ends - self.begins).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_promo(row):
    """The promo of a row; BadField names what is wrong in it."""
    found = Promo(
        code=read_code(row, "code", "P"),
        title=read_words(row, "title"),
        begins=read_day(row, "begins"),
        ends=read_day(row, "ends"),
        percent=read_count(row, "percent"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.ends < found.begins:
        raise BadField(f"{found.code}: ends is before begins")
    if found.percent < 0:
        raise BadField(f"{found.code}: percent is below zero")
    return found


def format_promo(promo):
    """The row of a promo, as it is read."""
    return {
        "code": promo.code,
        "title": promo.title,
        "begins": promo.begins.isoformat(),
        "ends": promo.ends.isoformat(),
        "percent": str(promo.percent),
        "kind": promo.kind,
    }


def describe_promo(promo):
    """Lines about a promo for people; what is empty is left out."""
    yield f"code: {promo.code}"
    yield f"title: {promo.title}"
    yield f"begins: {promo.begins:%d.%m.%Y}"
    yield f"ends: {promo.ends:%d.%m.%Y}"
    yield f"percent: {promo.percent}"
    yield f"kind: {promo.kind}"


def changes_of_promo(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_promo(before), format_promo(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PROMOS = Store("promos", parse_promo, format_promo, key="code")
