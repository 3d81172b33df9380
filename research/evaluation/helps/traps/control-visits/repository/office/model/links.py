"""Links from elsewhere."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from office.kit.store import Store

KINDS = ("friend", "press", "forum")


class Link(NamedTuple):
    """One of the links, as a line of data/links.csv has it."""

    code: str
    title: str
    seen: date
    hits: int
    kind: str
    dead: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_link(row):
    """The link of a row; BadField names what is wrong in it."""
    found = Link(
        code=read_code(row, "code", "L"),
        title=read_words(row, "title"),
        seen=read_day(row, "seen"),
        hits=read_count(row, "hits"),
        kind=read_choice(row, "kind", KINDS),
        dead=read_flag(row, "dead"),
    )
    if found.hits < 0:
        raise BadField(f"{found.code}: hits is below zero")
    return found


def format_link(link):
    """The row of a link, as it is read."""
    return {
        "code": link.code,
        "title": link.title,
        "seen": link.seen.isoformat(),
        "hits": str(link.hits),
        "kind": link.kind,
        "dead": "yes" if link.dead else "no",
    }


def describe_link(link):
    """Lines about a link for people; what is empty is left out."""
    yield f"code: {link.code}"
    yield f"title: {link.title}"
    yield f"seen: {link.seen:%d.%m.%Y}"
    yield f"hits: {link.hits}"
    yield f"kind: {link.kind}"
    if link.dead:
        yield "dead"


def changes_of_link(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_link(before), format_link(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LINKS = Store("links", parse_link, format_link, key="code")
