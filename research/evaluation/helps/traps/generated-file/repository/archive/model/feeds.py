"""Feeds of other sites."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from archive.kit.store import Store

STATES = ("live", "slow", "dead")


class Feed(NamedTuple):
    """One of the feeds, as a line of data/feeds.csv has it."""

    code: str
    title: str
    since: date
    items: int
    state: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_feed(row):
    """The feed of a row; BadField names what is wrong in it."""
    found = Feed(
        code=read_code(row, "code", "F"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        items=read_count(row, "items"),
        state=read_choice(row, "state", STATES),
    )
    if found.items < 0:
        raise BadField(f"{found.code}: items is below zero")
    return found


def format_feed(feed):
    """The row of a feed, as it is read."""
    return {
        "code": feed.code,
        "title": feed.title,
        "since": feed.since.isoformat(),
        "items": str(feed.items),
        "state": feed.state,
    }


def describe_feed(feed):
    """Lines about a feed for people; what is empty is left out."""
    yield f"code: {feed.code}"
    yield f"title: {feed.title}"
    yield f"since: {feed.since:%d.%m.%Y}"
    yield f"items: {feed.items}"
    yield f"state: {feed.state}"


def changes_of_feed(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_feed(before), format_feed(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FEEDS = Store("feeds", parse_feed, format_feed, key="code")
