"""What entries are given."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from archive.kit.store import Store

KINDS = ("warm", "funny", "old", "far")


class Badge(NamedTuple):
    """One of the badges, as a line of data/badges.csv has it."""

    code: str
    title: str
    since: date
    given: int
    kind: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_badge(row):
    """The badge of a row; BadField names what is wrong in it."""
    found = Badge(
        code=read_code(row, "code", "A"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        given=read_count(row, "given"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.given < 0:
        raise BadField(f"{found.code}: given is below zero")
    return found


def format_badge(badge):
    """The row of a badge, as it is read."""
    return {
        "code": badge.code,
        "title": badge.title,
        "since": badge.since.isoformat(),
        "given": str(badge.given),
        "kind": badge.kind,
    }


def describe_badge(badge):
    """Lines about a badge for people; what is empty is left out."""
    yield f"code: {badge.code}"
    yield f"title: {badge.title}"
    yield f"since: {badge.since:%d.%m.%Y}"
    yield f"given: {badge.given}"
    yield f"kind: {badge.kind}"


def changes_of_badge(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_badge(before), format_badge(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BADGES = Store("badges", parse_badge, format_badge, key="code")
