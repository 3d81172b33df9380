"""Names that lead here."""

from datetime import date
from typing import NamedTuple

from ops.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from ops.kit.store import Store

KINDS = ("own", "friend", "old")


class Domain(NamedTuple):
    """One of the domains, as a line of data/domains.csv has it."""

    code: str
    title: str
    since: date
    hits: int
    kind: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_domain(row):
    """The domain of a row; BadField names what is wrong in it."""
    found = Domain(
        code=read_code(row, "code", "N"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        hits=read_count(row, "hits"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.hits < 0:
        raise BadField(f"{found.code}: hits is below zero")
    return found


def format_domain(domain):
    """The row of a domain, as it is read."""
    return {
        "code": domain.code,
        "title": domain.title,
        "since": domain.since.isoformat(),
        "hits": str(domain.hits),
        "kind": domain.kind,
    }


def describe_domain(domain):
    """Lines about a domain for people; what is empty is left out."""
    yield f"code: {domain.code}"
    yield f"title: {domain.title}"
    yield f"since: {domain.since:%d.%m.%Y}"
    yield f"hits: {domain.hits}"
    yield f"kind: {domain.kind}"


def changes_of_domain(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_domain(before), format_domain(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DOMAINS = Store("domains", parse_domain, format_domain, key="code")
