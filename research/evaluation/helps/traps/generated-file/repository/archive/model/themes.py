"""Looks of the pages."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from archive.kit.store import Store

KINDS = ("light", "dark", "print")


class Theme(NamedTuple):
    """One of the themes, as a line of data/themes.csv has it."""

    code: str
    title: str
    since: date
    colours: int
    kind: str
    used: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_theme(row):
    """The theme of a row; BadField names what is wrong in it."""
    found = Theme(
        code=read_code(row, "code", "T"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        colours=read_count(row, "colours"),
        kind=read_choice(row, "kind", KINDS),
        used=read_flag(row, "used"),
    )
    if found.colours < 0:
        raise BadField(f"{found.code}: colours is below zero")
    return found


def format_theme(theme):
    """The row of a theme, as it is read."""
    return {
        "code": theme.code,
        "title": theme.title,
        "since": theme.since.isoformat(),
        "colours": str(theme.colours),
        "kind": theme.kind,
        "used": "yes" if theme.used else "no",
    }


def describe_theme(theme):
    """Lines about a theme for people; what is empty is left out."""
    yield f"code: {theme.code}"
    yield f"title: {theme.title}"
    yield f"since: {theme.since:%d.%m.%Y}"
    yield f"colours: {theme.colours}"
    yield f"kind: {theme.kind}"
    if theme.used:
        yield "used"


def changes_of_theme(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_theme(before), format_theme(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


THEMES = Store("themes", parse_theme, format_theme, key="code")
