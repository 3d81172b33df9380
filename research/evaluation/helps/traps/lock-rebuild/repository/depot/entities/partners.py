"""Carriers abroad."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_words
from depot.kit.store import Store

ZONES = ("nordic", "coast", "alpine", "baltic", "iberia")


@dataclass(frozen=True)
class Partner:
    """One of the partners, as a line of data/partners.csv has it."""

    code: str
    title: str
    since: date
    until_day: date
    zone: str
    price: Decimal

    @property
    def length(self):
        """Days from since to until day, both counted."""
        return (self.until_day - self.since).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_partner(row):
    """The partner of a row; BadField names what is wrong in it."""
    found = Partner(
        code=read_code(row, "code", "A"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        until_day=read_day(row, "until_day"),
        zone=read_choice(row, "zone", ZONES),
        price=read_amount(row, "price"),
    )
    if found.until_day < found.since:
        raise BadField(f"{found.code}: until day is before since")
    return found


def format_partner(partner):
    """The row of a partner, as it is read."""
    return {
        "code": partner.code,
        "title": partner.title,
        "since": partner.since.isoformat(),
        "until_day": partner.until_day.isoformat(),
        "zone": partner.zone,
        "price": f"{partner.price:.2f}",
    }


def describe_partner(partner):
    """Lines about a partner for people; what is empty is left out."""
    yield f"code: {partner.code}"
    yield f"title: {partner.title}"
    yield f"since: {partner.since:%d.%m.%Y}"
    yield f"until day: {partner.until_day:%d.%m.%Y}"
    yield f"zone: {partner.zone}"
    yield f"price: {partner.price:,.2f}"


def changes_of_partner(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_partner(before), format_partner(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PARTNERS = Store("partners", parse_partner, format_partner, key="code")
