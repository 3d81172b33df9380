"""Weekly offers."""

from dataclasses import dataclass
from datetime import date

from shop.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from shop.kit.store import Store

KINDS = ("all", "cards", "evening")


@dataclass(frozen=True)
class Offer:
    """One of the offers, as a line of data/offers.csv has it."""

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


def parse_offer(row):
    """The offer of a row; BadField names what is wrong in it."""
    found = Offer(
        code=read_code(row, "code", "O"),
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


def format_offer(offer):
    """The row of a offer, as it is read."""
    return {
        "code": offer.code,
        "title": offer.title,
        "begins": offer.begins.isoformat(),
        "ends": offer.ends.isoformat(),
        "percent": str(offer.percent),
        "kind": offer.kind,
    }


def describe_offer(offer):
    """Lines about a offer for people; what is empty is left out."""
    yield f"code: {offer.code}"
    yield f"title: {offer.title}"
    yield f"begins: {offer.begins:%d.%m.%Y}"
    yield f"ends: {offer.ends:%d.%m.%Y}"
    yield f"percent: {offer.percent}"
    yield f"kind: {offer.kind}"


def changes_of_offer(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_offer(before), format_offer(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


OFFERS = Store("offers", parse_offer, format_offer, key="code")
