"""Names that lead to us."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_words
from office.kit.store import Store

KINDS = ("main", "old", "short")


class Domain(NamedTuple):
    """One of the domains, as a line of data/domains.csv has it."""

    code: str
    title: str
    since: date
    until_day: date
    fee: Decimal
    kind: str

    @property
    def length(self):
        """Days from since to until day, both counted."""
        return (self.until_day - self.since).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_domain(row):
    """The domain of a row; BadField names what is wrong in it."""
    found = Domain(
        code=read_code(row, "code", "D"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        until_day=read_day(row, "until_day"),
        fee=read_amount(row, "fee"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.until_day < found.since:
        raise BadField(f"{found.code}: until day is before since")
    return found


def format_domain(domain):
    """The row of a domain, as it is read."""
    return {
        "code": domain.code,
        "title": domain.title,
        "since": domain.since.isoformat(),
        "until_day": domain.until_day.isoformat(),
        "fee": f"{domain.fee:.2f}",
        "kind": domain.kind,
    }


def describe_domain(domain):
    """Lines about a domain for people; what is empty is left out."""
    yield f"code: {domain.code}"
    yield f"title: {domain.title}"
    yield f"since: {domain.since:%d.%m.%Y}"
    yield f"until day: {domain.until_day:%d.%m.%Y}"
    yield f"fee: {domain.fee:,.2f}"
    yield f"kind: {domain.kind}"


def changes_of_domain(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_domain(before), format_domain(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DOMAINS = Store("domains", parse_domain, format_domain, key="code")
