"""Paths, and their state."""

from dataclasses import dataclass
from datetime import date

from rangers.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from rangers.kit.store import Store

STATES = ("good", "wet", "broken", "closed")


@dataclass(frozen=True)
class Path:
    """One of the paths, as a line of data/paths.csv has it."""

    code: str
    title: str
    walked: date
    metres: int
    state: str
    wide: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_path(row):
    """The path of a row; BadField names what is wrong in it."""
    found = Path(
        code=read_code(row, "code", "P"),
        title=read_words(row, "title"),
        walked=read_day(row, "walked"),
        metres=read_count(row, "metres"),
        state=read_choice(row, "state", STATES),
        wide=read_flag(row, "wide"),
    )
    if found.metres < 0:
        raise BadField(f"{found.code}: metres is below zero")
    return found


def format_path(path):
    """The row of a path, as it is read."""
    return {
        "code": path.code,
        "title": path.title,
        "walked": path.walked.isoformat(),
        "metres": str(path.metres),
        "state": path.state,
        "wide": "yes" if path.wide else "no",
    }


def describe_path(path):
    """Lines about a path for people; what is empty is left out."""
    yield f"code: {path.code}"
    yield f"title: {path.title}"
    yield f"walked: {path.walked:%d.%m.%Y}"
    yield f"metres: {path.metres}"
    yield f"state: {path.state}"
    if path.wide:
        yield "wide"


def changes_of_path(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_path(before), format_path(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PATHS = Store("paths", parse_path, format_path, key="code")
