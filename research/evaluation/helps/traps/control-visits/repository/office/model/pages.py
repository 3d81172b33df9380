"""Pages, and when they were looked over."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from office.kit.store import Store

KINDS = ("news", "about", "map", "form")


class PageNote(NamedTuple):
    """One of the pages, as a line of data/pages.csv has it."""

    code: str
    title: str
    seen: date
    words: int
    kind: str
    old: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_page_note(row):
    """The page note of a row; BadField names what is wrong in it."""
    found = PageNote(
        code=read_code(row, "code", "P"),
        title=read_words(row, "title"),
        seen=read_day(row, "seen"),
        words=read_count(row, "words"),
        kind=read_choice(row, "kind", KINDS),
        old=read_flag(row, "old"),
    )
    if found.words < 0:
        raise BadField(f"{found.code}: words is below zero")
    return found


def format_page_note(page_note):
    """The row of a page note, as it is read."""
    return {
        "code": page_note.code,
        "title": page_note.title,
        "seen": page_note.seen.isoformat(),
        "words": str(page_note.words),
        "kind": page_note.kind,
        "old": "yes" if page_note.old else "no",
    }


def describe_page_note(page_note):
    """Lines about a page note for people; what is empty is left out."""
    yield f"code: {page_note.code}"
    yield f"title: {page_note.title}"
    yield f"seen: {page_note.seen:%d.%m.%Y}"
    yield f"words: {page_note.words}"
    yield f"kind: {page_note.kind}"
    if page_note.old:
        yield "old"


def changes_of_page_note(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_page_note(before), format_page_note(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PAGES = Store("pages", parse_page_note, format_page_note, key="code")
