"""What is on show."""

from datetime import date
from typing import NamedTuple

from house.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note, read_words
from house.kit.store import Store

HALLS = ("gems", "boats", "mills", "clocks", "maps")


class Exhibit(NamedTuple):
    """One of the exhibits, as a line of data/exhibits.csv has it."""

    code: str
    title: str
    hall: str
    since: date
    cases: int
    loaned: bool
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_exhibit(row):
    """The exhibit of a row; BadField names what is wrong in it."""
    found = Exhibit(
        code=read_code(row, "code", "E"),
        title=read_words(row, "title"),
        hall=read_choice(row, "hall", HALLS),
        since=read_day(row, "since"),
        cases=read_count(row, "cases"),
        loaned=read_flag(row, "loaned"),
        remark=read_note(row, "remark"),
    )
    if found.cases < 0:
        raise BadField(f"{found.code}: cases is below zero")
    return found


def format_exhibit(exhibit):
    """The row of a exhibit, as it is read."""
    return {
        "code": exhibit.code,
        "title": exhibit.title,
        "hall": exhibit.hall,
        "since": exhibit.since.isoformat(),
        "cases": str(exhibit.cases),
        "loaned": "yes" if exhibit.loaned else "no",
        "remark": exhibit.remark,
    }


def describe_exhibit(exhibit):
    """Lines about a exhibit for people; what is empty is left out."""
    yield f"code: {exhibit.code}"
    yield f"title: {exhibit.title}"
    yield f"hall: {exhibit.hall}"
    yield f"since: {exhibit.since:%d.%m.%Y}"
    yield f"cases: {exhibit.cases}"
    if exhibit.loaned:
        yield "loaned"
    if exhibit.remark:
        yield f"remark: {exhibit.remark}"


def changes_of_exhibit(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_exhibit(before), format_exhibit(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


EXHIBITS = Store("exhibits", parse_exhibit, format_exhibit, key="code")
